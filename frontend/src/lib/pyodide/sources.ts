/** The Python half of the engine, file by file. */
export const pythonSources: Record<string, string> = import.meta.glob("./python/**/*.py", {
  query: "?raw",
  import: "default",
  eager: true,
});
