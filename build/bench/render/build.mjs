// Builds the page as the application's own is built, from the application's own sources. It is no part of its build.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

/** @param {string} root of the project @param {string} outDir */
export async function buildPage(root, outDir) {
  const frontend = join(root, "frontend");
  const require = createRequire(join(frontend, "package.json"));
  const { build, loadConfigFromFile, mergeConfig } = await import(
    pathToFileURL(require.resolve("vite")).href
  );
  const file = join(frontend, "vite.config.ts");
  const loaded = await loadConfigFromFile({ command: "build", mode: "production" }, file);
  if (!loaded) throw new Error(`${file} is missing`);
  await build(
    mergeConfig(loaded.config, {
      configFile: false,
      root: here,
      publicDir: false,
      logLevel: "warn",
      plugins: [fromFrontend(here, join(frontend, "src/main.ts"))],
      build: { outDir, emptyOutDir: true },
    }),
  );
}

/** Finds the packages that this folder imports where the application finds them. */
function fromFrontend(folder, importer) {
  return {
    name: "from-frontend",
    enforce: "pre",
    async resolveId(source, from) {
      if (!from?.startsWith(folder) || /^[./$\0]/.test(source)) return null;
      return this.resolve(source, importer, { skipSelf: true });
    },
  };
}
