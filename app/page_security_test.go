package app

import (
	"strings"
	"testing"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// bareWorker has its whole scope, as if nothing had been taken away from it:
// what it can't do is the policy's work alone. It tries each way out that the
// message names, and answers with those that did not fail.
const bareWorker = `
const within = (promise) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no(new Error("never")), 500))]);
const event = (target, good, bad) => within(new Promise((yes, no) => { target[good] = yes; target[bad] = no; }));
const ways = {
  fetch: (a) => fetch("http://" + a + "/"),
  "fetch no-cors": (a) => fetch("http://" + a + "/", { mode: "no-cors" }),
  xhr: (a) => { const x = new XMLHttpRequest(); x.open("GET", "http://" + a + "/", false); x.send(); },
  websocket: (a) => event(new WebSocket("ws://" + a + "/"), "onopen", "onerror"),
  eventsource: (a) => event(new EventSource("http://" + a + "/"), "onopen", "onerror"),
  import: (a) => import("http://" + a + "/x.js"),
  "import data": () => import("data:text/javascript,export default 1"),
  "import blob": () => import(URL.createObjectURL(new Blob(["export default 1"], { type: "text/javascript" }))),
  worker: (a) => event(new Worker("http://" + a + "/w.js"), "onmessage", "onerror"),
  "own worker": () => event(new Worker("/worker/bare.js", { type: "module" }), "onmessage", "onerror"),
  "blob worker": () => event(new Worker(URL.createObjectURL(new Blob(["postMessage(1)"]))), "onmessage", "onerror"),
  eval: () => eval("1"),
  Function: () => new Function("return 1")(),
  "page": () => fetch("/"),
  "blobs": () => fetch("/blobs/" + "a".repeat(64) + "?type=image/png"),
  "wails": () => fetch("/wails/ipc.js"),
  "beside": () => fetch("/pyodidex"),
  "climbing": () => fetch("/pyodide/../index.html"),
  "own scripts": () => fetch("/worker/bare.js"),
};
onmessage = async ({ data }) => {
  const open = [];
  for (const [name, way] of Object.entries(ways)) {
    try { await within(Promise.resolve(way(data))); open.push(name); } catch { /* closed */ }
  }
  const engine = await fetch("/pyodide/pyodide-lock.json").then((r) => r.ok, () => false);
  postMessage(JSON.stringify([open, engine]));
};
`

func TestWorkerPolicy(t *testing.T) {
	a := window(t)
	outside := newSink(t)
	got := evaluate(t, a, `
const worker = new Worker("/worker/bare.js", { type: "module" });
const answer = new Promise((yes, no) => { worker.onmessage = (m) => yes(m.data); worker.onerror = (e) => no(new Error(e.message)); });
worker.postMessage("`+outside.address+`");
return answer.finally(() => worker.terminate());`)
	if got != `[[],true]` {
		t.Errorf("with the policy alone, open ways and the engine's files: %s", got)
	}
	if came := outside.visits(); len(came) > 0 {
		t.Errorf("a worker reached the outside: %q", came)
	}
}

// TestPagePolicy holds that the window's own page runs no text as script, and
// loads nothing from elsewhere.
func TestPagePolicy(t *testing.T) {
	a := window(t)
	outside := newSink(t)
	got := evaluate(t, a, `
const open = [];
const attempt = async (name, way) => {
  try { await Promise.race([way(), new Promise((_, no) => setTimeout(() => no(new Error("never")), 500))]); open.push(name); } catch { /* closed */ }
};
const loaded = (element, parent = document.body) => new Promise((yes, no) => { element.onload = yes; element.onerror = no; parent.append(element); });
const make = (tag, attributes) => Object.assign(document.createElement(tag), attributes);
const there = "http://`+outside.address+`/";
await attempt("eval", async () => window.eval("1"));
await attempt("Function", async () => new Function("return 1")());
await attempt("inline", async () => { window.ran = false; document.body.append(make("script", { textContent: "window.ran = true" })); if (!window.ran) throw 0; });
await attempt("handler", async () => { window.ran = false; const d = make("div", {}); d.setAttribute("onclick", "window.ran = true"); d.click(); if (!window.ran) throw 0; });
await attempt("script", () => loaded(make("script", { src: there })));
await attempt("image", () => loaded(make("img", { src: there })));
await attempt("fetch", () => fetch(there, { mode: "no-cors" }));
await attempt("style", () => loaded(make("link", { rel: "stylesheet", href: there }), document.head));
await attempt("import", () => import(there));
await attempt("object", () => loaded(make("object", { data: there })));
await attempt("websocket", () => new Promise((yes, no) => { const s = new WebSocket("ws://`+outside.address+`/"); s.onopen = yes; s.onerror = no; }));
document.body.append(make("iframe", { src: there }));
navigator.sendBeacon?.(there, "x");
document.querySelectorAll("script:not([src]), img, object, iframe").forEach((e) => { if ((e.src || e.data || "").startsWith(there)) e.remove(); });
return JSON.stringify(open);`)
	if got != "[]" {
		t.Errorf("open in the page: %s", got)
	}
	if came := outside.visits(); len(came) > 0 {
		t.Errorf("the page reached the outside: %q", came)
	}
}

// TestFrameReachesNothing puts hostile HTML into a frame as outputs have it.
// In WebKit a script in any frame would reach Wails' message handler, and so Go.
func TestFrameReachesNothing(t *testing.T) {
	a := window(t)
	outside := newSink(t)
	reached := make(chan string, 10)
	defer runtime.EventsOn(a.window, "evil", func(...any) { reached <- "the message handler" })()
	// The control: this is how a script would do it.
	const call = `window.webkit.messageHandlers.external.postMessage('EE{"name":"evil","data":[]}')`
	evaluate(t, a, call)
	select {
	case <-reached:
	case <-time.After(pageBound):
		t.Fatal("the control did not reach Go, so the test shows nothing")
	}
	hostile := strings.ReplaceAll(strings.ReplaceAll(`
<script>CALL; parent.ran = true</script><script type="module">CALL</script>
<img src="x" onerror="CALL"><svg onload="CALL"><script>CALL</script></svg><body onload="CALL">
<a id="a" href="javascript:CALL" target="_top">a</a><iframe srcdoc="&lt;script&gt;CALL&lt;/script&gt;"></iframe>
<iframe src="javascript:CALL"></iframe><object data="data:text/html,<script>CALL</script>"></object>
<embed src="data:text/html,<script>CALL</script>"><meta http-equiv="refresh" content="0;url=http://SINK/refresh">
<form action="http://SINK/form" target="_top"><input name="x" autofocus onfocus="CALL"></form>
<img src="http://SINK/img"><link rel="stylesheet" href="http://SINK/css"><style>@import "http://SINK/style"; p { background: url(http://SINK/bg) }</style>
<base href="http://SINK/"><video src="http://SINK/v" autoplay></video><p>text</p>`, "CALL", call), "SINK", outside.address)
	before := evaluate(t, a, "return location.href")
	evaluate(t, a, `
const frame = document.createElement("iframe");
frame.setAttribute("sandbox", "");
frame.srcdoc = "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">" + `+"String.raw`"+hostile+"`"+`;
window.ran = false;
const loaded = new Promise((yes) => { frame.onload = yes; });
document.body.append(frame);
await loaded;
await new Promise((yes) => setTimeout(yes, 500));
frame.remove();
return "";`)
	if got := evaluate(t, a, "return location.href + window.ran"); got != before+"false" {
		t.Errorf("after the frame the page is %s, before it was %s", got, before)
	}
	select {
	case what := <-reached:
		t.Errorf("a script in the frame reached %s", what)
	default:
	}
	if came := outside.visits(); len(came) > 0 {
		t.Errorf("the frame reached the outside: %q", came)
	}
}
