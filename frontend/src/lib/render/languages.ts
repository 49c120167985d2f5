// Which language a fence is in, and what of it can be run.

const aliases: Record<string, string> = {
  py: "python",
  python: "python",
  python3: "python",
  py3: "python",
  ipython: "python",
  ipython3: "python",
  pycon: "pycon",
  "python-console": "pycon",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  node: "javascript",
  ts: "typescript",
  tsx: "typescript",
  sh: "bash",
  shell: "bash",
  zsh: "bash",
  console: "bash",
  htm: "html",
  svg: "xml",
  yml: "yaml",
  toml: "ini",
  md: "markdown",
  rb: "ruby",
  rs: "rust",
  golang: "go",
  "c++": "cpp",
  cxx: "cpp",
  h: "c",
  hpp: "cpp",
  "c#": "csharp",
  cs: "csharp",
  kt: "kotlin",
  tex: "latex",
  docker: "dockerfile",
  make: "makefile",
  text: "plaintext",
  txt: "plaintext",
  plain: "plaintext",
  output: "plaintext",
};

/** The first word after a fence as a language's one name; "" where there is none. */
export function languageOf(info: string): string {
  // Also "{python}", "python:file.py" and "python title=x".
  const word = /^[{.]*([^\s{}:,=]+)/.exec(info.trim().toLowerCase())?.[1] ?? "";
  return Object.hasOwn(aliases, word) ? (aliases[word] ?? word) : word;
}

/** The engine's language for a block, or null where no engine runs it. */
export function runnable(language: string): "python" | null {
  return language === "python" || language === "pycon" ? "python" : null;
}

const signs = [
  /^\s*(?:import [\w.]+(?: as \w+)?(?:, [\w.]+(?: as \w+)?)*|from [\w.]+ import [\w*(, ]+.*)\s*$/,
  /^\s*(?:async )?def \w+\(.*\)(?: -> .+)?:/,
  /^\s*class \w+(?:\([\w., =]*\))?:/,
  /^\s*(?:for [\w, ()]+ in .+|while .+|if .+|elif .+|else|try|except.*|with .+):\s*(?:#.*)?(?:\S.*)?$/,
  /^\s*(?:print|input|len|range|sum)\(.*\)?\s*(?:#.*)?$/,
  /^>>> /,
  /^\s*@\w+/,
];
const assignment = /^\s*[A-Za-z_][\w.[\]"']*(?:, [A-Za-z_]\w*)* ?[-+*/|&]?= ?(?![=>])(.+)$/;
const operators = new Set("if else and or not in is for lambda await yield".split(" "));

/** An assignment whose right side is an expression: two plain words in a row are prose. */
function isAssignment(line: string): boolean {
  const right = assignment.exec(line)?.[1];
  if (right === undefined) return false;
  const words = right
    .replace(/(["']).*?\1|#.*$/g, '""')
    .trim()
    .split(/\s+/);
  const bare = (word: string | undefined) =>
    word !== undefined && /^[A-Za-z]+[,.]?$/.test(word) && !operators.has(word);
  return !words.some((word, at) => bare(word) && bare(words[at + 1]));
}

const foreign =
  /[;{]\s*$|^\s*(?:const|let|var|function|public|#include|package|use|fn|func)\b|=>|<\/?\w+>/;

const isPython = (line: string) => isAssignment(line) || signs.some((sign) => sign.test(line));

/**
 * A guess for a fence without a language: Python where most lines read as
 * Python and none as another language, else nothing. Prose has no code in it.
 */
export function guessLanguage(code: string): "python" | "" {
  const lines = code.split("\n", 200).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  if (lines.length === 0 || lines.some((line) => foreign.test(line))) return "";
  const strong = lines.filter(isPython).length;
  const prose = lines.filter((line) =>
    /^\s*[A-Za-z'’]+(?:[ ,]+[A-Za-z'’]+){3,}[.!?:,]?\s*$/.test(line),
  ).length;
  return strong > 0 && prose * 2 < strong && strong * 4 >= lines.length ? "python" : "";
}

/** What is run of a block: an interactive session gives its typed lines. */
export function runnableCode(code: string): string {
  const text = code.replace(/\n$/, "");
  if (!/^>>> /m.test(text) || !/^\s*>>>/.test(text)) return text;
  return text
    .split("\n")
    .filter((line) => /^(?:>>>|\.\.\.)(?: |$)/.test(line))
    .map((line) => line.slice(4))
    .join("\n");
}

const extensions: Record<string, string> = {
  python: "py",
  pycon: "txt",
  javascript: "js",
  typescript: "ts",
  bash: "sh",
  markdown: "md",
  rust: "rs",
  ruby: "rb",
  csharp: "cs",
  kotlin: "kt",
  yaml: "yaml",
  latex: "tex",
  plaintext: "txt",
};

/** A name for saving a block. */
export function fileName(language: string): string {
  if (language === "dockerfile") return "Dockerfile";
  if (language === "makefile") return "Makefile";
  const known = extensions[language] ?? (/^[a-z]{1,5}$/.test(language) ? language : "txt");
  return `code.${known}`;
}
