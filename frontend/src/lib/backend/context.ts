import { getContext, setContext } from "svelte";
import type { Backend } from "./backend";

const key = Symbol("backend");

/** Gives a tree of components its backend. */
export function setBackend(backend: Backend): Backend {
  return setContext(key, backend);
}

export function getBackend(): Backend {
  return getContext<Backend>(key);
}
