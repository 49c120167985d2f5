// What a person does in the window, in the words of the interface.
import { Key, Origin } from "selenium-webdriver";
import { findInPage } from "./roles.mjs";
import { until } from "./wait.mjs";

/** @typedef {import('selenium-webdriver').WebElement} Element */

export class Page {
  /** @type {import('selenium-webdriver').WebDriver | undefined} */
  driver;

  /** Runs a function in the page and returns its result. */
  evaluate(script, ...parameters) {
    return this.driver.executeScript(script, ...parameters);
  }

  /**
   * @param {string} role
   * @param {string | null} [name]
   * @param {Element | null} [within]
   * @returns {Promise<Element[]>}
   */
  all(role, name = null, within = null) {
    return this.evaluate(findInPage, within, role, name);
  }

  /** The first such element, waiting until there is one. */
  find(role, name = null, { within = null, timeout = 20_000 } = {}) {
    const what = `${role} ${name === null ? "" : `"${name}"`}`;
    return until(what, async () => (await this.all(role, name, within))[0], timeout);
  }

  /** Waits until there is no such element. */
  async absent(role, name = null, { within = null, timeout = 20_000 } = {}) {
    const gone = async () => (await this.all(role, name, within)).length === 0;
    await until(`no ${role} "${name}"`, gone, timeout);
  }

  /** Presses something with the mouse, moving there first since some buttons appear under the pointer. */
  async press(role, name, options = {}) {
    const element = await this.find(role, name, options);
    await this.evaluate((target) => target.scrollIntoView({ block: "center" }), element);
    await this.driver.actions().move({ origin: element }).perform();
    try {
      await element.click();
    } catch (error) {
      if (!/interactable|intercepted/i.test(error.name)) throw error;
      // Quiet buttons also show on focus; the keyboard must reach them in any case.
      await this.evaluate((target) => target.focus(), element);
      await this.driver.actions().sendKeys(Key.ENTER).perform();
    }
    return element;
  }

  /** @param {Element} element */
  value(element) {
    return this.evaluate((target) => target.value ?? target.textContent, element);
  }

  /** The text that an element shows. @param {Element} element @returns {Promise<string>} */
  text(element) {
    return this.evaluate((target) => target.innerText ?? "", element);
  }

  /** @param {Element} element @param {string} name */
  attribute(element, name) {
    return this.evaluate((target, key) => target.getAttribute(key), element, name);
  }

  /** Types a message and sends it; the answer is waited for with answer(). @param {string} text */
  async ask(text) {
    const before = (await this.answers()).length;
    const composer = await this.find("textbox", "Message");
    await composer.click();
    await composer.sendKeys(text);
    await this.press("button", "Send");
    await until("the answer to begin", async () => (await this.answers()).length > before, 60_000);
  }

  /**
   * Lets whatever is under way in the page happen: a whole question and answer takes longer than a request that
   * nothing holds back, and shows that the window still works.
   * @param {{ next: (answer: string) => void }} model
   */
  async settled(model) {
    model.next("Still here.");
    await this.ask("Are you there?");
    const answer = await this.answered();
    if (!/Still here\./.test(await this.text(answer))) throw new Error("the window has changed");
  }

  /** The middle of an element in the page. @param {Element} element @returns {Promise<[number, number]>} */
  middle(element) {
    return this.evaluate((target) => {
      target.scrollIntoView({ block: "center" });
      const { x, y, width, height } = target.getBoundingClientRect();
      return [Math.round(x + width / 2), Math.round(y + height / 2)];
    }, element);
  }

  /** Waits until what the page shows now has been drawn. */
  painted() {
    return this.driver.executeAsyncScript((done) =>
      requestAnimationFrame(() => requestAnimationFrame(done)),
    );
  }

  /** Opens a chat of the list by its title. @param {string} title */
  openChat(title) {
    return this.press("button", title, { timeout: 60_000 });
  }

  /** @returns {Promise<Element[]>} */
  answers() {
    return this.evaluate(() => [
      ...document.querySelectorAll(
        "article[data-role=assistant], [role=article][data-role=assistant]",
      ),
    ]);
  }

  async lastAnswer() {
    return until("an answer", async () => (await this.answers()).at(-1));
  }

  /** Waits until the last answer has ended in one of the states, and returns it. */
  async answered({ states = ["done"], timeout = 120_000 } = {}) {
    let state = "";
    await until(
      `an answer in state ${states.join(" or ")}`,
      async () => {
        state = await this.attribute(await this.lastAnswer(), "data-state");
        return state !== "running" && state;
      },
      timeout,
    );
    if (!states.includes(state))
      throw new Error(`the answer ended as ${state}, not ${states.join(" or ")}`);
    return this.lastAnswer();
  }

  /** Waits for the first words of an answer: so small a model as the starter may go on and on. */
  speaks() {
    return until(
      "the first words of an answer",
      async () => {
        const words = (answer) => answer.querySelector(".prose")?.textContent.trim();
        return this.evaluate(words, await this.lastAnswer());
      },
      180_000,
    );
  }

  /** The nth code block of the last answer. */
  async block(position = 0) {
    return until(
      `code block ${position + 1}`,
      async () => (await this.all("group", "Code block", await this.lastAnswer()))[position],
    );
  }

  /** Presses Run on a block and waits for the run's end; returns the region with what it shows. */
  async run(position = 0, { states = ["done"], timeout = 120_000 } = {}) {
    await this.press("button", "Run", { within: await this.block(position) });
    return this.output(position, { states, timeout });
  }

  /** The output of a block, once its state is one of those wanted. It may stand in the block or right below it. */
  async output(position = 0, { states = ["done"], timeout = 120_000 } = {}) {
    const answer = await this.lastAnswer();
    const find = async () => {
      const inside = await this.all("region", "Output", await this.block(position));
      return inside[0] ?? (await this.all("region", "Output", answer))[position];
    };
    let state = "";
    return until(
      `the output of block ${position + 1} in state ${states.join(" or ")}`,
      async () => {
        const region = await find();
        if (!region) return null;
        const seen = await this.attribute(region, "data-state");
        if (seen !== state) state = seen;
        return states.includes(state) ? region : null;
      },
      timeout,
    );
  }

  /** The images of an output with the size of their data in bytes. @param {Element} region */
  images(region) {
    return this.driver.executeAsyncScript((root, done) => {
      const images = [...root.querySelectorAll("img")];
      Promise.all(
        images.map(async (image) => {
          await image.decode();
          const encoded = image.src.startsWith("data:") ? image.src.split(",")[1].length * 0.75 : 0;
          const bytes = encoded || (await (await fetch(image.src)).arrayBuffer()).byteLength;
          return {
            alt: image.alt,
            bytes: Math.round(bytes),
            width: image.naturalWidth,
            height: image.naturalHeight,
          };
        }),
      ).then(done, (error) => done([{ error: String(error) }]));
    }, region);
  }

  /** Moves the pointer away, so that no button shows only because of it. */
  async pointerAway() {
    await this.driver.actions().move({ origin: Origin.VIEWPORT, x: 2, y: 2 }).perform();
  }
}
