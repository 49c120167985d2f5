// What makes the tiny starter model answer in a known shape, as it was tried with the bundled server.

/** Temperature 0 and no penalty for repeating: with the server's own penalty it writes no code at all. */
const OPTIONS = {
  temperature: 0,
  repeat_penalty: 1,
  num_thread: 1,
  num_ctx: 2048,
  num_predict: 80,
};

/** Settings with an agent whose instructions show one question with its answer. */
export const FEW_SHOT = {
  agents: [
    {
      id: "python-writer",
      name: "Python writer",
      icon: "code",
      model: "",
      systemPrompt: [
        "You write Python. Answer only with one python code block.",
        "",
        "Example:",
        "User: Print 1+1.",
        "Assistant:",
        "```python",
        "print(1+1)",
        "```",
      ].join("\n"),
      options: OPTIONS,
      protocol: "auto",
      codeInterpreter: "off",
    },
  ],
  defaultAgent: "python-writer",
};

/** Answered with a fenced `print(2+2)`; spaces may differ, and a sentence may follow. */
export const QUESTION = "Print 2+2.";

/** Draws a chart from a table. */
export const CHART = `
import pandas as pd
import matplotlib.pyplot as plt

sales = pd.DataFrame({"month": ["Jan", "Feb", "Mar", "Apr"], "sold": [12, 18, 9, 24]})
figure, axes = plt.subplots(figsize=(6, 3.5))
axes.bar(sales["month"], sales["sold"])
axes.set_title("Sold in each month")
plt.show()
`;
