/**
 * Keeps the page where it is: whatever a click, a middle click, a drop or a
 * form would do to the top frame does not happen. Content has no links with an
 * href in the first place; this is the second lock.
 */
export function holdPage(page: Document): () => void {
  const links = (event: Event) => {
    if (event.target instanceof Element && event.target.closest("a[href], area[href]")) {
      event.preventDefault();
    }
  };
  const drags = (event: DragEvent) => {
    const inField = event.target instanceof Element && event.target.closest("textarea, input");
    // A file or an address that is dropped beside a field would be opened.
    const types = event.dataTransfer?.types ?? [];
    if (!inField || types.includes("Files")) event.preventDefault();
  };
  const dragged = (event: DragEvent) => {
    if (event.target instanceof Element && event.target.closest("a, img")) event.preventDefault();
  };
  const submits = (event: Event) => {
    event.preventDefault();
  };
  const listeners: [string, (event: never) => void][] = [
    ["click", links],
    ["auxclick", links],
    ["dragstart", dragged],
    ["dragover", drags],
    ["drop", drags],
    ["submit", submits],
  ];
  for (const [name, listener] of listeners) {
    page.addEventListener(name, listener as EventListener, { capture: true });
  }
  return () => {
    for (const [name, listener] of listeners) {
      page.removeEventListener(name, listener as EventListener, { capture: true });
    }
  };
}
