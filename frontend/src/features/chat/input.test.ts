// The field for what input() and getpass wait for.
import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import type { AppEvent, InputPrompt, Run } from "$lib/contract";
import { code, refusal, run, TestWindow, viewOf } from "./testkit";

afterEach(cleanup);

const asks = (seq: number, input?: InputPrompt): AppEvent => ({
  topic: "run",
  run: { type: "run_input", chatId: "c", runId: "r", seq, ...(input && { input }) },
});
const field = () =>
  screen.queryByLabelText<HTMLInputElement>("Input for the code", { selector: "input" });

async function waiting(input?: InputPrompt): Promise<TestWindow> {
  const page = new TestWindow();
  const now: Run = { ...run, ...(input && { input }) };
  await page.open({ ...viewOf(code("input()"), [now]), seqs: { r: 0 } });
  return page;
}

it("C049 comes and goes with the question, and takes an empty answer once", async () => {
  const page = await waiting();
  const answer = vi.fn(() => Promise.resolve());
  page.backend.execution.answer = answer;
  expect(field()).toBeNull();
  page.emit(asks(1, { id: "i", text: "Who? ", password: false }));
  await waitFor(() => expect(field()).not.toBeNull());
  const output = screen.getByRole("region", { name: "Output" });
  expect(within(output).getByText("Who?")).toBeTruthy();
  expect(within(output).getByText("Waiting for your answer")).toBeTruthy();
  const button = within(output).getByRole("button", { name: "Answer" });
  await fireEvent.click(button);
  await fireEvent.click(button);
  expect(answer.mock.calls).toEqual([[{ runId: "r", inputId: "i", text: "" }]]);
  page.emit(asks(2));
  await waitFor(() => expect(field()).toBeNull());
});

it("hides a password, and keeps the words where they could not be given", async () => {
  const page = await waiting({ id: "i", text: "", password: true });
  page.backend.execution.answer = () => Promise.reject(refusal("input_too_long", { limit: "9" }));
  const box = await waitFor(() => field() as HTMLInputElement);
  expect(box.type).toBe("password");
  await fireEvent.input(box, { target: { value: "secret" } });
  await fireEvent.click(screen.getByRole("button", { name: "Answer" }));
  await screen.findByText(/longer than 9 bytes/);
  expect([field()?.value, field()?.readOnly]).toEqual(["secret", false]);
});
