/**
 * Keeps the end of a growing list in sight until the person scrolls up, and
 * again once they are back at the end.
 */
export class Follow {
  #away = $state(false);
  #box: HTMLElement | null = null;
  #lastTop = 0;

  /** The end is out of sight, because the person went away from it. */
  get away(): boolean {
    return this.#away;
  }

  /** For {@attach}: the element that scrolls. */
  box = (element: HTMLElement) => {
    this.#box = element;
    const onscroll = () => {
      const up = element.scrollTop < this.#lastTop - 1;
      this.#lastTop = element.scrollTop;
      if (this.#gap() < 24) this.#away = false;
      else if (up) this.#away = true;
    };
    const onwheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && element.scrollHeight > element.clientHeight) this.#away = true;
    };
    element.addEventListener("scroll", onscroll, { passive: true });
    element.addEventListener("wheel", onwheel, { passive: true });
    return () => {
      element.removeEventListener("scroll", onscroll);
      element.removeEventListener("wheel", onwheel);
      this.#box = null;
    };
  };

  /** For {@attach}: the element whose growth is followed. */
  content = (element: HTMLElement) => {
    if (typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => {
      if (!this.#away) this.#jump();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  };

  latest = () => {
    this.#away = false;
    this.#jump();
  };

  #jump(): void {
    const box = this.#box;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    this.#lastTop = box.scrollTop;
  }

  #gap(): number {
    const box = this.#box;
    return box ? box.scrollHeight - box.scrollTop - box.clientHeight : 0;
  }
}
