export { default as Button } from "./Button.svelte";
export { default as Dialog } from "./Dialog.svelte";
export { default as Icon } from "./Icon.svelte";
export { default as Mark } from "./Mark.svelte";
export { default as Popover } from "./Popover.svelte";
export { default as Select } from "./Select.svelte";
export { default as Spinner } from "./Spinner.svelte";
