// The way from the page to Go: one call at a time, so that messages arrive in
// order, and what comes meanwhile is joined into the next call.
import type { KernelMessage } from "../contract/kernel";

export type Deliver = (seq: number, messages: KernelMessage[]) => Promise<void>;

interface Item {
  message: KernelMessage;
  size: number;
  passedOn: (() => void) | undefined;
}

const largestBatch = 1 << 20;
const mostMessages = 500;

export class Outbox {
  readonly #deliver: Deliver;
  readonly #waiting: Item[] = [];
  #seq = 0;
  #sending = false;

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  /**
   * Sends a message after all earlier ones. `passedOn` is called when Go has
   * it; whoever makes many messages waits for that, which bounds this list.
   */
  push(message: KernelMessage, size = 0, passedOn?: () => void): void {
    this.#waiting.push({ message, size, passedOn });
    if (!this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        await this.#deliver(this.#seq++, join(batch));
      } catch (reason) {
        // Go knows what it has refused; the run there ends by itself.
        console.error("the engine's messages were not taken", reason);
      }
      for (const item of batch) item.passedOn?.();
    }
    this.#sending = false;
  }

  #take(): Item[] {
    let count = 0;
    let size = 0;
    for (const item of this.#waiting) {
      if (count > 0 && (count === mostMessages || size + item.size > largestBatch)) break;
      count++;
      size += item.size;
    }
    return this.#waiting.splice(0, count);
  }
}

/** The messages of a batch, where text of one stream that follows itself is one event. */
function join(batch: readonly Item[]): KernelMessage[] {
  const joined: KernelMessage[] = [];
  let texts: string[] = [];
  const finish = () => {
    const last = joined.at(-1);
    if (texts.length > 1 && last?.type === "event" && last.event.type === "stream") {
      joined[joined.length - 1] = { ...last, event: { ...last.event, text: texts.join("") } };
    }
    texts = [];
  };
  for (const { message } of batch) {
    const last = joined.at(-1);
    if (
      message.type === "event" &&
      message.event.type === "stream" &&
      last?.type === "event" &&
      last.event.type === "stream" &&
      last.runId === message.runId &&
      last.event.name === message.event.name
    ) {
      texts.push(message.event.text);
      continue;
    }
    finish();
    joined.push(message);
    if (message.type === "event" && message.event.type === "stream") texts = [message.event.text];
  }
  finish();
  return joined;
}
