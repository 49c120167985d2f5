// What an answer and the code in it try, and must not reach. Each test runs the attack and looks at the target.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { python, scriptedModel } from "../lib/scripted-model.mjs";
import { sleep } from "../lib/wait.mjs";

/** A server that nothing may ever reach. @param {import('node:test').TestContext} context */
async function sink(context) {
  /** @type {string[]} */
  const hits = [];
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*");
    response.end("reached");
  });
  server.on("connection", () => hits.push("connection"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  return { hits, url: `http://127.0.0.1:${server.address().port}` };
}

/**
 * Runs attacks written in Python, each of which returns what it got hold of or raises.
 * @param {Record<string, string>} attacks name to the body of an async function
 */
async function attack(context, attacks) {
  const model = await scriptedModel(context);
  let code = "import asyncio, js\n";
  for (const [name, body] of Object.entries(attacks)) {
    const lines = body
      .trim()
      .split("\n")
      .map((line) => `    ${line}`);
    code += `async def ${name}():\n${lines.join("\n")}\n`;
  }
  code += `for _attack in (${Object.keys(attacks).join(", ")},):
    try:
        print(_attack.__name__, "got", repr(await asyncio.wait_for(_attack(), 3))[:80])
    except BaseException as error:
        print(_attack.__name__, "refused", type(error).__name__)
print("all tried")
`;
  model.next(python(code));
  let shown = "";
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Attack.");
    await app.answered();
    shown = await app.text(await app.run());
  });
  assert.match(shown, /all tried/);
  const got = shown.split("\n").filter((line) => / got /.test(line));
  return { got, shown };
}

test("Python reaches no socket", async (context) => {
  const target = await sink(context);
  const { got } = await attack(context, {
    pyfetch: `from pyodide.http import pyfetch\nreturn (await pyfetch("${target.url}/a")).status`,
    no_cors: `from pyodide.http import pyfetch\nreturn await pyfetch("${target.url}/b", mode="no-cors")`,
    js_fetch: `return (await js.fetch("${target.url}/c")).status`,
    xhr: `x = js.XMLHttpRequest.new()\nx.open("GET", "${target.url}/d", False)\nx.send()\nreturn x.status`,
    open_url: `from pyodide.http import open_url\nreturn open_url("${target.url}/e").read()`,
    websocket: `w = js.WebSocket.new("${target.url.replace("http", "ws")}/f")\nawait asyncio.sleep(1)\nassert w.readyState == 1\nreturn "open"`,
    event_source: `e = js.EventSource.new("${target.url}/g")\nawait asyncio.sleep(1)\nassert e.readyState == 1\nreturn "open"`,
    remote_import: `from pyodide.code import run_js\nreturn await run_js("import('${target.url}/h.js')")`,
    import_scripts: `return js.importScripts("${target.url}/i.js")`,
    urllib: `import urllib.request\nreturn urllib.request.urlopen("${target.url}/j", timeout=2).read()`,
    raw_socket: `import socket\ns = socket.create_connection(("127.0.0.1", ${new URL(target.url).port}), timeout=2)\ns.send(b"GET /k HTTP/1.0\\r\\n\\r\\n")\nreturn s.recv(9)`,
    sub_worker: `from pyodide.code import run_js\nreturn run_js("new Worker(URL.createObjectURL(new Blob(['fetch(\\"${target.url}/l\\")'])))")`,
    image: `i = js.Image.new()\ni.src = "${target.url}/m"\nreturn i`,
  });
  assert.deepEqual(target.hits, []);
  assert.deepEqual(got, []);
});

test("Python reaches no binding, no page, no storage and no other address of the application", async (context) => {
  const { got } = await attack(context, {
    window_object: "return js.window",
    document_object: "return js.document",
    bindings: "return js.go",
    wails_runtime: "return js.runtime",
    message_handler: "return js.webkit.messageHandlers",
    local_storage: "return js.localStorage",
    indexed_db: "assert js.indexedDB\nreturn js.indexedDB",
    channel: 'return js.BroadcastChannel.new("x")',
    cache_storage: "assert js.caches\nreturn js.caches",
    worker: "assert js.Worker\nreturn js.Worker",
    raw_message: 'js.postMessage("forged")\nreturn "sent"',
    index_page: 'return (await js.fetch("/index.html")).status',
    root_page: 'x = js.XMLHttpRequest.new()\nx.open("GET", "/", False)\nx.send()\nreturn x.status',
    wails_script: 'return (await js.fetch("/wails/runtime.js")).status',
    blobs: 'return (await js.fetch("/files/")).status',
  });
  assert.deepEqual(got, []);
});

test("an HTML output has no script, and its frame reaches no message handler", async (context) => {
  const target = await sink(context);
  const model = await scriptedModel(context);
  const html = `
    <p>shown</p><script>parent.attacked = 1; webkit.messageHandlers.external.postMessage("x")</script>
    <img src=x onerror="parent.attacked = 2"><img src="${target.url}/image">
    <meta http-equiv="refresh" content="0;url=${target.url}/refresh">
    <form action="${target.url}/form"><button>go</button></form><base target="_top"><a href="${target.url}/top">top</a>
    <iframe srcdoc="<script>top.attacked = 3</script>"></iframe>`;
  model.next(
    python(
      `class Page:\n    def _repr_html_(self):\n        return ${JSON.stringify(html)}\n\nPage()`,
    ),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Show a page.");
    await app.answered();
    await app.run();
    await sleep(1500);
    const seen = await app.evaluate(() => ({
      attacked: globalThis.attacked ?? 0,
      sandboxes: [...document.querySelectorAll("iframe")].map((frame) =>
        frame.getAttribute("sandbox"),
      ),
      address: location.href,
    }));
    assert.equal(seen.attacked, 0);
    assert.ok(
      seen.sandboxes.every((sandbox) => sandbox === ""),
      JSON.stringify(seen.sandboxes),
    );
    assert.match(seen.address, /^wails:\/\//);
  });
  assert.deepEqual(target.hits, []);
});

test("nothing in an answer fetches, runs or leads the window away", async (context) => {
  const target = await sink(context);
  const model = await scriptedModel(context);
  model.next(`
[a link](${target.url}/link) and [a script](javascript:globalThis.attacked=1) and [data](data:text/html,<script>top.attacked=2</script>)

![picture](${target.url}/picture)

<img src="${target.url}/raw" onerror="globalThis.attacked = 3">
<meta http-equiv="refresh" content="0;url=${target.url}/refresh">
<a href="${target.url}/raw-link" target="_top">raw</a>
<script>globalThis.attacked = 4</script>
<iframe src="${target.url}/frame"></iframe>
<svg><a href="${target.url}/svg"><text>svg</text></a></svg>
`);
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Links, please.");
    const answer = await app.answered();
    const address = await app.evaluate(() => location.href);
    // The plain click of a person, and the ways around it.
    await app.evaluate((root) => {
      for (const link of root.querySelectorAll("a")) {
        for (const [type, button] of [
          ["click", 0],
          ["auxclick", 1],
        ]) {
          link.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, button }));
        }
      }
    }, answer);
    await app.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/uri-list", "http://127.0.0.1/dropped");
      document.body.dispatchEvent(
        new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    });
    await sleep(1500);
    assert.equal(await app.evaluate(() => location.href), address);
    assert.equal(await app.evaluate(() => globalThis.attacked ?? 0), 0);
    assert.match(await app.text(await app.lastAnswer()), /a link/);
  });
  assert.deepEqual(target.hits, []);
});
