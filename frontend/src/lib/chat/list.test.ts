import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "../backend";
import { ChatListStore } from "./list.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the search", () => {
  const refusal = Object.assign(new Error(), { code: "store_failed", params: {} });

  function storeOf(search: (query: string) => Promise<[]>): ChatListStore {
    const list = () => Promise.resolve({ chats: [], next: "" });
    return new ChatListStore({ chats: { search, list } } as unknown as Backend);
  }

  it.each(["good", ""])("shows a failure until the next search: %o", async (next) => {
    const store = storeOf((query) =>
      query === "bad" ? Promise.reject(refusal) : Promise.resolve([]),
    );
    store.search("bad");
    await vi.advanceTimersByTimeAsync(500);
    expect(store.error?.code).toBe("store_failed");
    store.search(next);
    await vi.advanceTimersByTimeAsync(500);
    expect(store.error).toBeNull();
  });
});
