import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { find, LONGEST_TEXT } from "@zhangfang/domains/find/contract/index.ts";
import "@zhangfang/domains/organisation/web/later.ts";
import "@zhangfang/domains/reconciliation/web/later.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser, type Level } from "@zhangfang/web/api/user.ts";
import { setLevelNames } from "@zhangfang/web/level-names.ts";
import { draw, type as typeInto } from "@zhangfang/web/testing-render.tsx";
import Palette from "./Palette.tsx";

let groups: unknown[];
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T10:00:00+08:00") });
  groups = [];
  startSession("token");
  http = await listen(() => ({ body: { groups, failed: [], recent: [], byAmount: [], kinds: [] } }));
  location.hash = "#/home";
});
afterEach(async () => {
  page.end();
  setLevelNames({});
  vi.useRealTimers();
  await http.close();
});

const field = () => document.querySelector<HTMLInputElement>("dialog input")!;
const options = () => [...document.querySelectorAll<HTMLElement>("[role=option]")];
const words = () => options().map(({ firstElementChild }) => firstElementChild?.textContent);
const settled = () => page.until(() => document.querySelector("dialog")?.getAttribute("aria-busy") === "false");
/** Opens the bar for somebody and types. */
async function bar(level: Level, paths: readonly string[], text: string): Promise<void> {
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level, entityName: "", paths: new Set(paths) });
  page = draw(<Palette routes={new Map()} addressFor={(path) => path} onClose={() => {}} />);
  typeInto(await page.until(field), text);
  await settled();
}
function press(key: string, more: object = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries(more)) Object.defineProperty(event, name, { value });
  field().dispatchEvent(event);
}

test("an act is found and called by the provider's own name of a level", async () => {
  setLevelNames({ agent: "渠道商" });
  await bar("SP", ["/agent/agent/add"], "新建渠道商");
  expect(words()).toEqual(["新建渠道商"]);
  press("Enter");
  await page.until(() => location.hash === "#/agent/agent?panel=add");
});

const RECONCILES = ["/reconciliation/bill"];
test("对账 with a day opens that day; for an area that of its stores, and no span of days", async () => {
  await bar("MCH", RECONCILES, "对账 昨天");
  expect(words()).toEqual(["对账 昨天 2026-11-19"]);
  press("Enter");
  await page.until(() => location.hash === "#/reconciliation/bill?from=2026-11-19&to=2026-11-19");
  page.end();
  await bar("AE", RECONCILES, "对账 昨天");
  press("Enter");
  await page.until(() => location.hash === "#/reconciliation/bill?view=stores&day=2026-11-19");
  page.end();
  await bar("AE", RECONCILES, "对账 上月");
  expect(words()).toEqual([]);
});

test("the line of a day opens what was taken then", async () => {
  const to = "/dataCentre/payOrder?dateOf=paid&from=2026-11-19&to=2026-11-19";
  const line = { title: "昨天 2026-11-19 实收 ¥88.00", hint: "3 笔", to, near: 0, acts: {} };
  groups = [{ kind: "days", title: "收款", items: [line] }];
  await bar("MCH", [], "昨天");
  await page.until(() => options().length > 0);
  expect(words()).toEqual([line.title]);
  options()[0]!.click();
  await page.until(() => location.hash === `#${to}`);
});

test("what an input method composes with opens and moves nothing", async () => {
  await bar("SP", ["/merchants/merchants/add", "/agent/agent/add"], "新建");
  expect(words()).toEqual(["新建商户", "新建代理商"]);
  press("Enter", { isComposing: true });
  press("ArrowDown", { isComposing: true });
  // Safari says of the last key that nothing is composed any more.
  press("Enter", { keyCode: 229 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(location.hash).toBe("#/home");
  press("Enter");
  await page.until(() => location.hash === "#/merchants/merchants?panel=add");
});

test("what is pasted is cut at what the call takes", async () => {
  await bar("SP", [], "");
  expect(field().maxLength).toBe(LONGEST_TEXT);
  expect(find.input.safeParse({ text: "9".repeat(LONGEST_TEXT) }).success).toBe(true);
  expect(find.input.safeParse({ text: "9".repeat(LONGEST_TEXT + 1) }).success).toBe(false);
});
