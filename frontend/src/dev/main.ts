// The window with a backend of pretence: /dev.html?chat=running&theme=dark
import { mount } from "svelte";
import "../styles/tokens.css";
import "../styles/base.css";
import App from "../App.svelte";
import { mockBackend } from "./mock";

const query = new URLSearchParams(location.search);
const target = document.getElementById("app");
if (target) {
  mount(App, { target, props: { backend: mockBackend(query) } });
  const chat = query.get("chat");
  const click = (selector: string) => {
    document.querySelector<HTMLElement>(selector)?.click();
  };
  setTimeout(() => {
    if (chat) click(`[data-chat="${chat}"]`);
    if (query.has("settings")) click('[aria-label="Settings"]');
    setTimeout(() => {
      if (query.has("settings")) click(`[data-tab="${query.get("settings") ?? ""}"]`);
      const press = query.get("press");
      if (press) click(press);
    }, 200);
  }, 300);
}
