import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A browser for the journeys: what to start, with which arguments, and what to add to its environment. */
export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const ROOT = join(import.meta.dirname, "..");
/** Where the browser from npm is unpacked; its version is in the name, so a new one is a new folder. */
export const OWN_BROWSER = join(ROOT, ".cache/chromium-153.0.0");

const SYSTEM = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
const PLAYWRIGHT_CACHES = [".cache/ms-playwright", "Library/Caches/ms-playwright", "AppData/Local/ms-playwright"];
const PLAYWRIGHT_NAMES = ["chrome", "chrome.exe", "headless_shell", "chrome-headless-shell", "Chromium.app/Contents/MacOS/Chromium"];

/**
 * The browser to test with: `CHROME`, else the one from npm where it was unpacked (it is only where nothing else ran),
 * else the system's, else Playwright's.
 * @throws Error with one line when there is none
 */
export function findBrowser(): Browser {
  const found = candidates().find((path) => existsSync(path));
  if (!found) throw new Error("没有找到 Chromium 或 Chrome，请用环境变量 CHROME 指定一个，或运行 node boot.mjs --with-browser");
  return { executablePath: found, args: ["--no-sandbox"], env: environmentOf(found) };
}

/** Where a browser may stand, best first. `ZHANGFANG_OWN_BROWSER` leaves out whatever the machine brings. */
export function* candidates(): Generator<string> {
  if (process.env["CHROME"]) yield process.env["CHROME"];
  yield join(OWN_BROWSER, "chromium");
  if (process.env["ZHANGFANG_OWN_BROWSER"]) return;
  yield* SYSTEM;
  for (const cache of PLAYWRIGHT_CACHES) {
    for (const name of PLAYWRIGHT_NAMES)
      yield* globSync(join(homedir(), cache, "chromium*", "*", name))
        .toSorted()
        .toReversed();
  }
}

/** The browser from npm brings its libraries and Latin letters; the Chinese ones are the product's own font. */
export function environmentOf(executablePath: string): Record<string, string> {
  const own = dirname(executablePath) === OWN_BROWSER;
  const folders = globSync(join(ROOT, "kit/server/**/*.{ttf,otf}"), { exclude: (name) => name.includes("node_modules") }).map((font) =>
    dirname(font),
  );
  if (own) folders.push(join(OWN_BROWSER, "fonts"));
  if (folders.length === 0) return {};
  return { FONTCONFIG_FILE: fontsFile(folders), ...(own && { LD_LIBRARY_PATH: join(OWN_BROWSER, "al2023/lib") }) };
}

function fontsFile(folders: readonly string[]): string {
  const file = join(ROOT, ".cache/fonts.conf");
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${[...new Set(folders)].map((folder) => `  <dir>${folder}</dir>\n`).join("")}  <cachedir>${join(ROOT, ".cache/fontconfig")}</cachedir>
</fontconfig>
`;
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return file;
}
