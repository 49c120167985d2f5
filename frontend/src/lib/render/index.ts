export { default as Code } from "./Code.svelte";
export { default as Markdown } from "./Markdown.svelte";
export { default as RichOutput } from "./RichOutput.svelte";
export { default as Stream } from "./Stream.svelte";
export { default as Traceback } from "./Traceback.svelte";
export { plainText } from "./ansi";
export { fileName, guessLanguage, languageOf, runnable, runnableCode } from "./languages";
export { MarkdownStream } from "./stream";
export type { CodeNode } from "./tree";
