import { afterEach, beforeEach, expect, test } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { AbnormalStores } from "./AbnormalStores.tsx";

const OLDEST = "01890000-0000-7000-8000-00000000000a";
const NEWER = "01890000-0000-7000-8000-00000000000b";
const found = (id: string, storeName: string) => ({
  id,
  storeId: id,
  storeName,
  merchantName: "蜀味川菜",
  serviceProviderName: "禾木",
  salesmanName: null,
  reason: 4,
  facts: { days: null, lastDay: null, weekCents: null, meanCents: null, refunds: null, orders: null, offline: 2, devices: 3 },
  since: "2026-11-13",
  status: 0,
  foundAt: "2026-11-13T00:00:00Z",
  handledAt: null,
  handledBy: null,
  note: null,
});
let oldest: object;
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  oldest = found(OLDEST, "虹桥店");
  startSession("token");
  const paths = new Set(["/store/abnormal", "/store/abnormal/handle"]);
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "SP", entityName: "", paths });
  http = await listen(({ path }) => {
    if (path === "/api/statistics/abnormal-stores")
      return { body: { items: [found(NEWER, "静安店")], next: "more", total: { count: 11, more: false } } };
    if (path === `/api/statistics/abnormal-stores/${OLDEST}`) return { body: oldest };
    return { body: { perStatus: [] } };
  });
  location.hash = `#/store/abnormal?status=0&panel=handle:${OLDEST}`;
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});
const drawer = () => page.until(() => [...document.querySelectorAll("[role=dialog]")].find((one) => one.textContent?.includes("虹桥店")));

test("what a to-do opens from another page says which store it is and what was found", async () => {
  page = draw(<AbnormalStores />);
  const shown = await drawer();
  expect(shown.querySelector("h2")?.textContent).toBe("处理异常 虹桥店");
  for (const words of ["蜀味川菜", "设备离线", "3 台设备中 2 台离线"]) expect(shown.textContent).toContain(words);
  expect(shown.querySelector("textarea")).not.toBeNull();
});
test("one that somebody has handled meanwhile says so, and asks for nothing", async () => {
  oldest = { ...found(OLDEST, "虹桥店"), status: 1, handledBy: "小周", note: "装修" };
  page = draw(<AbnormalStores />);
  const shown = await drawer();
  expect(shown.textContent).toContain("装修（小周）");
  expect(shown.querySelector("textarea")).toBeNull();
});
