import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type Manifest, type Plugin } from "vite";
import { PAGES, webConfig } from "./vite.config.ts";

const DIST = join(import.meta.dirname, "dist");
const RELEASES = join(DIST, "releases.json");
/** This release and the one before it: a page that is still open finds its chunks. */
const RELEASES_KEPT = 2;
/** What may be waited for at most, in KB over the wire: more ends the build. */
const MOST_KB = { login: 75, firstList: 175, anyScreen: 200 };
/** The libraries that a first look needs; every other one comes when somebody asks for what it draws. */
const AT_ONCE = /\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/[\w-]+)\//;
/** A module that no first look needs: any other library, and contracts with their schemas. */
const comesLater = (module: string): boolean => (module.includes("/node_modules/") && !AT_ONCE.test(module)) || module.endsWith("?full");
const COMPRESSIBLE = /\.(js|css|html|svg|json|woff)$/;
const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

interface Release {
  readonly version: string;
  readonly files: readonly string[];
}

/** What the pages weigh over the wire (brotli). */
export interface Sizes {
  readonly login_bytes: number;
  readonly firstList_bytes: number;
}
/**
 * Builds the browser side into `apps/web/dist`, with brotli and gzip beside each file.
 * @param screen the source file of the screen that counts as the first list
 * @returns what the login page and the way to a first list weigh
 * @example await buildWeb()
 */
export async function buildWeb(screen = "/PayOrderList.tsx", log: (line: string) => void = console.log): Promise<Sizes> {
  const version = createHash("sha256").update(String(Date.now())).digest("hex").slice(0, 12);
  const before = JSON.parse(await readFile(RELEASES, "utf8").catch(() => "[]")) as Release[];
  const modulesOf = new Map<string, readonly string[]>();
  for (const page of PAGES) {
    const config = webConfig(version, page);
    await build({ ...config, plugins: [...(config.plugins ?? []), listing(modulesOf)], configFile: false, logLevel: "warn" });
  }
  await writeFile(join(DIST, "version.json"), JSON.stringify({ version }));
  const manifestOf = async (name: string) => JSON.parse(await readFile(join(DIST, ".vite", name), "utf8")) as Manifest;
  const manifest = await manifestOf("manifest.json");
  const chunks = [...Object.values(manifest), ...Object.values(await manifestOf("fill.json"))];
  const files = chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]);
  const releases = [{ version, files: [...new Set(files)] }, ...before].slice(0, RELEASES_KEPT);
  await writeFile(RELEASES, JSON.stringify(releases));
  await clear(new Set(releases.flatMap((release) => release.files)));
  for (const file of await filesIn(DIST)) if (COMPRESSIBLE.test(file)) await compress(file);
  const way = new Way(manifest, modulesOf);
  const screens = await Promise.all(way.screens().map(async (name) => [name, await way.weigh(name)] as const));
  screens.sort(([, one], [, other]) => other - one);
  const sizes = { login_bytes: await way.weigh(), firstList_bytes: screens.find(([name]) => name.endsWith(screen))?.[1] ?? 0 };
  log(`登录页 ${kb(sizes.login_bytes)}，登录到首个列表 ${kb(sizes.firstList_bytes)}（brotli）`);
  log(
    `${screens.length} 个页面，最重的：${screens
      .slice(0, 5)
      .map(([name, bytes]) => `${baseName(name)} ${kb(bytes)}`)
      .join("，")}`,
  );
  const over = [
    ...(sizes.login_bytes > MOST_KB.login * 1024 ? [`登录页超过 ${MOST_KB.login} KB`] : []),
    ...(sizes.firstList_bytes > MOST_KB.firstList * 1024 ? [`首个列表超过 ${MOST_KB.firstList} KB`] : []),
    ...screens.filter(([, bytes]) => bytes > MOST_KB.anyScreen * 1024).map(([name]) => `${baseName(name)} 超过 ${MOST_KB.anyScreen} KB`),
    ...way.screens().flatMap((name) => way.needless(name).map((what) => `${baseName(name)} 首屏不需要 ${what}`)),
  ];
  if (over.length > 0) throw new Error(`首屏要等的太多：\n${over.join("\n")}`);
  return sizes;
}
const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
const baseName = (path: string): string => path.split("/").at(-1) ?? path;
/** Writes down what each file of the build was made of. */
const listing = (modulesOf: Map<string, readonly string[]>): Plugin => ({
  name: "zhangfang-listing",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === "chunk") modulesOf.set(file.fileName, file.moduleIds);
  },
});

async function clear(kept: ReadonlySet<string>): Promise<void> {
  const assets = join(DIST, "assets");
  for (const file of await filesIn(assets)) {
    const name = relative(DIST, file).replaceAll("\\", "/");
    if (!kept.has(name.replace(/\.(br|gz)$/, ""))) await rm(file);
  }
}
async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  await writeFile(
    `${file}.br`,
    await brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
  );
  await writeFile(`${file}.gz`, await gz(content, { level: 9 }));
}
async function filesIn(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** What stands between somebody and the first look at a page: its file, and everything that it imports at once. */
class Way {
  readonly #manifest: Manifest;
  readonly #modulesOf: ReadonlyMap<string, readonly string[]>;
  constructor(manifest: Manifest, modulesOf: ReadonlyMap<string, readonly string[]>) {
    this.#manifest = manifest;
    this.#modulesOf = modulesOf;
  }
  /** The screens that the doors open. */
  screens(): string[] {
    const opened = [...this.#chunks(SHELL)].flatMap((name) => this.#manifest[name]?.dynamicImports ?? []);
    return [...new Set(opened)].filter((name) => /\/domains\/[^/]+\/web\/[^?]+\.tsx$/.test(name));
  }
  /** Bytes over the wire until a screen stands; without one, until the login page does. */
  async weigh(screen?: string): Promise<number> {
    const chunks = [...this.#chunks(screen === undefined ? ["index.html"] : [...SHELL, screen])];
    const files = new Set(chunks.flatMap((name) => [this.#manifest[name]?.file ?? "", ...(this.#manifest[name]?.css ?? [])]));
    let sum = (await readFile(join(DIST, "index.html.br"))).length;
    for (const file of files) sum += (await readFile(join(DIST, `${file}.br`)).catch(() => Buffer.alloc(0))).length;
    return sum;
  }
  /** What comes with a screen and could come later: a library that draws something else, or what the screen itself asks for later. */
  needless(screen: string): string[] {
    const chunks = this.#chunks([...SHELL, screen]);
    const modules = [...chunks].flatMap((name) => this.#modulesOf.get(this.#manifest[name]?.file ?? "") ?? []);
    const own = [...this.#chunks([screen])].filter((name) => !this.#chunks(SHELL).has(name));
    const undone = own.flatMap((name) => this.#manifest[name]?.dynamicImports ?? []).filter((name) => chunks.has(name));
    return [...new Set([...modules.filter(comesLater), ...undone])].slice(0, 3);
  }
  #chunks(entries: readonly string[]): Set<string> {
    const found = new Set<string>();
    const take = (name: string): void => {
      const chunk = this.#manifest[name];
      if (!chunk || found.has(name)) return;
      found.add(name);
      for (const other of chunk.imports ?? []) take(other);
    };
    for (const entry of entries) take(entry);
    return found;
  }
}
const SHELL = ["index.html", "src/SignedIn.tsx"];

if (import.meta.main) await buildWeb();
