/** The milliseconds since a time, counting while the component is shown. */
export class Elapsed {
  #now = $state(Date.now());

  constructor(private readonly since: () => number) {
    $effect(() => {
      const timer = setInterval(() => {
        this.#now = Date.now();
      }, 100);
      return () => {
        clearInterval(timer);
      };
    });
  }

  get ms(): number {
    return Math.max(0, this.#now - this.since());
  }
}
