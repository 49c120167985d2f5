// What the code of a run waits for, between the worker that asks and Go that answers.
import type { KernelRequest } from "../contract/kernel";
import { type FromWorker, Refused, writeAnswer } from "./protocol";

type Asked = Extract<FromWorker, { type: "input_request" }>;
type Reply = Extract<KernelRequest, { type: "input_reply" }>;

interface Question {
  runId: string;
  inputId: string;
  prompt: string;
  password: boolean;
}

export class Questions {
  readonly #tell: (question: Question, passedOn: () => void) => void;
  #newest: Asked | null = null;
  #open: { inputId: string; question: number } | null = null;
  #telling = false;

  /** `tell` sends a question to Go, and calls back when Go has it. */
  constructor(tell: (question: Question, passedOn: () => void) => void) {
    this.#tell = tell;
  }

  /** The newest question counts: one that is asked again has been given up before. */
  ask(asked: Asked): void {
    this.#newest = asked;
    this.#open = null;
    this.#next();
  }

  reply(control: Int32Array, { inputId, text, refused }: Reply): void {
    if (this.#open?.inputId !== inputId) return;
    const { question } = this.#open;
    this.#open = null;
    const reason = text === "too_long" ? Refused.tooLong : Refused.nobody;
    writeAnswer(control, question, refused ? reason : text);
  }

  /** The run has ended. */
  end(): void {
    this.#newest = this.#open = null;
  }

  // One at a time is on its way, so that a worker that asks without end fills no memory here.
  #next(): void {
    if (this.#newest === null || this.#telling) return;
    const { runId, question, prompt, password } = this.#newest;
    this.#newest = null;
    const inputId = crypto.randomUUID();
    this.#open = { inputId, question };
    this.#telling = true;
    this.#tell({ runId, inputId, prompt, password }, () => {
      this.#telling = false;
      this.#next();
    });
  }
}
