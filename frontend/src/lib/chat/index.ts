export { AppStore, getApp, setApp } from "./app.svelte";
export type { ChatStore } from "./chat.svelte";
export { reduce } from "./reduce";
export { emptyState, fenceKey, fromView, type ChatState } from "./state";
