import { getContext, setContext } from "svelte";
import { en, type ErrorText } from "./en";

/** The shape of a language's catalogue; English sets it. */
export type Messages = typeof en;
export type { ErrorText };

const catalogues: Record<string, Messages> = { en };
const key = Symbol("messages");

/** The catalogue of a language, or the English one where there is none. */
export function catalogue(language: string): Messages {
  return catalogues[language] ?? en;
}

export function setMessages(messages: Messages): Messages {
  return setContext(key, messages);
}

export function getMessages(): Messages {
  return getContext<Messages | undefined>(key) ?? en;
}
