import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdPage } from "./hold";

let release: () => void;
beforeEach(() => {
  release = holdPage(document);
});
afterEach(() => {
  release();
  document.body.replaceChildren();
});

/** Whether the page's own answer to an event was taken away, wherever it falls in the markup. */
function held(html: string, selector: string, event: Event): boolean {
  document.body.innerHTML = html;
  const target = document.querySelector(selector);
  if (!target) throw new Error(`nothing is ${selector}`);
  // jsdom would say that it cannot navigate.
  const stop = (late: Event) => {
    kept = late.defaultPrevented;
    late.preventDefault();
  };
  let kept = false;
  document.body.addEventListener(event.type, stop);
  target.dispatchEvent(event);
  document.body.removeEventListener(event.type, stop);
  return kept;
}

const mouse = (type: string, button: number) =>
  new MouseEvent(type, { bubbles: true, cancelable: true, button });

/** jsdom has neither drags nor their data. */
function drag(type: string, ...types: string[]): Event {
  const event = new Event(type, { bubbles: true, cancelable: true });
  return Object.assign(event, { dataTransfer: { types } });
}

describe("the page stays where it is", () => {
  const link = '<p><a href="https://example.org/"><b>words</b></a></p>';
  it.each([
    ["a click on a link", link, "b", mouse("click", 0)],
    ["a middle click on a link", link, "b", mouse("auxclick", 1)],
    [
      "a click on an area of a map",
      '<map><area href="https://example.org/"></map>',
      "area",
      mouse("click", 0),
    ],
    [
      "a form that is sent",
      '<form action="https://example.org/"><button>go</button></form>',
      "form",
      new Event("submit", { bubbles: true, cancelable: true }),
    ],
    ["a file over the page", "<p>x</p>", "p", drag("dragover", "Files")],
    ["a file that is dropped", "<p>x</p>", "p", drag("drop", "Files")],
    [
      "a file that is dropped on a field",
      "<textarea></textarea>",
      "textarea",
      drag("drop", "Files"),
    ],
    ["an address that is dropped", "<p>x</p>", "p", drag("drop", "text/uri-list", "text/plain")],
    ["a link that is dragged", link, "b", drag("dragstart", "text/uri-list")],
    ["a picture that is dragged", "<p><img></p>", "img", drag("dragstart", "text/uri-list")],
  ])("%s", (_, html, selector, event) => {
    expect(held(html, selector, event)).toBe(true);
  });

  it.each([
    ["a click on a button", "<button>x</button>", "button", mouse("click", 0)],
    ["words dropped on a field", "<textarea></textarea>", "textarea", drag("drop", "text/plain")],
    ["words that are dragged", "<p>x</p>", "p", drag("dragstart", "text/plain")],
  ])("and leaves alone %s", (_, html, selector, event) => {
    expect(held(html, selector, event)).toBe(false);
  });

  it("and lets go again", () => {
    release();
    expect(held(link, "b", mouse("click", 0))).toBe(false);
  });
});
