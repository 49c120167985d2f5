// Chats in the states that are worth looking at.
import type { Chat, ChatView, Message, Output, Part, Run } from "$lib/contract";

const now = Date.now();
const day = 86_400_000;
const titles: [string, string, number][] = [
  ["sales", "Which region sells best?", 0],
  ["error", "Rename photos by date", 0],
  ["long", "Why is my regex greedy?", 0],
  ["running", "Monte Carlo for next year", 1],
  ["markdown", "Letter to the landlord", 1],
  ["a", "Fit a curve to lab data", 3],
  ["b", "Explain Bayes with a table", 4],
  ["c", "Plan a week of dinners", 6],
  ["d", "Moving average, twice", 40],
];
export const chats: Chat[] = titles.map(([id, title, days]) => ({
  id,
  title,
  agentId: "assistant",
  leafId: "",
  createdAt: now - days * day,
  updatedAt: now - days * day,
}));

const part = (id: string, kind: Part["kind"], text: string, rest: Partial<Part> = {}): Part => ({
  id,
  kind,
  text,
  durationMs: 0,
  done: true,
  ...rest,
});
const message = (
  chatId: string,
  id: string,
  role: Message["role"],
  parts: Part[],
  state: Message["state"] = "done",
): Message => ({ id, chatId, parentId: "", role, state, model: "", createdAt: now, parts });

const stream = (text: string, name: "stdout" | "stderr" = "stdout"): Output => ({
  type: "stream",
  name,
  text,
  tail: "",
  droppedBytes: 0,
  droppedLines: 0,
});
const run = (chatId: string, partId: string, ordinal: number, rest: Partial<Run>): Run => ({
  id: `${partId}-${String(ordinal)}`,
  chatId,
  partId,
  ordinal,
  engine: "pyodide",
  language: "python",
  code: "",
  state: "done",
  stateLost: false,
  startedAt: now,
  durationMs: 400,
  outputs: [],
  ...rest,
});
const chart =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 240" width="640" height="240"><rect width="640" height="240" fill="#fff"/><polyline fill="none" stroke="#1f77b4" stroke-width="2" points="20,200 120,180 220,150 320,160 420,90 520,40 620,70"/></svg>';
const frame =
  '<div><style scoped>.dataframe{}</style><table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th><th>count</th><th>sum</th><th>mean</th></tr><tr><th>region</th><th></th><th></th><th></th></tr></thead><tbody><tr><th>North</th><td>412</td><td>48930.50</td><td>118.76</td></tr><tr><th>South</th><td>298</td><td>31224.00</td><td>104.78</td></tr><tr><th>East</th><td>287</td><td>27403.25</td><td>95.48</td></tr></tbody></table><p>3 rows × 3 columns</p></div>';
const rich = (data: Record<string, unknown>): Output => ({ type: "display_data", data, blobs: {} });

const salesText = `**North sells best**, with 48,930.50 of 130,375.50 in revenue, or 38%. See [the report](https://example.org/report?year=2025).

- North, South and West rise from September to a November peak.
- East stays nearly flat all year.

To see which days carry the week:

\`\`\`python
weekday = df["date"].dt.day_name()  # 3 of 1,204
df.groupby(weekday)["revenue"].mean().round(2).nlargest(3)
\`\`\`

Thursday leads, so a campaign in the first half of the week would leave the strongest day for last.

\`\`\`
milk in the bag or box
\`\`\`
`;

const runningText = `First the whole search, to see how far one minute goes:

\`\`\`python
n = 600_851_475_143_000_001
while not is_prime(n): n += 2
\`\`\`

Then the month with the highest revenue:

\`\`\`python
by_month = df.groupby("month")
top = by_month["revenu"].idxmax()
\`\`\`
`;

const simulation = `\`\`\`python
for year in range(10_000):
    total += simulate(month_mean, month_std, rng)
    if year % 1000 == 0: print(f"{year:>6} years  mean {total/(year+1):,.0f}")
\`\`\`

Each simulated year draws twelve months from \`month_mean\` and \`month_std\`. After two thousand years the mean settles near 130,400, so the spread between runs is now smaller than the`;

const paragraph = `A quantifier takes as much as it can and gives back only what it must. In \`<.+>\` the dot eats the whole line, then steps back to the last bracket. Write \`<[^>]+>\` instead, or make it lazy with a question mark.

1. Take the longest match first.
2. Step back one character at a time:
   - \`.+\` gives back one;
   - then tries the bracket.

   \`\`\`python
   import re
   re.findall(r"<.+?>", "<a> and <b>")
   \`\`\`
3. Stop at the first success.

| pattern | matches | steps |
|:--|:-:|--:|
| \`<.+>\` | all of it | 11 |
| \`<.+?>\` | each tag | 6 |

> Greedy is the default because it finds the leftmost longest answer.

`;
export const longAnswer = paragraph.repeat(60);

const view = (id: string, messages: Message[], runs: Run[] = []): ChatView => ({
  chat: chats.find((chat) => chat.id === id) ?? { ...(chats[0] as Chat), id },
  messages,
  runs,
  drafts: [],
  seqs: {},
});
const you = (chatId: string, id: string, text: string) =>
  message(chatId, id, "user", [part(`${id}p`, "text", text)]);

export const views: Record<string, ChatView> = {
  sales: view(
    "sales",
    [
      you(
        "sales",
        "u1",
        "Which region sells best, and is there a season to it? The file has last year’s orders.",
      ),
      message("sales", "m1", "assistant", [
        part(
          "r1",
          "reasoning",
          "The question has two parts. First look at the columns, then group.",
          { durationMs: 4000 },
        ),
        part("p1", "text", salesText),
      ]),
    ],
    [
      run("sales", "p1", 0, {
        outputs: [
          stream("1201 orders kept, \u001b[32m3 without a price\u001b[0m\n"),
          rich({ "text/html": frame, "text/plain": "x" }),
          rich({ "image/svg+xml": chart }),
          rich({ "text/html": "<b>Bold</b> <i>HTML</i><script>parent.x=1</script>" }),
        ],
      }),
    ],
  ),
  running: view(
    "running",
    [
      you("running", "u1", "Find the largest prime you can in a minute, then the best month."),
      message("running", "m1", "assistant", [part("p1", "text", runningText)]),
      you("running", "u2", "The column is called revenue. Simulate next year while you explain."),
      message(
        "running",
        "m2",
        "assistant",
        [part("p2", "text", simulation, { done: false })],
        "running",
      ),
    ],
    [
      run("running", "p1", 0, { state: "timeout", durationMs: 60_000 }),
      run("running", "p1", 1, {
        state: "failed",
        durationMs: 100,
        outputs: [
          {
            type: "error",
            ename: "KeyError",
            evalue: "'revenu'",
            traceback: [
              "Traceback (most recent call last):",
              '  File "<cell 5>", line 2, in <module>',
              '    top = by_month["revenu"].idxmax()',
              "          ~~~~~~~~^^^^^^^^^^",
              "KeyError: 'revenu'",
            ],
          },
        ],
      }),
      run("running", "p2", 0, {
        state: "running",
        outputs: [
          stream(
            "     0 years  mean 131,204\n  1000 years  mean 130,388\n  2000 years  mean 130,411\n",
          ),
        ],
      }),
    ],
  ),
  error: view("error", [
    you("error", "u1", "Rename my photos."),
    message(
      "error",
      "m1",
      "assistant",
      [
        part("p1", "text", "Your photos carry their date in"),
        part("e1", "error", "", { error: { code: "model_broken", params: { server: "Ollama" } } }),
      ],
      "failed",
    ),
    you("error", "u2", "Again, please."),
    message(
      "error",
      "m2",
      "assistant",
      [part("p2", "text", "The dates are in the EXIF data, so")],
      "interrupted",
    ),
  ]),
  long: view("long", [
    you("long", "u1", "Why is my regex greedy?"),
    message("long", "m1", "assistant", [part("p1", "text", longAnswer)]),
  ]),
  markdown: view("markdown", [
    you("markdown", "u1", "Show everything."),
    message("markdown", "m1", "assistant", [
      part(
        "p1",
        "text",
        `# Title\n\nText with **bold**, *italics*, ~~struck~~ and \`code\`.\n\n## Smaller\n\n${paragraph}\n---\n\n![remote](https://example.org/a.png)\n\n    indented code\n`,
      ),
    ]),
  ]),
};
