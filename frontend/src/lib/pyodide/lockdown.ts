// Takes away from a worker what untrusted Python has no business with. The
// content security policy of the worker refuses the network by itself; this
// also takes what no policy speaks of (storage that chats would share, the
// channel to the page), and leaves errors that say so instead of calls that
// never end.

/** What stays of the worker's global scope; everything else goes. */
const kept = new Set([
  // The language.
  ..."AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean".split(
    " ",
  ),
  ..."DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array".split(
    " ",
  ),
  ..."Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise".split(
    " ",
  ),
  ..."Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol".split(
    " ",
  ),
  ..."SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef".split(
    " ",
  ),
  ..."WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN".split(
    " ",
  ),
  ..."parseFloat parseInt undefined unescape WebAssembly constructor hasOwnProperty isPrototypeOf".split(
    " ",
  ),
  ..."propertyIsEnumerable toLocaleString toString valueOf __defineGetter__ __defineSetter__".split(
    " ",
  ),
  ..."__lookupGetter__ __lookupSetter__ __proto__".split(" "),
  // What Pyodide and ordinary code need of the platform.
  ..."AbortController AbortSignal Blob DOMException Event EventTarget Headers MessageChannel MessageEvent".split(
    " ",
  ),
  ..."MessagePort Request Response TextDecoder TextEncoder URL URLSearchParams addEventListener".split(
    " ",
  ),
  ..."removeEventListener dispatchEvent atob btoa clearInterval clearTimeout console crypto Crypto fetch".split(
    " ",
  ),
  ..."isSecureContext location origin navigator performance Performance queueMicrotask self setInterval".split(
    " ",
  ),
  ..."setTimeout structuredClone ReadableStream WritableStream TransformStream WorkerGlobalScope".split(
    " ",
  ),
  ..."DedicatedWorkerGlobalScope WorkerNavigator WorkerLocation CompressionStream DecompressionStream".split(
    " ",
  ),
  // Pyodide's own.
  ..."_createPyodideModule".split(" "),
]);

const keptOfNavigator = new Set(
  "constructor hardwareConcurrency language languages onLine platform userAgent vendor product productSub appName appVersion appCodeName".split(
    " ",
  ),
);

/** Removes what isn't kept from the scope and everything that it inherits. Returns what couldn't be removed. */
export function lockDown(scope: object): string[] {
  const left: string[] = [];
  const navigator: unknown = Reflect.get(scope, "navigator");
  for (const holder of chain(scope)) remove(holder, kept, left);
  if (typeof navigator === "object" && navigator !== null) {
    for (const holder of chain(navigator)) remove(holder, keptOfNavigator, left);
  }
  return left;
}

/** The object and its prototypes, without Object.prototype. */
function* chain(object: object): Generator<object> {
  let holder: object | null = object;
  while (holder !== null && holder !== Object.prototype) {
    yield holder;
    holder = Reflect.getPrototypeOf(holder);
  }
}

function remove(holder: object, keep: ReadonlySet<string>, left: string[]): void {
  for (const name of Reflect.ownKeys(holder)) {
    if (typeof name !== "string" || keep.has(name)) continue;
    if (Reflect.deleteProperty(holder, name)) continue;
    const value = { value: undefined, writable: false, configurable: false };
    if (!Reflect.defineProperty(holder, name, value)) left.push(name);
  }
}

/** A reader of the Pyodide folder, and of nothing else. */
export interface Reader {
  fetch: typeof fetch;
  readNow(file: string): Uint8Array;
}

export const noNetwork = "Code that runs in Pyodide has no network.";

/**
 * Keeps the platform's own functions to itself and reads only files that it has
 * been told of. `allowed` has no prototype and is looked at with a plain
 * string, so nothing that Python can patch takes part in the decision.
 */
export function folderReader(base: string, files: () => Readonly<Record<string, true>>): Reader {
  const nativeFetch = globalThis.fetch.bind(globalThis);
  const NativeRequest = globalThis.XMLHttpRequest;
  const absolute = new URL(base, location.href).href;
  const known = (address: string): string | null => {
    const allowed = files();
    for (const start of [absolute, base]) {
      let at = 0;
      while (at < start.length && address[at] === start[at]) at++;
      if (at < start.length) continue;
      let file = "";
      for (let index = at; index < address.length; index++) file += address[index];
      if (allowed[file] === true) return absolute + file;
    }
    return null;
  };
  return {
    fetch(input) {
      const address = known(`${input as string}`);
      return address === null ? Promise.reject(new TypeError(noNetwork)) : nativeFetch(address);
    },
    readNow(file) {
      const address = known(absolute + file);
      if (address === null) throw new TypeError(noNetwork);
      const request = new NativeRequest();
      request.open("GET", address, false);
      request.responseType = "arraybuffer";
      request.send();
      if (request.status !== 200)
        throw new Error(`${file} is missing from the application's files`);
      return new Uint8Array(request.response as ArrayBuffer);
    },
  };
}
