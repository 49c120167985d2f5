// Numbers, sizes and times in a language, through Intl.

export function formats(language: string) {
  const number = new Intl.NumberFormat(language);
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const tenth = new Intl.NumberFormat(language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const rules = new Intl.PluralRules(language);
  const month = new Intl.DateTimeFormat(language, { month: "long" });
  const monthAndYear = new Intl.DateTimeFormat(language, { month: "long", year: "numeric" });

  return {
    number: (value: number) => number.format(value),

    /** A count with its noun. */
    plural: (value: number, one: string, other: string) =>
      `${number.format(value)} ${rules.select(value) === "one" ? one : other}`,

    /** How long something took: "8 ms", "0.4 s", "12 s", "3 min 5 s". */
    duration: (ms: number) => {
      if (ms < 100) return `${whole.format(Math.max(1, ms))} ms`;
      const seconds = ms / 1000;
      if (seconds < 10) {
        const text = tenth.format(seconds);
        return `${Number.isInteger(seconds) && seconds > 0 ? whole.format(seconds) : text} s`;
      }
      if (Math.round(seconds) < 120) return `${whole.format(seconds)} s`;
      return `${whole.format(Math.floor(seconds / 60))} min ${whole.format(Math.floor(seconds % 60))} s`;
    },

    /** How long something has lasted; it keeps its width while it counts. */
    elapsed: (ms: number) =>
      ms < 60_000
        ? `${tenth.format(ms / 1000)} s`
        : `${whole.format(Math.floor(ms / 60_000))} min ${whole.format(Math.floor((ms / 1000) % 60))} s`,

    /** Decimal units, as file managers use them. */
    bytes: (value: number) => {
      if (value < 1000) return `${number.format(value)} B`;
      let rest = value / 1000;
      for (const unit of ["kB", "MB"]) {
        if (rest < 999.5) return `${rest < 10 ? tenth.format(rest) : whole.format(rest)} ${unit}`;
        rest /= 1000;
      }
      return `${tenth.format(rest)} GB`;
    },

    /** The name of a month, with the year where it is another one. */
    month: (time: number, now: number) => {
      const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
      return (sameYear ? month : monthAndYear).format(time);
    },
  };
}
