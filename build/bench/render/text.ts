// A long answer as models write them: sections with words, lists, tables and code, the same at each run.
const words = (
  "the data model column value table result index chart query window first second mean sum of each in with from to and " +
  "shows that because when after before sorted grouped missing number small large group keeps reads writes returns " +
  "function list frame series plot axis label step order check error case file name line part"
).split(" ");

/** Numbers that look random and are the same each time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Writer {
  readonly #next = numbers(7);

  #upTo(most: number): number {
    return Math.floor(this.#next() * most);
  }
  #word(): string {
    return words[this.#upTo(words.length)] ?? "";
  }
  #several(count: number): string {
    return Array.from({ length: count }, () => this.#word()).join(" ");
  }

  #sentence(): string {
    const parts = Array.from({ length: 6 + this.#upTo(10) }, () => {
      const kind = this.#upTo(28);
      if (kind === 0) return `**${this.#several(2)}**`;
      if (kind === 1) return `\`${this.#word()}_${this.#word()}()\``;
      if (kind === 2) return `*${this.#word()}*`;
      if (kind === 3) return `[${this.#several(2)}](https://example.org/${this.#word()})`;
      return this.#word();
    });
    const text = parts.join(" ");
    return text.charAt(0).toUpperCase() + text.slice(1) + ".";
  }
  #paragraph(sentences: number): string {
    return Array.from({ length: sentences }, () => this.#sentence()).join(" ");
  }

  #list(sign: (at: number) => string): string {
    const items = Array.from({ length: 3 + this.#upTo(4) }, (_, at) => {
      const nested =
        this.#upTo(5) === 0 ? `\n   - ${this.#several(5)}\n   - ${this.#several(4)}` : "";
      return `${sign(at)} **${this.#word()}**: ${this.#sentence()}${nested}`;
    });
    return items.join("\n");
  }
  #table(): string {
    const rows = Array.from({ length: 4 + this.#upTo(8) }, () => {
      const share = (this.#next() * 100).toFixed(1);
      return `| ${this.#several(2)} | ${String(this.#upTo(9000))} | ${share} % | ${this.#several(3)} |`;
    });
    return ["| name | count | share | note |", "|---|---:|---:|---|", ...rows].join("\n");
  }
  #code(lines: number): string {
    const body = Array.from({ length: lines }, (_, at) => {
      const [a, b, c] = [this.#word(), this.#word(), this.#word()];
      const amount = String(this.#upTo(400));
      const kinds = [
        `    ${a} = frame.groupby("${b}")["${c}"].mean().sort_values(ascending=False)`,
        `    if ${a} > ${amount} and not frame.empty:\n        print(f"${b}: {${a}:.2f}")`,
        `    # ${this.#several(6)}`,
        `    ax.plot(frame["${a}"], frame["${b}"], label="${c}", linewidth=${amount} / 100)`,
        `    for ${a}_${b} in range(${amount}):\n        total += values[${a}_${b}] * 2`,
        at % 9 === 8 ? "" : `    ${a}_${c} = [x**2 for x in ${b} if x is not None]`,
      ];
      return kinds[this.#upTo(kinds.length)] ?? "";
    });
    const head = "import numpy as np\nimport pandas as pd\nimport matplotlib.pyplot as plt\n\n\n";
    const define = `def ${this.#word()}_${this.#word()}(frame: pd.DataFrame) -> float:\n`;
    return `\`\`\`python\n${head}${define}${body.join("\n")}\n    plt.show()\n\`\`\``;
  }

  section(number: number): string {
    return [
      `## ${String(number)}. ${this.#several(4)}`,
      this.#paragraph(4),
      this.#list(() => "-"),
      this.#paragraph(3),
      this.#code(12 + this.#upTo(30)),
      `### ${this.#several(3)}`,
      this.#paragraph(2),
      this.#upTo(2) === 0 ? this.#table() : this.#list((at) => `${String(at + 1)}.`),
      this.#upTo(3) === 0 ? `> ${this.#paragraph(2)}` : this.#paragraph(5),
    ].join("\n\n");
  }
}

/** An answer of so many bytes (it is plain ASCII, so letters and bytes are the same). */
export function answer(length: number): string {
  const writer = new Writer();
  let text = "";
  for (let number = 1; text.length < length; number++) text += writer.section(number) + "\n\n";
  return text.slice(0, length);
}
