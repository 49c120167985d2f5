package app

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"lathe/internal/kernel"
)

// sink is a place outside of the application that counts who comes.
type sink struct {
	address string
	mu      sync.Mutex
	came    []string
}

func newSink(t *testing.T) *sink {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{address: listener.Addr().String()}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = connection.Close() }()
				_ = connection.SetDeadline(time.Now().Add(2 * time.Second))
				line := make([]byte, 200)
				n, _ := connection.Read(line)
				s.mu.Lock()
				s.came = append(s.came, strings.SplitN(string(line[:n]), "\r\n", 2)[0])
				s.mu.Unlock()
				_, _ = connection.Write([]byte("HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Type: text/javascript\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			}()
		}
	}()
	return s
}

// visits returns what came, after the time that anything still on its way needs.
func (s *sink) visits() []string {
	time.Sleep(300 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.came
}

// python runs code in a kernel and returns how it ended, what it printed, and its error.
func python(t *testing.T, k kernel.Kernel, code string) (status kernel.Status, stdout, failure string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var text strings.Builder
	reply, err := k.Execute(ctx, kernel.Request{ID: fmt.Sprintf("test-%d", time.Now().UnixNano()), Code: code}, func(event kernel.Event) {
		switch event.Type {
		case kernel.Stream:
			text.WriteString(event.Text)
		case kernel.ErrorOutput:
			failure = event.EName + ": " + event.EValue
		default:
		}
	})
	if err != nil {
		t.Fatalf("%q: %v", code, err)
	}
	return reply.Status, text.String(), failure
}

func newKernel(t *testing.T, a *App) kernel.Kernel {
	t.Helper()
	k, err := a.host.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// TestPyodideNetwork tries every way out that Python has. Each has to end, and
// nothing may reach a listener on this machine.
func TestPyodideNetwork(t *testing.T) {
	a := window(t)
	outside := newSink(t)
	k := newKernel(t, a)
	// %s is host and port of the sink.
	attacks := map[string]string{
		"pyfetch":                "from pyodide.http import pyfetch\nawait pyfetch('http://%s/')",
		"pyfetch no-cors":        "from pyodide.http import pyfetch\nawait pyfetch('http://%s/', mode='no-cors')",
		"open_url":               "from pyodide.http import open_url\nopen_url('http://%s/')",
		"urllib":                 "import urllib.request\nurllib.request.urlopen('http://%s/')",
		"http.client":            "import http.client\nc = http.client.HTTPConnection('%s')\nc.request('GET', '/')",
		"socket":                 "import socket\nhost, port = '%s'.split(':')\ns = socket.socket()\ns.connect((host, int(port)))\ns.send(b'x')",
		"_socket":                "import _socket\nhost, port = '%s'.split(':')\ns = _socket.socket()\ns.connect((host, int(port)))\ns.send(b'x')",
		"fetch":                  "import js\nawait js.fetch('http://%s/')",
		"fetch of an object":     "import js, pyodide.ffi as ffi\nawait js.fetch(js.Request.new('http://%s/'))",
		"XMLHttpRequest":         "import js\nx = js.XMLHttpRequest.new()\nx.open('GET', 'http://%s/', False)\nx.send()",
		"WebSocket":              "import js\njs.WebSocket.new('ws://%s/')",
		"EventSource":            "import js\njs.EventSource.new('http://%s/')",
		"WebTransport":           "import js\njs.WebTransport.new('https://%s/')",
		"Worker":                 "import js\njs.Worker.new('http://%s/w.js')",
		"importScripts":          "import js\njs.importScripts('http://%s/w.js')",
		"sendBeacon":             "import js\njs.navigator.sendBeacon('http://%s/', 'x')",
		"run_js import":          "from pyodide.code import run_js\nawait run_js(\"import('http://%s/x.js')\")",
		"eval":                   "import js\njs.eval(\"fetch('http://%s/')\")",
		"Function":               "import js\njs.Function.new(\"return import('http://%s/x.js')\")()",
		"AsyncFunction":          "import pyodide_js\nawait pyodide_js.loadPackage.constructor(\"return import('http://%s/x.js')\")()",
		"setTimeout text":        "import js, asyncio\njs.setTimeout(\"fetch('http://%s/')\", 0)\nawait asyncio.sleep(0.2)\nraise OSError('waited')",
		"loadPackage":            "import pyodide_js\nawait pyodide_js.loadPackage('http://%s/x-1.0-py3-none-any.whl')\nimport x",
		"lazy file":              "import pyodide_js\npyodide_js._module.FS.createLazyFile('/', 'lazy', 'http://%s/x', True, False)\nopen('/lazy').read()",
		"dynamic library":        "import pyodide_js, js\nfrom pyodide.ffi import to_js\npyodide_js._module.loadDynamicLibrary('http://%s/x.so', to_js({'loadAsync': False}, dict_converter=js.Object.fromEntries))",
		"websocket of C":         "import pyodide_js\npyodide_js._module.SOCKFS.websocket_sock_ops.createPeer(pyodide_js._module.SOCKFS.createSocket(2, 1, 0), '127.0.0.1', int('%s'.split(':')[1]))",
		"FontFace":               "import js\nawait js.FontFace.new('x', 'url(http://%s/f.woff)').load()",
		"folder's name in front": "import js\nawait js.fetch('/pyodide/..//%s/x')",
	}
	for name, attack := range attacks {
		status, _, failure := python(t, k, strings.ReplaceAll(attack, "%s", outside.address))
		if status != kernel.StatusError || failure == "" {
			t.Errorf("%s ended %s with %q", name, status, failure)
		}
		t.Logf("%s: %s", name, failure)
	}
	if came := outside.visits(); len(came) > 0 {
		t.Errorf("code reached the outside: %q", came)
	}
	if status, stdout, failure := python(t, k, "import numpy\nprint(numpy.arange(3).sum())"); status != kernel.StatusOK || stdout != "3\n" {
		t.Errorf("after the attacks, packages don't load: %s %q %s", status, stdout, failure)
	}
}

// TestPyodidePatchedPlatform changes what the engine's own decision might rest
// on. That can break the interpreter, which then has to be replaceable.
func TestPyodidePatchedPlatform(t *testing.T) {
	a := window(t)
	outside := newSink(t)
	for _, patch := range []string{
		"js.RegExp.prototype.test = yes\njs.RegExp.prototype.exec = yes",
		"js.String.prototype.startsWith = yes\njs.String.prototype.slice = yes",
		"js.Array.prototype.includes = yes\njs.Set.prototype.has = yes\njs.Map.prototype.get = yes",
		"setattr(js.Object.prototype, address, True)",
		"js.URL = yes\njs.location = yes\njs.Request = yes",
	} {
		k := newKernel(t, a)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		reply, err := k.Execute(ctx, kernel.Request{ID: "patched", Code: `
import js
from pyodide.ffi import create_proxy
yes = create_proxy(lambda *a: True)
address = "http://` + outside.address + `/"
` + patch + "\nawait js.fetch(address)"}, func(kernel.Event) {})
		cancel()
		if err != nil || reply.Status == kernel.StatusOK {
			t.Errorf("%q ended %s: %v", patch, reply.Status, err)
		}
		if err := k.Restart(t.Context()); err != nil {
			t.Errorf("Restart: %v", err)
		}
		if status, stdout, failure := python(t, k, "print('whole again')"); status != kernel.StatusOK || stdout != "whole again\n" {
			t.Errorf("after %q and a restart, a run ended %s: %q %s", patch, status, stdout, failure)
		}
	}
	if came := outside.visits(); len(came) > 0 {
		t.Errorf("code reached the outside: %q", came)
	}
}

// TestPyodideScope holds what Python can see of the webview around it.
func TestPyodideScope(t *testing.T) {
	a := window(t)
	k := newKernel(t, a)
	gone := "window document parent top opener frames go wails webkit chrome external runtime localStorage sessionStorage " +
		"indexedDB IDBFactory BroadcastChannel caches CacheStorage Worker SharedWorker ServiceWorker importScripts XMLHttpRequest " +
		"WebSocket EventSource WebTransport RTCPeerConnection postMessage close reportError Notification PushManager " +
		"FileReaderSync OffscreenCanvas createImageBitmap FontFace LockManager StorageManager"
	status, stdout, failure := python(t, k, `
import js
def names(o):
    found = set()
    while o is not None:
        found |= set(js.Object.getOwnPropertyNames(o))
        o = js.Object.getPrototypeOf(o)
    return found
there = names(js.self)
print([name for name in "`+gone+`".split() if getattr(js, name, None) is not None])
print([name for name in "storage serviceWorker locks permissions sendBeacon gpu usb clipboard mediaDevices".split()
       if getattr(js.navigator, name, None) is not None])
`)
	if status != kernel.StatusOK || stdout != "[]\n[]\n" {
		t.Errorf("ended %s: the scope of the worker has %s %s", status, stdout, failure)
	}
	// Other addresses of the application are closed, however they are written.
	for _, address := range []string{
		"/", "/index.html", "/blobs/" + strings.Repeat("a", 64) + "?type=image/png", "/wails/ipc.js", "/wails/runtime.js",
		"/pyodide/../index.html", "/pyodide/%2e%2e/index.html", "/pyodide/", "wails://wails/", "/worker/", "/pyodide/x?y", "/pyodide/pyodide-lock.json?x",
	} {
		if status, stdout, _ := python(t, k, "import js\nr = await js.fetch('"+address+"')\nprint(r.status)"); status != kernel.StatusError {
			t.Errorf("fetch of %s ended %s: %s", address, status, stdout)
		}
	}
}

// TestPyodideForgery lets Python speak to the page in the engine's place.
func TestPyodideForgery(t *testing.T) {
	a := window(t)
	attacker, victim := newKernel(t, a), newKernel(t, a)
	if status, _, failure := python(t, victim, "x = 1"); status != kernel.StatusOK {
		t.Fatal(failure)
	}
	_, _, failure := python(t, attacker, `
from lathe_kernel import host
import json, js
port = host.host._port
for text in ("no json", "{}", '{"type": "evil"}', '{"type": "stream", "name": "root", "text": ""}', '{"type":"display_data","data":{}}',
             '{"type":"display_data","data":{"application/json":' + '['*5000 + ']'*5000 + '}}', 'x' * (49 << 20), '5', 'null'):
    try:
        port.emit(text)
    except BaseException as e:
        print(type(e))
`)
	t.Logf("after forged events: %s", failure)
	if status, stdout, failure := python(t, attacker, "print('still here')"); status != kernel.StatusOK || stdout != "still here\n" {
		t.Errorf("the attacker's kernel ended %s: %q %s", status, stdout, failure)
	}
	if status, stdout, failure := python(t, victim, "print(x)"); status != kernel.StatusOK || stdout != "1\n" {
		t.Errorf("the victim's kernel ended %s: %q %s", status, stdout, failure)
	}
}

// TestPyodideIsolation lets one chat spoil all that it can reach, and looks at another.
func TestPyodideIsolation(t *testing.T) {
	a := window(t)
	spoiler := newKernel(t, a)
	status, _, failure := python(t, spoiler, `
import builtins, math, js, os, sys
math.pi = 3
builtins.print = None
js.spoiled = True
js.Object.prototype.spoiled = True
js.Array.prototype.map = None
open('/lib/lathe/lathe_kernel/session.py', 'w').write('spoiled')
open('/mnt/data/pandas.py', 'w').write('spoiled = True')
os.environ['SPOILED'] = '1'
for name in ('indexedDB', 'BroadcastChannel', 'localStorage', 'caches'):
    assert getattr(js, name, None) is None, name
`)
	if status != kernel.StatusOK {
		t.Errorf("spoiling ended %s: %s", status, failure)
	}
	status, stdout, failure := python(t, newKernel(t, a), `
import math, js, os
print(math.pi > 3.14, hasattr(js, 'spoiled'), os.listdir('/mnt/data'), 'SPOILED' in os.environ, js.Array.new(1).map is not None)
`)
	if status != kernel.StatusOK || stdout != "True False [] False True\n" {
		t.Errorf("another chat ended %s: %s %s", status, stdout, failure)
	}
}
