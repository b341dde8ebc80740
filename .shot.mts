import { chromium } from "/work/wt/members/node_modules/@playwright/test/index.mjs";
import { findBrowser } from "/work/wt/members/tools/find-browser.ts";
const BASE = "http://127.0.0.1:8320";
const [what] = process.argv.slice(2);
const answer = await fetch(`${BASE}/api/authenticateNew?_t=1`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ username: "mch01", password: "Demo#2026", rememberMe: false }) });
const { id_token: token } = await answer.json() as any;
const list = await (await fetch(`${BASE}/api/members?pageSize=20&sort=-spentCents&principalMin=100&_t=1`, { headers: { authorization: `Bearer ${token}` } })).json() as any;
console.log(JSON.stringify(list).slice(0, 600));
const id = list.items?.[0]?.id;
const found: any = (findBrowser as any)();
const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env: { ...process.env, ...found.env } });
const pages: [string, string][] = [["list", "/member/member"], ["detail", `/member/details?id=${id}`], ["points", `/member/details?id=${id}&account=points`], ["add", "/member/member?panel=add:new"], ["empty", "/member/member?keyword=19999999999"]];
for (const [name, path] of pages) {
  if (what && !what.split(",").includes(name)) continue;
  for (const [w, theme] of [[1440, "light"], [1440, "dark"], [390, "light"]] as const) {
    const ctx = await browser.newContext({ viewport: { width: w, height: w === 390 ? 844 : 1000 }, colorScheme: theme, reducedMotion: "reduce", storageState: { cookies: [], origins: [{ origin: BASE, localStorage: [{ name: "zhangfang_token", value: token }] }] } });
    const page = await ctx.newPage();
    page.on("pageerror", (e) => console.log(name, "ERR", String(e)));
    page.on("console", (m) => m.type() === "error" && console.log(name, "CONSOLE", m.text().slice(0, 300)));
    await page.goto(`${BASE}/#${path}`);
    await page.waitForTimeout(4000);
    await page.screenshot({ path: `/tmp/shots/${name}-${w}-${theme}.png`, fullPage: w === 390 });
    console.log(name, w, await page.evaluate(() => document.documentElement.scrollWidth));
    await ctx.close();
  }
}
await browser.close();
