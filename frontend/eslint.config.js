// The arrows of the layout are held here: who may import whom.
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

const bindings = {
  regex: "wailsjs",
  message: "Only lib/backend talks to the generated bindings.",
};
const features = {
  regex: "^\\$features|/features/",
  message: "Nothing below the application's root imports a feature.",
};

/** Names a folder of lib, by alias or by a relative path from a neighbour. */
const lib = (...names) => `^(\\$lib|\\.\\.|\\.\\./\\.\\.)/(${names.join("|")})(/|$)`;

const allowed = {
  contract: [],
  messages: ["contract"],
  pyodide: ["contract"],
  render: ["contract"],
  backend: ["contract"],
  chat: ["contract", "backend"],
  ui: ["contract", "backend"],
};
const folders = Object.keys(allowed);

function arrows(folder) {
  const others = folders.filter((name) => name !== folder && !allowed[folder].includes(name));
  const patterns = [
    features,
    { regex: lib(...others), message: `lib/${folder} may import: ${allowed[folder].join(", ")}` },
  ];
  if (folder !== "backend") patterns.push(bindings);
  return {
    files: [`src/lib/${folder}/**`],
    rules: { "no-restricted-imports": ["error", { patterns }] },
  };
}

function feature(name) {
  const others = ["chat", "admin", "agents", "models"].filter((other) => other !== name);
  return {
    files: [`src/features/${name}/**`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            bindings,
            {
              regex: `^(\\$features|\\.\\.)/(${others.join("|")})(/|$)`,
              message: "Features never import each other.",
            },
          ],
        },
      ],
    },
  };
}

export default ts.config(
  { ignores: ["dist/**", "wailsjs/**", "node_modules/**"] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node, ...globals.worker } },
    rules: {
      "no-undef": "off",
      "no-restricted-imports": ["error", { patterns: [bindings] }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: {
      parserOptions: { extraFileExtensions: [".svelte"], parser: ts.parser, svelteConfig },
    },
    rules: {
      // What goes into {@html} is made by lib/render alone, where it is sanitised.
      "svelte/no-at-html-tags": "error",
      // State is replaced, never changed in place ($state.raw): plain collections are right.
      "svelte/prefer-svelte-reactivity": "off",
      // A line end must be written as one.
      "svelte/no-useless-mustaches": ["error", { ignoreStringEscape: true }],
    },
  },
  ...folders.map(arrows),
  ...["chat", "admin", "agents", "models"].map(feature),
);
