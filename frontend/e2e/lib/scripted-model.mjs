// A model server that speaks Ollama's protocol over real HTTP and answers what a test tells it to.
import { createServer } from "node:http";
import { once } from "node:events";
import { sleep } from "./wait.mjs";

export const MODEL = "scripted:latest";

/** What an answer's script can do, in the order in which it does it. */
class Reply {
  #response;
  #request;
  #streaming;
  #whole = "";
  #began = false;

  constructor(request, response, streaming) {
    this.#request = request;
    this.#response = response;
    this.#streaming = streaming;
    /** Resolves when the client has closed the connection before the answer was complete. */
    this.cancelled = new Promise((resolve) =>
      response.once("close", () => !response.writableFinished && resolve(true)),
    );
  }

  get open() {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  async #line(message) {
    if (!this.open) return;
    if (!this.#began) this.#response.writeHead(200, { "content-type": "application/x-ndjson" });
    this.#began = true;
    if (!this.#response.write(`${JSON.stringify(message)}\n`)) {
      await Promise.race([once(this.#response, "drain"), this.cancelled]);
    }
  }

  #message(fields) {
    return {
      model: MODEL,
      created_at: new Date().toISOString(),
      message: { role: "assistant", content: "", ...fields },
      done: false,
    };
  }

  /** Says text, in pieces where a size is given. */
  async say(text, { size = text.length, everyMs = 0 } = {}) {
    for (let at = 0; at < text.length && this.open; at += size) {
      const piece = text.slice(at, at + size);
      if (this.#streaming) await this.#line(this.#message({ content: piece }));
      else this.#whole += piece;
      if (everyMs > 0) await sleep(everyMs);
    }
  }

  /** Says something in the field for reasoning. */
  async think(text) {
    if (this.#streaming) await this.#line(this.#message({ thinking: text }));
  }

  /** Answers with an HTTP status and a body instead of a stream. */
  refuse(status, body) {
    this.#response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
    });
    this.#response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  /** Reports an error in the middle of a stream that began with 200. */
  async fail(message) {
    await this.#line({ error: message });
    this.#response.end();
  }

  /** Breaks the connection off, as a server that dies does. */
  die() {
    this.#request.socket.destroy();
  }

  async finish() {
    if (!this.open) return;
    const counts = {
      done: true,
      done_reason: "stop",
      total_duration: 5e6,
      prompt_eval_count: 7,
      eval_count: 9,
      eval_duration: 3e6,
    };
    const last = { ...this.#message({ content: this.#whole }), ...counts };
    await this.#line(last);
    this.#response.end();
  }
}

/** @typedef {(reply: Reply, request: object) => Promise<void> | void} Script */

export class ScriptedModel {
  /** @type {Script[]} */
  #scripts = [];
  #server = createServer((request, response) => {
    this.#serve(request, response).catch((error) => {
      this.problems.push(error);
      response.destroy();
    });
  });
  /** The bodies of the chat requests, in order. @type {any[]} */
  chats = [];
  /** How many chat requests the client gave up before their answer was complete. */
  cancelled = 0;
  /** What went wrong in the scripts themselves. @type {unknown[]} */
  problems = [];
  url = "";

  async start() {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
    return this;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  /** Queues the next answers: a text said at once, or a script. @param {...(string | Script)} answers */
  next(...answers) {
    for (const answer of answers)
      this.#scripts.push(typeof answer === "string" ? (reply) => reply.say(answer) : answer);
  }

  /** The managed settings under which the application uses this server and its model. */
  settings(more = {}) {
    const servers = [{ id: "scripted", name: "Scripted", kind: "ollama", url: this.url }];
    return { models: { bundled: false, servers, default: `scripted/${MODEL}` }, ...more };
  }

  async #serve(request, response) {
    let body = "";
    for await (const piece of request) body += piece;
    const json = (value) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    const details = {
      format: "gguf",
      family: "llama",
      families: ["llama"],
      parameter_size: "1B",
      quantization_level: "Q4_0",
    };
    const entry = {
      name: MODEL,
      model: MODEL,
      modified_at: "2026-01-01T00:00:00Z",
      size: 1e9,
      digest: "a".repeat(64),
      details,
    };
    switch (new URL(request.url, this.url).pathname) {
      case "/":
        response.end("Ollama is running");
        return;
      case "/api/version":
        json({ version: "0.17.4" });
        return;
      case "/api/tags":
        json({ models: [entry] });
        return;
      case "/api/ps":
        json({ models: [] });
        return;
      case "/api/show": {
        const info = { "general.architecture": "llama", "llama.context_length": 8192 };
        json({
          details,
          model_info: info,
          capabilities: ["completion"],
          template: "{{ .Prompt }}",
        });
        return;
      }
      case "/api/chat":
        await this.#chat(JSON.parse(body), request, response);
        return;
      default:
        response.writeHead(404).end("404 page not found");
    }
  }

  async #chat(asked, request, response) {
    // Loading a model is asked for with no messages.
    const script = asked.messages?.length
      ? (this.#scripts.shift() ?? ((reply) => reply.say("Nothing was scripted.")))
      : () => undefined;
    if (asked.messages?.length) this.chats.push(asked);
    const reply = new Reply(request, response, asked.stream !== false);
    void reply.cancelled.then(() => (this.cancelled += 1));
    await script(reply, asked);
    await reply.finish();
  }
}

/** Starts a scripted model for one test and stops it afterwards. @param {import('node:test').TestContext} context */
export async function scriptedModel(context) {
  const model = await new ScriptedModel().start();
  context.after(() => model.stop());
  return model;
}

/** A block of Python as a model writes it. @param {string} code */
export const python = (code) => `\`\`\`python\n${code.trim()}\n\`\`\`\n`;
