import { afterEach, beforeEach, expect, test } from "vitest";
import { startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { AreaList } from "./AreaList.tsx";
import { BindingList } from "./BindingList.tsx";
import { GrantList } from "./GrantList.tsx";

const ID = "01890000-0000-7000-8000-00000000beef";
const AREA = "01890000-0000-7000-8000-00000000aaaa";
const at = "2026-07-01T00:00:00.000Z";
const known: Readonly<Record<string, unknown>> = {
  [`/api/member-cards/areas/${ID}`]: {
    id: ID,
    name: "金卡",
    everywhere: false,
    areaIds: [AREA],
    storeIds: [],
    revision: 1,
    areas: [{ id: AREA, name: "城西", stores: 3 }],
    stores: [],
    narrowed: false,
    may: ["face"],
  },
  [`/api/member-cards/bindings/${ID}`]: {
    id: ID,
    kind: "store",
    target: ID,
    targetName: "锦里店",
    cardId: ID,
    cardName: "金卡",
    cardStatus: 2,
    by: "李四",
    createdAt: at,
  },
  [`/api/member-cards/grants/${ID}`]: {
    id: ID,
    name: "金卡",
    tone: "COLOR010",
    status: 2,
    merchantId: ID,
    merchantName: "蜀味",
    has: ["face", "form"],
    gives: ["face"],
    by: "李四",
    updatedAt: at,
    createdAt: at,
  },
};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  // The page that is shown has not the row that the address names.
  http = await listen(({ path }) => ({ body: known[path] ?? { items: [], next: null, byStatus: {}, byKind: {}, cards: [], devices: [] } }));
  startSession("token");
  setUser({ id: "1", login: "a", name: "a", isRoot: true, roles: [], level: "MCH", entityName: "", paths: new Set() });
});
afterEach(async () => {
  page?.end();
  await http.close();
});

test.each([
  ["区域会员卡", <AreaList key="areas" />, `/memberCard/area?status=3&id=${ID}`, ["金卡", "城西", "卡面"]],
  ["会员卡绑定", <BindingList key="bindings" />, `/memberCard/binding?kind=device&id=${ID}`, ["锦里店", "金卡", "李四"]],
  ["会员卡授权", <GrantList key="grants" />, `/memberCard/setAuth?status=3&id=${ID}`, ["金卡", "蜀味", "门店能改", "卡面"]],
])("%s: a row has an address of its own, whatever the filter", async (_, list, address, told) => {
  location.hash = address;
  page = draw(list);
  const dialog = await page.until(() => document.querySelector("[role=dialog] .pairs")?.closest("[role=dialog]"));
  for (const words of told) expect(dialog.textContent).toContain(words);
});
