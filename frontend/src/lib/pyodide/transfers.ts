// Content of files between Go and the page, which never goes through a message:
// it is streamed at an address that is good once.

export interface Transfers {
  /** The content that Go sends under this id. Rejects where it did not come whole. */
  take(id: string): Promise<ArrayBuffer>;
  /** Gives Go the content that it waits for under this id. */
  give(id: string, content: ArrayBuffer): Promise<void>;
}

const address = (id: string) => `/transfers/${encodeURIComponent(id)}`;

export const httpTransfers: Transfers = {
  async take(id) {
    const response = await fetch(address(id), { cache: "no-store" });
    if (!response.ok) throw new Error(`the content was not sent: ${response.status}`);
    const content = await response.arrayBuffer();
    if (Number(response.headers.get("Content-Length")) !== content.byteLength) {
      throw new Error("the content was cut on the way");
    }
    return content;
  },
  async give(id, content) {
    const response = await fetch(`${address(id)}?size=${content.byteLength}`, {
      method: "POST",
      body: content,
    });
    if (!response.ok) throw new Error(`the content was not taken: ${response.status}`);
  },
};
