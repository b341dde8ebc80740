import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build, type Manifest } from "vite";
import { PAGES, webConfig } from "./vite.config.ts";

const DIST = join(import.meta.dirname, "dist");
const RELEASES = join(DIST, "releases.json");
/** This release and the one before it: a page that is still open finds its chunks. */
const RELEASES_KEPT = 2;
/** What may be waited for at most, in KB over the wire: more ends the build. The aim of the list is 210. */
const MOST_KB = { login_bytes: 80, firstList_bytes: 218 };
const COMPRESSIBLE = /\.(js|css|html|svg|json|woff)$/;
const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

interface Release {
  readonly version: string;
  readonly files: readonly string[];
}

/** Bytes over the wire (brotli) of what somebody waits for. */
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
  for (const page of PAGES) await build({ ...webConfig(version, page), configFile: false, logLevel: "warn" });
  await writeFile(join(DIST, "version.json"), JSON.stringify({ version }));
  const manifestOf = async (name: string) => JSON.parse(await readFile(join(DIST, ".vite", name), "utf8")) as Manifest;
  const manifest = await manifestOf("manifest.json");
  const chunks = [...Object.values(manifest), ...Object.values(await manifestOf("fill.json"))];
  const files = chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]);
  const releases = [{ version, files: [...new Set(files)] }, ...before].slice(0, RELEASES_KEPT);
  await writeFile(RELEASES, JSON.stringify(releases));
  await clear(new Set(releases.flatMap((release) => release.files)));
  for (const file of await filesIn(DIST)) if (COMPRESSIBLE.test(file)) await compress(file);
  const sizes = await measure(manifest, screen);
  log(`登录页 ${(sizes.login_bytes / 1024).toFixed(1)} KB，登录到首个列表 ${(sizes.firstList_bytes / 1024).toFixed(1)} KB（brotli）`);
  const over = (Object.keys(MOST_KB) as (keyof Sizes)[]).filter((part) => sizes[part] > MOST_KB[part] * 1024);
  if (over.length > 0) throw new Error(`超过字节预算：${over.map((part) => `${part} ${MOST_KB[part]} KB`).join("，")}`);
  return sizes;
}

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

/** Adds up the compressed files that a page needs: an entry, and everything that it imports at once. */
async function measure(manifest: Manifest, screen: string): Promise<Sizes> {
  const needed = (entries: readonly string[]): Set<string> => {
    const chunks = new Set<string>();
    const take = (name: string): void => {
      const chunk = manifest[name];
      if (!chunk || chunks.has(name)) return;
      chunks.add(name);
      for (const other of chunk.imports ?? []) take(other);
    };
    for (const entry of entries) take(entry);
    return new Set([...chunks].flatMap((name) => [manifest[name]?.file ?? "", ...(manifest[name]?.css ?? [])]));
  };
  const weigh = async (files: ReadonlySet<string>): Promise<number> => {
    let sum = 0;
    for (const file of files) sum += (await readFile(join(DIST, `${file}.br`)).catch(() => Buffer.alloc(0))).length;
    return sum;
  };
  const list = Object.keys(manifest).filter((name) => name.endsWith(screen));
  const html = (await readFile(join(DIST, "index.html.br"))).length;
  return {
    login_bytes: html + (await weigh(needed(["index.html"]))),
    firstList_bytes: html + (await weigh(needed(["index.html", "src/SignedIn.tsx", ...list]))),
  };
}

if (import.meta.main) await buildWeb();
