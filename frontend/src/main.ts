import { mount } from "svelte";
import "./styles/tokens.css";
import "./styles/base.css";
import App from "./App.svelte";
import { wailsBackend } from "$lib/backend/wails";
import { startSupervisor } from "$lib/pyodide";

const target = document.getElementById("app");
if (!target) throw new Error("the page has no #app");

const backend = wailsBackend();
const supervisor = startSupervisor({
  hello: (epoch) => backend.kernel.hello(epoch),
  deliver: (epoch, seq, messages) => backend.kernel.deliver(epoch, seq, messages),
});

mount(App, {
  target,
  props: {
    backend,
    onkernel: ({ kernel }) => {
      supervisor.request(kernel);
    },
  },
});
