// A sentence for each code that Go sends: what happened, and what to do.
import type { ErrorText } from "./en";

type Params = Record<string, string>;
type Entry = (params: Params) => ErrorText;

/** A parameter, or words that stand where it is missing. */
const get = (params: Params, name: string, instead: string) => params[name] || instead;
/** A detail from elsewhere as an end of a sentence. */
const because = (params: Params) => (params["detail"] ? `: ${params["detail"]}` : "");

/** What the engine's page says by a code (see lib/pyodide/kernel.ts); the rest is the system's own text. */
const startDetails: Record<string, string> = {
  boot_slow: "it took too long",
  worker_unloadable: "a file of Lathe could not be loaded",
  scope_open: "the webview cannot hold it in",
};
const startDetail = ({ detail = "" }: Params) =>
  because({ detail: startDetails[detail] ?? detail });

export const errors: Record<string, Entry> = {
  internal: (p) => ({
    text: `Something went wrong inside Lathe${because(p)}.`,
    hint: "Try again. If it stays, copy the details into a report.",
  }),
  bad_request: (p) => ({
    text: `Lathe could not use what the window sent${because(p)}.`,
    hint: "Try again, or close and open Lathe.",
  }),
  not_found: (p) => ({
    text: `This ${get(p, "what", "item")} is no longer there.`,
    hint: "It may have been deleted. Choose another one from the list.",
  }),
  store_failed: () => ({
    text: "Your chats could not be read or written.",
    hint: "Check that the disk is not full and that the data folder can be written.",
  }),
  model_unreachable: (p) => ({
    text: `${get(p, "server", "The model server")} does not answer at ${get(p, "url", "its address")}.`,
    hint: "Start the server, or choose another model in Settings.",
  }),
  model_not_found: (p) => ({
    text: `${get(p, "server", "The server")} has no model ${get(p, "model", "of this name")}.`,
    hint: "Choose another model in Settings, or add this one to the server.",
  }),
  model_none: () => ({
    text: "There is no model that could answer.",
    hint: "Choose one in Settings, Models.",
  }),
  model_refused: (p) => ({
    text: `The model server refused the request (${get(p, "status", "no status")})${because(p)}.`,
    hint: "Retry, or choose another model in Settings.",
  }),
  model_broken: (p) => ({
    text: `${get(p, "server", "The model server")} ended the connection in the middle of the answer.`,
    hint: "What had arrived is kept. Retry when the server runs again.",
  }),
  model_stream_error: (p) => ({
    text: `The model server reported an error while it answered${because(p)}.`,
    hint: "What had arrived is kept. Retry, or choose another model.",
  }),
  model_bad_reply: (p) => ({
    text: `${get(p, "server", "The server")} answered with something that is not a model’s answer.`,
    hint: "Check that its address in Settings is that of an Ollama server.",
  }),
  model_slow: (p) => ({
    text: `Nothing came from the model for ${get(p, "seconds", "many")} seconds.`,
    hint: "It may still be loading. Retry, or choose a smaller model.",
  }),
  model_too_large: (p) => ({
    text: `The model needs more memory than is free${because(p)}.`,
    hint: "Close other programs or choose a smaller model.",
  }),
  context_full: () => ({
    text: "The answer was cut: the model’s context is full.",
    hint: "Start a new chat, or choose a model with a longer context.",
  }),
  answer_limit: () => ({
    text: "The answer reached the limit of tokens that the agent sets.",
    hint: "Ask for the rest, or choose another agent.",
  }),
  model_server_missing: () => ({
    text: "The included model server is not installed.",
    hint: "Install Lathe again, or use an Ollama server from Settings.",
  }),
  model_server_failed: (p) => ({
    text: `The included model server could not start${because(p)}.`,
    hint: "Close and open Lathe. If it stays, look into the log in the data folder.",
  }),
  model_url_invalid: (p) => ({
    text: `${get(p, "url", "This")} is not an address of a server.`,
    hint: "Write it like http://127.0.0.1:11434, without a name or password.",
  }),
  model_not_ollama: (p) => ({
    text: `There is a server at ${get(p, "url", "this address")}, but it is not Ollama.`,
    hint: "Check the port; Ollama uses 11434 unless it is told otherwise.",
  }),
  model_server_twice: (p) => ({
    text: `${get(p, "url", "This server")} is in the list already.`,
    hint: "Its models are shown above.",
  }),
  turn_running: () => ({
    text: "This chat is still answering.",
    hint: "Wait for its end, or press Stop first.",
  }),
  message_empty: () => ({ text: "The message is empty.", hint: "Write something first." }),
  message_too_long: (p) => ({
    text: `The message is longer than ${get(p, "limit", "the limit")}.`,
    hint: "Send it in several parts.",
  }),
  execution_off: () => ({
    text: "Running code is switched off.",
    hint: "The administrator’s settings say so. Save the code as a file to run it in your own Python.",
  }),
  no_engine: (p) => ({
    text: `Nothing here runs ${get(p, "language", "this language")}.`,
    hint: "Python can be run. If this is Python, choose it as the block’s language.",
  }),
  code_too_long: (p) => ({
    text: `The code is longer than ${get(p, "limit", "the limit")}.`,
    hint: "Run it in several parts.",
  }),
  kernel_dead: () => ({
    text: "The session ended while the code ran, and its variables are lost.",
    hint: "Press Run again: a new session starts.",
  }),
  kernel_start_failed: (p) => ({
    text: `Python could not start${startDetail(p)}.`,
    hint: "Press Run again. If it stays, close and open Lathe.",
  }),
  kernel_slow: () => ({
    text: "The interpreter took too long to start.",
    hint: "Press Run again. If it stays, close other programs, or close and open Lathe.",
  }),
  kernel_unsupported: (p) => ({
    text: `This system’s webview cannot run Python${because(p)}.`,
    hint: "Update WebKitGTK to 2.46 or later.",
  }),
  kernel_protocol: (p) => ({
    text: `Python answered in a way that Lathe does not understand${because(p)}.`,
    hint: "Restart the session and press Run again.",
  }),
  kernel_file: (p) => ({
    text: `The file ${get(p, "name", "")} could not be exchanged with Python${because(p)}.`,
    hint: "Try again. If it stays, restart the session.",
  }),
  kernel_file_name: (p) => ({
    text: `A file in Python’s working folder cannot have the name “${get(p, "name", "")}”.`,
    hint: "Give it another name.",
  }),
  input_too_long: (p) => ({
    text: `The answer is longer than ${get(p, "limit", "65536")} bytes.`,
    hint: "Shorten it, or give the code a file to read.",
  }),
  settings_invalid: (p) => ({
    text: `The setting ${get(p, "key", "")} cannot have this value${because(p)}.`,
    hint: "Choose another value; the old one is still in use.",
  }),
  settings_locked: (p) => ({
    text: `The setting ${get(p, "key", "")} is set by the administrator.`,
    hint: "Ask the administrator to change it.",
  }),
  managed_invalid: (p) => ({
    text: `The administrator’s settings in ${get(p, "path", "the managed file")}, line ${get(p, "line", "?")}, are refused${because(p)}.`,
    hint: "Code features stay off until the file is put right.",
  }),
  database_newer: (p) => ({
    text: `Your chats in ${get(p, "path", "the data folder")} were written by a newer Lathe.`,
    hint: "Update Lathe; nothing has been changed.",
  }),
  database_damaged: (p) => ({
    text: `Your chats in ${get(p, "path", "the data folder")} cannot be read: the file is damaged.`,
    hint: "Put a copy of the file in its place, or move it away to begin anew.",
  }),
  data_folder_read_only: (p) => ({
    text: `The data folder ${get(p, "path", "")} cannot be written.`,
    hint: "Give yourself the right to write there, or choose another folder with LATHE_DATA.",
  }),
  save_failed: (p) => ({
    text: `The file could not be saved${p["path"] ? ` at ${p["path"]}` : ""}${because(p)}.`,
    hint: "Choose another folder, or check that the disk is not full.",
  }),
  link_refused: (p) => ({
    text: `The address ${get(p, "url", "")} is not opened.`,
    hint: "Only web and mail addresses are. You can copy it instead.",
  }),
};
