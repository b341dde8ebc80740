// npm run pictures: draws the pictures of docs/guides from the running product. 用法：npm run pictures [-- name ...]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { addDays, shanghaiDay } from "../../kit/contract/time.ts";
import { cleanPicture } from "../../kit/server/files/clean-picture.ts";
import { findBrowser } from "../find-browser.ts";
import { ROOT } from "../run.ts";
import { buildWebIfStale } from "../start.ts";
import { startDemo } from "./start-demo.ts";
import { GUIDE_PICTURES, type GuidePicture } from "./table.ts";

const PORT = Number(process.env["PICTURES_PORT"] ?? 9510);
const BASE_URL = `http://127.0.0.1:${PORT}`;
const PASSWORD = "Demo#2026";
const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
const MOST_BYTES = 120 * 1024;

/** The token of a demo account. */
async function tokenOf(login: string): Promise<string> {
  const answer = await fetch(`${BASE_URL}/api/authenticateNew?_t=1`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: login, password: PASSWORD, rememberMe: false }),
  });
  const { id_token } = (await answer.json()) as { id_token?: string };
  if (id_token === undefined) throw new Error(`${login} can't sign in: ${answer.status}`);
  return id_token;
}

/** Opens one address in a browser of its own and keeps what is seen as WebP. */
async function draw(browser: Browser, { file, login, address, size }: GuidePicture): Promise<number> {
  const storageState = login && {
    cookies: [],
    origins: [{ origin: BASE_URL, localStorage: [{ name: "zhangfang_token", value: await tokenOf(login) }] }],
  };
  const context = await browser.newContext({
    viewport: SIZES[size],
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    colorScheme: "light",
    reducedMotion: "reduce",
    ...(storageState && { storageState }),
  });
  try {
    const page = await context.newPage();
    await page.goto(BASE_URL + address.replace("{yesterday}", addDays(shanghaiDay(Date.now()), -1)));
    await page.getByRole("main").first().waitFor();
    // Whatever waits for an answer shows a skeleton or says that it is busy.
    await page.locator(".skeleton:visible, [aria-busy=true]:visible").first().waitFor({ state: "detached", timeout: 60_000 });
    await page.waitForTimeout(1_500);
    const limits = { side: 4_096, pixels: 8_000_000 };
    const picture = await cleanPicture(await page.screenshot({ animations: "disabled" }), limits);
    if (picture === undefined || picture === "large") throw new Error(`${file} can't be drawn`);
    if (picture.bytes.length > MOST_BYTES) throw new Error(`${file} has ${picture.bytes.length} bytes, more than ${MOST_BYTES}`);
    writeFileSync(join(ROOT, "docs/images/guides", `${file}.webp`), picture.bytes);
    return picture.bytes.length;
  } finally {
    await context.close();
  }
}

const names = process.argv.slice(2);
const wanted = GUIDE_PICTURES.filter(({ file }) => names.length === 0 || names.includes(file));
if (wanted.length === 0) throw new Error(`no picture is called ${names.join(", ")}; tools/guides/table.ts has the names`);
await buildWebIfStale();
const { stop } = await startDemo(PORT);
try {
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({
    executablePath,
    args: [...args, "--disable-gpu"],
    env: { ...process.env, ...env } as Record<string, string>,
  });
  mkdirSync(join(ROOT, "docs/images/guides"), { recursive: true });
  try {
    for (const one of wanted) process.stdout.write(`${one.file} ${await draw(browser, one)}\n`);
  } finally {
    await browser.close();
  }
} finally {
  await stop();
}
