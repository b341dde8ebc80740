import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { listPayStatistics } from "../../contract/index.ts";
import { FigureDrawer } from "./FigureDrawer.tsx";

const HERE = "01890000-0000-7000-8000-00000000000a";
const AWAY = "01890000-0000-7000-8000-00000000000b";
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  startSession("token");
  http = await listen(() => ({ body: { items: [], next: null, total: { count: 0, more: false } } }));
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});
function Report() {
  const list = useList(listPayStatistics, { defaults: { from: "2026-11-01", to: "2026-11-20", by: "day" }, byPage: true });
  return (
    <>
      <a href={list.hrefOf(HERE)}>打开</a>
      <FigureDrawer list={list} />
    </>
  );
}

test("an address that opens a row says how long its page was", async () => {
  location.hash = "#/dataCentre/payStatistics?pageSize=50";
  page = draw(<Report />);
  const href = (await page.until(() => page.box.querySelector("a"))).getAttribute("href")!;
  expect(new URLSearchParams(href.split("?")[1]).get("pageSize")).toBe("50");
});
test("a row that is not on the page is said to be missing, once the page is there", async () => {
  location.hash = `#/dataCentre/payStatistics?id=${AWAY}`;
  page = draw(<Report />);
  const shown = await page.until(() => document.querySelector("[role=dialog]"));
  expect(shown.textContent).toContain("这一行不在当前页");
  shown.querySelector<HTMLButtonElement>('button[aria-label="关闭"]')!.click();
  await page.until(() => !document.querySelector("[role=dialog]"));
  expect(location.hash).not.toContain(AWAY);
});
