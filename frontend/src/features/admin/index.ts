export { default as AdminSheet } from "./AdminSheet.svelte";
export type { Tab } from "./tabs";
