import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Plugin } from "vite";
import type { Export } from "./vite-contract-worker.ts";

const CONTRACT = /\/domains\/[^/]+\/contract(\.ts|\/(?!.*\.test\.)[^?]+\.ts)$|\/kit\/contract\/fields\.ts$/;
const FULL = "?full";
const ZOD_SETUP = fileURLToPath(new URL("../form/zod-setup.ts", import.meta.url));
const bare = (id: string): string => id.replace(/\?.*$/, "");
const RE_EXPORT = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\s+["'](\.[^"']+)["'];?/gm;
const IMPORT = /^import\s+\{([^}]*)\}\s+from\s+["']([^"']+)["']/gm;

/**
 * Serves contracts to the browser without zod. Web code imports `../contract.ts` as it stands; what it gets is a
 * light module: endpoints (also several in one object) without their schemas and with a `load` that brings them,
 * labelled sets rebuilt from their entries, plain constants. A file that has no zod behind it is served as it is,
 * functions included.
 * `contract.ts?full` is the whole module.
 */
export function contractPlugin(): Plugin {
  let asker = contractAsker();
  return {
    name: "zhangfang-contract",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer || !/\.ts(\?.*)?$/.test(source)) return null;
      const found = await this.resolve(bare(source), bare(importer), { ...options, skipSelf: true });
      if (!found || !CONTRACT.test(bare(found.id))) return null;
      return source.endsWith(FULL) || importer.endsWith(FULL) ? `${bare(found.id)}${FULL}` : found;
    },
    async load(id) {
      const file = bare(id);
      if (!CONTRACT.test(file)) return null;
      const source = await readFile(file, "utf8");
      if (id.endsWith(FULL)) return `import ${JSON.stringify(ZOD_SETUP)}; ${source}`;
      if (await isPlain(source, file, (specifier) => this.resolve(specifier, file).then((found) => found?.id))) return source;
      this.addWatchFile(file);
      return lightModule(file, source, await asker.ask(file), async (specifier) => {
        const found = await this.resolve(specifier, file, { skipSelf: true });
        return found ? Object.keys(await asker.ask(bare(found.id))) : [];
      });
    },
    async transform(code, id) {
      const file = bare(id);
      if (!/\.tsx?$/.test(file) || file.includes("/node_modules/") || CONTRACT.test(file) || !/\/(web|src)\//.test(file)) return null;
      for (const [, names = "", specifier = ""] of code.matchAll(IMPORT)) {
        if (!specifier.endsWith(".ts")) continue;
        const found = await this.resolve(specifier, file);
        if (!found || !CONTRACT.test(found.id)) continue;
        const resolve = (inner: string, from: string): Promise<string | undefined> =>
          this.resolve(inner, from).then((target) => target?.id);
        const complaint = refusal(names, await refused(found.id, resolve, asker));
        if (complaint)
          this.error(
            `${file} imports ${complaint} from ${found.id}: the browser gets contracts without zod. Import it as a type, move a function to a file of the contract that imports no zod, or ask schemaOf(endpoint).`,
          );
      }
      return null;
    },
    handleHotUpdate({ file }) {
      // A worker keeps every module it has read; a changed contract is read by a new one.
      if (CONTRACT.test(file)) asker = asker.renewed();
    },
    closeBundle() {
      asker.close();
    },
  };
}

/** Whether nothing behind a contract file reaches zod, so that the browser may have it as it is. */
async function isPlain(
  source: string,
  file: string,
  resolve: (specifier: string) => Promise<string | undefined>,
  seen = new Set<string>(),
): Promise<boolean> {
  if (seen.has(file)) return true;
  seen.add(file);
  for (const [, specifier = ""] of source.matchAll(/^(?:import|export)\s+(?!type\s)[^;]*?from\s+["']([^"']+)["']/gm)) {
    if (specifier === "zod" || /kit\/contract|@zhangfang\/contract/.test(specifier)) {
      if (/\/(labelled|money|time|text|problem)\.ts$/.test(specifier)) continue;
      return false;
    }
    const target = await resolve(specifier);
    if (!target || !bare(target).endsWith(".ts")) return false;
    if (!(await isPlain(await readFile(bare(target), "utf8"), bare(target), resolve, seen))) return false;
  }
  return true;
}

/** The exports of a contract file that the browser does not get, and what each is. What a plain file behind it exports is served. */
async function refused(
  file: string,
  resolve: (specifier: string, from: string) => Promise<string | undefined>,
  asker: Asker,
): Promise<Map<string, string>> {
  const source = await readFile(file, "utf8");
  if (await isPlain(source, file, (specifier) => resolve(specifier, file))) return new Map();
  const bad = new Map<string, string>();
  for (const [name, found] of Object.entries(await asker.ask(file)))
    if (found.kind === "schema" || found.kind === "function") bad.set(name, found.kind);
  for (const [statement, specifier = ""] of source.matchAll(RE_EXPORT)) {
    const target = /^export\s+type\s/.test(statement) ? undefined : await resolve(specifier, file);
    if (!target) continue;
    const inner = await refused(bare(target), resolve, asker);
    for (const name of Object.keys(await asker.ask(bare(target)))) if (!inner.has(name)) bad.delete(name);
  }
  return bad;
}
function refusal(names: string, bad: ReadonlyMap<string, string>): string | undefined {
  for (const given of names.split(",")) {
    const name = given.trim().split(/\s+as\s+/)[0] ?? "";
    const kind = bad.get(name);
    if (kind !== undefined) return `the ${kind} "${name}"`;
  }
  return undefined;
}

/** The text of the light module of one contract file. */
export async function lightModule(
  file: string,
  source: string,
  exports: Record<string, Export>,
  namesOf: (specifier: string) => Promise<string[]>,
): Promise<string> {
  const lines: string[] = [];
  const elsewhere = new Set<string>();
  for (const [statement, specifier = ""] of source.matchAll(RE_EXPORT)) {
    if (/^export\s+type\s/.test(statement)) continue;
    lines.push(statement);
    for (const name of await namesOf(specifier)) elsewhere.add(name);
  }
  for (const [name, found] of Object.entries(exports)) {
    if (elsewhere.has(name)) continue;
    if (found.kind === "constant") lines.push(`export const ${name} = ${found.json};`);
    if (found.kind === "labelled") lines.push(`export const ${name} = /*#__PURE__*/ labelled(${JSON.stringify(found.entries)});`);
    if (found.kind === "endpoint") lines.push(`export const ${name} = ${lightEndpoint(file, name, found.value)};`);
    if (found.kind === "endpoints") {
      const parts = Object.entries(found.of).map(([part, value]) => `${part}: ${lightEndpoint(file, `${name}.${part}`, value)}`);
      lines.push(`export const ${name} = { ${parts.join(", ")} };`);
    }
  }
  return `import { labelled } from "@zhangfang/contract/labelled.ts";\n${lines.join("\n")}\n`;
}

/** An endpoint without its schemas, and how to get them. @param at where it stands among the file's exports */
const lightEndpoint = (file: string, at: string, value: Record<string, unknown>): string =>
  `{ ${JSON.stringify(value).slice(1, -1)}, load: () => import(${JSON.stringify(file + FULL)}).then((m) => m.${at}) }`;

interface Asker {
  ask(file: string): Promise<Record<string, Export>>;
  renewed(): Asker;
  close(): void;
}
/** Asks a worker thread what a contract exports: the real module, imported natively. */
function contractAsker(): Asker {
  let worker: Worker | undefined;
  let answers = new Map<string, Promise<Record<string, Export>>>();
  const waiting = new Map<number, { resolve(found: Record<string, Export>): void; reject(reason: Error): void }>();
  let count = 0;
  const started = (): Worker => {
    if (worker) return worker;
    worker = new Worker(new URL("./vite-contract-worker.ts", import.meta.url));
    worker.on("message", ({ id, found, failure }: { id: number; found: Record<string, Export>; failure?: string }) => {
      if (failure === undefined) waiting.get(id)?.resolve(found);
      else waiting.get(id)?.reject(new Error(failure));
      waiting.delete(id);
    });
    return worker;
  };
  const close = (): void => {
    void worker?.terminate();
    worker = undefined;
    answers = new Map();
  };
  return {
    ask(file: string): Promise<Record<string, Export>> {
      let answer = answers.get(file);
      if (!answer) {
        const id = count++;
        answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
        answers.set(file, answer);
        started().postMessage({ id, file });
      }
      return answer;
    },
    renewed(): Asker {
      close();
      return contractAsker();
    },
    close,
  };
}
