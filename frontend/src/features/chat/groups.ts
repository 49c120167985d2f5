import type { Chat } from "$lib/contract";
import type { Messages } from "$lib/messages";

export interface ChatGroup {
  name: string;
  chats: Chat[];
}

const day = 86_400_000;

/** Chats, newest first, under the names of their days. */
export function groupChats(
  chats: readonly Chat[],
  now: number,
  words: Messages["sidebar"],
): ChatGroup[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  // Noon of yesterday is yesterday also where a clock change made the day short or long.
  const yesterday = new Date(midnight - day / 2).setHours(0, 0, 0, 0);
  const week = new Date(midnight - 7 * day + day / 2).setHours(0, 0, 0, 0);
  const nameOf = (time: number) => {
    if (time >= midnight) return words.today;
    if (time >= yesterday) return words.yesterday;
    if (time >= week) return words.week;
    return words.month(time, now);
  };
  const groups: ChatGroup[] = [];
  for (const chat of chats) {
    const name = nameOf(chat.updatedAt);
    const last = groups.at(-1);
    if (last?.name === name) last.chats.push(chat);
    else groups.push({ name, chats: [chat] });
  }
  return groups;
}
