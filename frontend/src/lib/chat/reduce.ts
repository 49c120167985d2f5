// The one reducer: live events and events after a reload take the same way.
import type {
  AppEvent,
  Message,
  Output,
  OutputOp,
  Part,
  Run,
  RunEvent,
  TurnEvent,
} from "../contract";
import { fenceKey, type ChatState } from "./state";

/**
 * The state after an event. Events of other chats and those that are contained
 * already change nothing. An event that does not follow the last one of its
 * turn or run sets gap, and nothing more is taken in until a fresh view.
 *
 * Only the path to what changed is copied: growing text costs one message's
 * parts, however long the chat is.
 */
export function reduce(state: ChatState, event: AppEvent): ChatState {
  switch (event.topic) {
    case "turn":
      return inOrder(state, event.turn, event.turn.turnId, onTurn);
    case "run":
      return inOrder(state, event.run, event.run.runId, onRun);
    case "kernel":
    case "session":
    case "models":
      return state;
  }
}

function inOrder<E extends { chatId: string; seq: number }>(
  state: ChatState,
  event: E,
  stream: string,
  apply: (state: ChatState, event: E) => ChatState,
): ChatState {
  if (state.gap || event.chatId !== state.chat.id) return state;
  const last = state.seqs.get(stream) ?? -1;
  if (event.seq <= last) return state;
  if (event.seq !== last + 1) return { ...state, gap: true };
  const next = apply(state, event);
  // A map of its own for the sequence: it has an entry for each stream, not for each event.
  return { ...next, seqs: new Map(next.seqs).set(stream, event.seq) };
}

function onTurn(state: ChatState, event: TurnEvent): ChatState {
  switch (event.type) {
    case "turn_started":
      return { ...state, chat: event.chat, messages: join(state.messages, event.messages) };
    case "part_added":
      return inMessage(state, event.turnId, (message) => ({
        ...message,
        parts: [...message.parts, event.part],
      }));
    case "part_appended":
      return inPart(state, event.turnId, event.partId, (part) => ({
        ...part,
        text: part.text + event.text,
      }));
    case "part_finished":
      return inPart(state, event.turnId, event.partId, (part) => ({
        ...part,
        durationMs: event.durationMs,
        done: true,
      }));
    case "turn_finished":
      return inMessage(state, event.turnId, (message) => ({ ...message, state: event.state }));
  }
}

/** The branch with new messages at their place: after the parent of the first. */
function join(shown: readonly Message[], fresh: readonly Message[]): readonly Message[] {
  const parent = fresh[0]?.parentId ?? "";
  const at = parent === "" ? -1 : shown.findLastIndex((message) => message.id === parent);
  return [...shown.slice(0, at + 1), ...fresh];
}

function inMessage(state: ChatState, id: string, change: (message: Message) => Message): ChatState {
  const at = state.messages.findLastIndex((message) => message.id === id);
  const message = state.messages[at];
  if (!message) return { ...state, gap: true };
  return { ...state, messages: state.messages.with(at, change(message)) };
}

function inPart(
  state: ChatState,
  messageId: string,
  partId: string,
  change: (part: Part) => Part,
): ChatState {
  let found = false;
  const next = inMessage(state, messageId, (message) => {
    const at = message.parts.findLastIndex((part) => part.id === partId);
    const part = message.parts[at];
    if (!part) return message;
    found = true;
    return { ...message, parts: message.parts.with(at, change(part)) };
  });
  return found ? next : { ...state, gap: true };
}

function onRun(state: ChatState, event: RunEvent): ChatState {
  switch (event.type) {
    case "run_started":
      return withRun(state, event.run);
    case "run_outputs": {
      const run = findRun(state, event.runId);
      if (!run) return { ...state, gap: true };
      return withRun(state, { ...run, outputs: event.outputs.reduce(onOutput, run.outputs) });
    }
    case "run_input": {
      const run = findRun(state, event.runId);
      if (!run) return { ...state, gap: true };
      return withRun(state, { ...run, input: event.input });
    }
    case "run_finished": {
      const run = findRun(state, event.runId);
      if (!run) return { ...state, gap: true };
      return withRun(state, { ...event.run, outputs: run.outputs });
    }
  }
}

function withRun(state: ChatState, run: Run): ChatState {
  return { ...state, runs: new Map(state.runs).set(fenceKey(run.partId, run.ordinal), run) };
}

function findRun(state: ChatState, id: string): Run | undefined {
  for (const run of state.runs.values()) if (run.id === id) return run;
  return undefined;
}

function onOutput(outputs: Output[], op: OutputOp): Output[] {
  switch (op.op) {
    case "set":
      return op.index === outputs.length
        ? [...outputs, op.output]
        : outputs.map((output, index) => (index === op.index ? op.output : output));
    case "append":
      return outputs.map((output, index) =>
        index === op.index && output.type === "stream"
          ? { ...output, text: output.text + op.text }
          : output,
      );
    case "tail":
      return outputs.map((output, index) =>
        index === op.index && output.type === "stream"
          ? {
              ...output,
              tail: op.text,
              droppedBytes: op.droppedBytes,
              droppedLines: op.droppedLines,
            }
          : output,
      );
    case "clear":
      return [];
  }
}
