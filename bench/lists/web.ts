import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "@playwright/test";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { findBrowser } from "../../tools/find-browser.ts";
import { buildWebIfStale } from "../../tools/start.ts";
import { actorOf, SECRET } from "../actors.ts";
import { atMost, median, plain, type Line } from "../figures.ts";
import { sized } from "../small.ts";
import type { World } from "../world.ts";

const PORT = 9192;
const BASE = `http://127.0.0.1:${PORT}`;
const ROUNDS = sized(5, 1);
const KB = 1024;
const LIST = "#/dataCentre/payOrder";
const OTHER = "#/dataCentre/payRefund";
const ROWS = "main tr[data-row]";
const FIGURES = "main .stat .stat-value";
/** 1.6 Mbit/s down, 0.75 up, 150 ms: a slow 4G. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SLOWDOWN = 4;

/** The built pages from the real server in a real browser: cold and slow for what comes over the wire, warm and fast for the rest. */
export async function measure(worlds: readonly World[]): Promise<Line[]> {
  const world = worlds.at(-1)!;
  await buildWebIfStale();
  const product = await startProduct(world);
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args: [...args, "--disable-gpu"],
    env: { ...process.env, ...env } as Record<string, string>,
  });
  try {
    const login = await cold(browser, "#/login", undefined, "form button[type=submit]", 1);
    const list = await cold(browser, LIST, actorOf("merchant").token, ROWS, 10);
    const home = await cold(browser, "#/", actorOf("merchant").token, FIGURES, 3, "near");
    return [
      atMost("login page, cold: JavaScript", login.js_bytes / KB, 75, "KB", 1),
      plain("  everything", `${(login.all_bytes / KB).toFixed(1)} KB`),
      atMost("  shown", login.shown_ms / 1000, 1.5, "s", 2),
      atMost("first list, cold: JavaScript", list.js_bytes / KB, 330, "KB", 1),
      plain("  everything", `${(list.all_bytes / KB).toFixed(1)} KB`),
      atMost("  rows visible", list.shown_ms / 1000, 3.2, "s", 2),
      atMost("home, near: yesterday's takings visible", home.shown_ms / 1000, 3, "s", 2),
      ...(await fast(browser)),
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
}

// As `npm start` runs it, on the world's database and without a demo.
async function startProduct({ connection }: World): Promise<{ stop(): Promise<void> }> {
  const data_dir = mkdtempSync(join(tmpdir(), "zhangfang-bench-data-"));
  const env = {
    ...process.env,
    DATABASE_URL: connectionUrl(connection),
    DATA_DIR: data_dir,
    PORT: String(PORT),
    ZHANGFANG_DEMO: "no",
    ZHANGFANG_SECRET: SECRET,
    WORK_JOBS: "no",
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../apps/server/main.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => chunk.includes("演示数据已就绪") && resolve());
  });
  return {
    async stop() {
      child.kill("SIGTERM");
      await gone;
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

interface Cold {
  readonly shown_ms: number;
  readonly js_bytes: number;
  readonly all_bytes: number;
}
/** Opens an address with an empty cache on a slow machine, `far` over a slow network too, until `count` elements of `selector` are painted; the middle of a few. */
async function cold(
  browser: Browser,
  address: string,
  token: string | undefined,
  selector: string,
  count: number,
  from: "far" | "near" = "far",
): Promise<Cold> {
  const runs: Cold[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openPage(browser, token);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    if (from === "far") await devtools.send("Network.emulateNetworkConditions", NETWORK);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    const urls = new Map<string, string>();
    const bytes = { js: 0, all: 0 };
    devtools.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
    devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      bytes.all += encodedDataLength;
      if (urls.get(requestId)?.endsWith(".js")) bytes.js += encodedDataLength;
    });
    await page.goto(`${BASE}/${address}`, { waitUntil: "commit" });
    const shown_ms = await page.evaluate(painted, { selector, count });
    runs.push({ shown_ms, js_bytes: bytes.js, all_bytes: bytes.all });
    await page.context().close();
  }
  const mid = (key: keyof Cold) => median(runs.map((run) => run[key]));
  return { shown_ms: mid("shown_ms"), js_bytes: mid("js_bytes"), all_bytes: mid("all_bytes") };
}

async function openPage(browser: Browser, token: string | undefined): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "zh-CN", timezoneId: "Asia/Shanghai" });
  const page = await context.newPage();
  if (token) await page.addInitScript((given) => localStorage.setItem("zhangfang_token", given), token);
  return page;
}

/** In the page: the moment, since the navigation began, when so many elements were visible and painted. */
function painted({ selector, count }: { selector: string; count: number }): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const seen = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
      if (seen.length < count) return void requestAnimationFrame(look);
      // The task after the frame: it is on the screen.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });
}

// Warm and at full speed: between two visited lists, and a hundred rows from the answer to the paint.
async function fast(browser: Browser): Promise<Line[]> {
  const page = await openPage(browser, actorOf("merchant").token);
  await page.goto(`${BASE}/${OTHER}`);
  await page.evaluate(painted, { selector: ROWS, count: 10 });
  await page.evaluate((hash) => void (location.hash = hash), `${LIST}?pageSize=100`);
  await page.evaluate(painted, { selector: ROWS, count: 100 });
  const switches: number[] = [];
  for (let round = 0; round < 20; round++) switches.push(await page.evaluate(switchTab, round % 2 === 0 ? OTHER : LIST));
  const renders: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate((hash) => void (location.hash = hash), `${LIST}?pageSize=10&tool=2`);
    await page.waitForFunction(
      (selector) => [...document.querySelectorAll(selector)].filter((row) => row.checkVisibility()).length === 10,
      ROWS,
    );
    renders.push(await page.evaluate(renderRows, { hash: `${LIST}?pageSize=100&minCents=${round}`, selector: ROWS, count: 100 }));
  }
  await page.context().close();
  return [
    atMost("switch between visited tabs, 100 rows in one", median(switches), 50, "ms"),
    atMost("render of 100 rows, answer to paint", median(renders), 150, "ms"),
  ];
}

/** In the page: from the click on a tab to the paint of its page. */
function switchTab(hash: string): Promise<number> {
  return new Promise((resolve) => {
    const link = [...document.querySelectorAll<HTMLAnchorElement>("li[data-key] > a")].find((one) => one.hash.startsWith(hash));
    if (!link) throw new Error(`no tab for ${hash}`);
    const begun_ms = performance.now();
    link.click();
    const look = () => {
      if (link.getAttribute("aria-current") !== "page") return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun_ms)));
    };
    look();
  });
}
/** In the page: from the end of the list's answer to the paint of its rows. */
function renderRows({ hash, selector, count }: { hash: string; selector: string; count: number }): Promise<number> {
  return new Promise((resolve) => {
    let answered_ms = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntriesByType("resource"))
        if (/\/pay-orders\?/.test(entry.name)) answered_ms = (entry as PerformanceResourceTiming).responseEnd;
    }).observe({ type: "resource" });
    location.hash = hash;
    const look = () => {
      if ([...document.querySelectorAll(selector)].filter((row) => row.checkVisibility()).length < count)
        return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => setTimeout(() => resolve(performance.now() - answered_ms), 0)));
    };
    look();
  });
}
