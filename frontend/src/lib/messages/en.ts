// Every text of the interface, in English. Another language is a file of the
// same shape (see Messages in index.ts).
import type { AppError } from "../contract";
import { errors } from "./en.errors";
import { formats } from "./format";

const f = formats("en");

const engines: Record<string, string> = { pyodide: "Pyodide", jupyter: "Jupyter" };
const phases: Record<string, string> = {
  none: "No variables",
  starting: "Starting",
  idle: "Idle",
  busy: "Busy",
  dead: "Ended",
};
const capabilities: Record<string, string> = {
  tools: "tools",
  thinking: "thinking",
  vision: "sees images",
};

export const en = {
  app: {
    name: "Lathe",
    loading: "Opening Lathe",
    tryAgain: "Try again",
  },
  sidebar: {
    label: "Sidebar",
    hide: "Hide sidebar",
    show: "Show sidebar",
    newChat: "New chat",
    newChatKey: "Ctrl N",
    search: "Search chats",
    searchKey: "Ctrl K",
    chats: "Chats",
    empty: "Your chats will be listed here.",
    nothing: "No chat has these words.",
    more: "Show older chats",
    running: "Running",
    settings: "Settings",
    today: "Today",
    yesterday: "Yesterday",
    week: "Previous 7 days",
    month: (time: number, now: number) => f.month(time, now),
  },
  session: {
    label: "Session",
    engine: (id: string) => engines[id] ?? id,
    /** The words beside the button. */
    summary: (phase: string, variables: number) =>
      variables >= 0 && (phase === "idle" || phase === "busy")
        ? `${phases[phase] ?? phase} · ${f.plural(variables, "variable", "variables")}`
        : (phases[phase] ?? phase),
    about: "Variables last from run to run in this chat. Other chats do not see them.",
    dead: "The session has ended and its variables are gone. The next run starts a new one.",
    interrupt: "Interrupt",
    restart: "Restart",
    restartHint: "Restart empties the session: its variables are lost.",
  },
  empty: {
    heading: "Ask something.",
    answers: (model: string) => `${model} answers, on this computer.`,
    answersFrom: (model: string, server: string) => `${model} answers, from ${server}.`,
    small: "It is small: ",
    stronger: "choose a stronger model",
    starting: "The model is starting. Your first message waits for it.",
    none: "No model answers yet. ",
    choose: "Choose a model",
    examples: "Examples",
    tries: [
      {
        title: "Explain and run a Python function",
        hint: "Press Run on any block in an answer",
        text: "Write a short Python function that tests whether a number is prime, explain it, and print the primes below 50.",
      },
      {
        title: "Simulate 10,000 rolls of two dice",
        hint: "NumPy and Matplotlib are included",
        text: "Write Python code that simulates 10,000 rolls of two dice with NumPy and draws the sums as a bar chart with Matplotlib.",
      },
      {
        title: "Make a table and compare its groups",
        hint: "pandas shows tables below the code",
        text: "Write Python code that makes a small pandas table of orders in four regions and compares the mean order of each region.",
      },
    ],
  },
  composer: {
    label: "Message",
    placeholder: (agent: string) => (agent === "" ? "Message" : `Message ${agent}`),
    next: "Write the next message",
    send: "Send",
    stop: "Stop",
    latest: "Jump to latest",
    agent: "Agent",
  },
  message: {
    you: "You",
    answer: "Answer",
    thinking: "Thinking",
    thought: "Thought",
    thoughtFor: (ms: number) => ` for ${f.duration(ms)}`,
    waiting: "Waiting for the model",
    copy: "Copy message",
    retry: "Retry",
    copyDetails: "Copy details",
    cancelled: "You stopped this answer.",
    denied: "You did not let the code run.",
    failed: "The answer ended with an error.",
    interrupted: "Lathe closed before this answer was complete. What had arrived is kept.",
    limit: "The answer reached the limit of rounds.",
  },
  code: {
    block: "Code block",
    editor: "Code",
    run: "Run",
    stop: "Stop",
    copy: "Copy",
    copied: "Copied",
    edit: "Edit",
    original: "Restore original",
    edited: "Edited",
    save: "Save as file",
    language: "Language",
    guess: (language: string) => `${language}?`,
  },
  output: {
    label: "Output",
    starting: "Starting Python",
    running: "Running",
    stopping: "Stopping",
    waits: "Waiting for your answer",
    done: "Done",
    failed: "Failed",
    stopped: "Stopped.",
    timeout: (ms: number) => `Stopped after ${f.duration(ms)}.`,
    lost: "The session ended.",
    kept: "Variables are kept.",
    gone: "Variables are lost.",
    mayGoOn: "The old computation may keep a processor core busy until Lathe is started anew.",
    copyDetails: "Copy details",
    input: "Input for the code",
    answer: "Answer",
    duration: (ms: number) => f.duration(ms),
    elapsed: (ms: number) => f.elapsed(ms),
    dropped: (lines: number, bytes: number) =>
      `${f.plural(lines, "line", "lines")} (${f.bytes(bytes)}) left out`,
    picture: (index: number) => `Picture ${f.number(index)} made by the code`,
    frame: "HTML made by the code",
    tooLong: "This output is too long to show.",
  },
  link: {
    title: "Open this address?",
    hint: "It opens in your browser, outside Lathe.",
    open: "Open",
    copy: "Copy address",
    cancel: "Cancel",
  },
  settings: {
    label: "Settings",
    close: "Close settings",
    escape: "Esc",
    locked: "Set by the administrator",
    managed: "The administrator’s settings file was refused",
    general: {
      title: "General",
      lead: "How the window looks, and where your chats are.",
      theme: "Theme",
      themeHint: "System follows the desktop.",
      themes: { system: "System", light: "Light", dark: "Dark" },
      textSize: "Text size",
      textSizeHint: "Of words in the conversation.",
      pixels: (size: number) => `${f.number(size)} px`,
      dataFolder: "Data folder",
      dataFolderHint: "Chats, files and models are kept here and nowhere else.",
      copyPath: "Copy path",
    },
    models: {
      title: "Models",
      lead: "Every model here runs on this computer or on a server you name. Nothing is fetched unless you ask.",
      default: "Default model",
      defaultHint: "Agents use it unless they name another.",
      automatic: "Automatic",
      automaticIs: (model: string) => `Automatic · ${model}`,
      here: "On this computer",
      listHere: "Models on this computer",
      listOf: (server: string) => `Models of ${server}`,
      included: "included",
      isDefault: "default",
      includedHint: "Good for trying things out; too small for real answers.",
      found: (version: string) =>
        version === "" ? "Found on this computer." : `Found on this computer, version ${version}.`,
      added: "Added by you.",
      version: (version: string) => (version === "" ? "" : `Version ${version}.`),
      starting: "Starting",
      noModels: "This server has no models yet.",
      tokens: (count: number) => f.plural(count, "token", "tokens"),
      about: (size: number, names: string[]) =>
        [size > 0 ? f.bytes(size) : "", names.map((name) => capabilities[name]).join(", ")]
          .filter((text) => text !== "")
          .join(" · "),
      size: (bytes: number) => f.bytes(bytes),
      capabilities: (names: string[]) => names.filter((name) => name in capabilities),
      other: "Other servers",
      otherHint: "An Ollama on this computer or on another one.",
      add: "Add server",
      url: "Server URL",
      urlExample: "http://127.0.0.1:11434",
      addNow: "Add",
      adding: "Looking for the server",
      cancel: "Cancel",
      remove: "Remove server",
      refresh: "Look again",
    },
    about: {
      title: "About",
      lead: "A chat for local models that can run code, offline.",
      version: "Version",
      licence: "Licence",
      licenceText: "MIT",
      parts: "Built with",
      partsText:
        "Wails, WebKit, Svelte, Ollama, SmolLM2, Pyodide, NumPy, pandas, Matplotlib, SciPy.",
    },
  },
  languages: {
    python: "Python",
    pycon: "Python",
    javascript: "JavaScript",
    typescript: "TypeScript",
    bash: "Shell",
    json: "JSON",
    html: "HTML",
    xml: "XML",
    css: "CSS",
    sql: "SQL",
    r: "R",
    go: "Go",
    rust: "Rust",
    java: "Java",
    c: "C",
    cpp: "C++",
    csharp: "C#",
    yaml: "YAML",
    ini: "INI",
    markdown: "Markdown",
    ruby: "Ruby",
    php: "PHP",
    kotlin: "Kotlin",
    swift: "Swift",
    lua: "Lua",
    diff: "Diff",
    latex: "LaTeX",
    dockerfile: "Dockerfile",
    makefile: "Makefile",
    plaintext: "Text",
  } as Record<string, string>,
  /** What an engine says to the person; params come with the notice. */
  notice: (code: string, params: Record<string, string>): string => {
    const word = notices[code];
    return word ? word(params) : code.replaceAll("_", " ");
  },
  error: (error: AppError): ErrorText => {
    const word = errors[error.code] ?? errors["internal"];
    return word ? word(error.params) : { text: error.code, hint: "" };
  },
};

/** What happened, and what to do about it. */
export interface ErrorText {
  text: string;
  hint: string;
}

const notices: Record<string, (params: Record<string, string>) => string> = {
  output_too_large: (p) =>
    `An output of ${f.bytes(Number(p["size"]) || 0)} (${p["mime"] ?? "unknown type"}) was too large to keep.`,
  outputs_too_many: (p) => `Only the first ${f.number(Number(p["limit"]) || 0)} outputs are kept.`,
  output_unreadable: (p) => `An output (${p["mime"] ?? "unknown type"}) could not be read.`,
  output_not_kept: (p) =>
    `An output could not be kept${p["detail"] ? `: ${p["detail"]}` : ""}. It will be gone after a restart.`,
  output_dropped: (p) =>
    `${f.plural(Number(p["characters"]) || 0, "character", "characters")} came faster than they could be shown and were left out.`,
  variables_lost: () => "The session was started anew; earlier variables are lost.",
  module_missing: (p) =>
    `${p["package"] ?? "This package"} is not included with Lathe, and code here has no network.` +
    (p["available"] ? ` Included: ${p["available"]}.` : "") +
    " Code that needs other packages runs in your own Python: save it as a file.",
  kernel_bad_message: () =>
    "Python sent something that Lathe does not understand, and was started anew.",
};
