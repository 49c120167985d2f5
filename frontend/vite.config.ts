import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

const source = (folder: string) => fileURLToPath(new URL(`./src/${folder}`, import.meta.url));

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: source("lib"), $features: source("features") } },
  build: {
    target: ["safari16", "es2022"],
    // light-dark() and oklch() stay as they are: WebKitGTK has them since 2.46.
    cssTarget: "safari18",
    outDir: "dist",
    emptyOutDir: true,
    sourcemap: false,
    // The page's content security policy takes fonts and scripts from files only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1024,
  },
  worker: {
    format: "es",
    rollupOptions: {
      // The asset handler gives everything under /worker/ the policy that
      // holds untrusted Python, so nothing else may be put there.
      output: {
        entryFileNames: "worker/[name]-[hash].js",
        chunkFileNames: "worker/[name]-[hash].js",
        assetFileNames: "worker/[name]-[hash][extname]",
      },
    },
  },
});
