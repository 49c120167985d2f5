export { default as ModelsTab } from "./ModelsTab.svelte";
