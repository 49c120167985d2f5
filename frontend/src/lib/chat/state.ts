import type { Chat, ChatView, Message, Run } from "../contract";

/** Names a fence: a part and the fence's place in it. */
export type FenceKey = string;
export const fenceKey = (partId: string, ordinal: number): FenceKey =>
  `${partId}:${String(ordinal)}`;

/** One chat as the screen shows it. Values are never changed, only replaced. */
export interface ChatState {
  readonly chat: Chat;
  /** The branch that is shown, first to last. */
  readonly messages: readonly Message[];
  /** The latest run of each fence. */
  readonly runs: ReadonlyMap<FenceKey, Run>;
  readonly drafts: ReadonlyMap<FenceKey, string>;
  /** The last seq of each turn and run that is contained here. */
  readonly seqs: ReadonlyMap<string, number>;
  /** An event is missing: the chat must be fetched anew. */
  readonly gap: boolean;
}

/** The state of a chat as it is kept. */
export function fromView(view: ChatView): ChatState {
  const runs = new Map<FenceKey, Run>();
  for (const run of [...view.runs].sort((a, b) => a.startedAt - b.startedAt)) {
    runs.set(fenceKey(run.partId, run.ordinal), run);
  }
  return {
    chat: view.chat,
    messages: view.messages,
    runs,
    drafts: new Map(view.drafts.map((d) => [fenceKey(d.partId, d.ordinal), d.code])),
    seqs: new Map(Object.entries(view.seqs)),
    gap: false,
  };
}

/** The state of a chat of which nothing is known yet. */
export function emptyState(chat: Chat): ChatState {
  return {
    chat,
    messages: [],
    runs: new Map(),
    drafts: new Map(),
    seqs: new Map(),
    gap: false,
  };
}
