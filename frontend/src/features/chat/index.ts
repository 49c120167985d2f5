export { default as ChatScreen } from "./ChatScreen.svelte";
