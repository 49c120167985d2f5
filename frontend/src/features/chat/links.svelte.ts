import { getContext, setContext } from "svelte";

/** The address that a person is asked about, if any. */
export class Links {
  #address = $state<string | null>(null);

  get address(): string | null {
    return this.#address;
  }
  ask(address: string): void {
    this.#address = address;
  }
  close(): void {
    this.#address = null;
  }
}

const key = Symbol("links");
export const setLinks = (): Links => setContext(key, new Links());
export const getLinks = (): Links => getContext<Links>(key);
