import base from "../../../../vite.config";
export default { ...base, root: new URL(".", import.meta.url).pathname, build: { ...(base as { build: object }).build, outDir: "/tmp/w/testpage" } };
