import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { read, viewsOf } from "@zhangfang/contract/endpoint.ts";
import { id, line, listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { startSession } from "../../api/session.ts";
import { listen } from "../../api/testing-http.ts";
import { setPreference } from "../../look/preferences.ts";
import { registerViews } from "../../slots.ts";
import { draw } from "../../testing-render.tsx";
import { useList } from "../use-list.ts";
import { useDefaultView, useView } from "./use-view.ts";

const listGoods = read({
  path: "/api/goods",
  title: "商品",
  access: "signed-in",
  input: listInput({ platform: line(8).optional(), state: line(8).optional() }, ["-name"]),
  output: listOutput(z.object({ id, name: z.string() })),
});
const listShops: typeof listGoods = { ...listGoods, path: "/api/shops" };
const said = { filters: { state: "on", platform: "dy" }, days: null, sort: "-name", columns: null } as const;
const saved = { id: "v1", path: "/dy", list: "/api/goods", name: "在售", ...said };
const ofGoods = { filters: said.filters, days: null, sort: said.sort, id: "v1" };

const brought = viewsOf(listGoods, { off: ["已下架", { state: "off", platform: "dy" }, null, "-name"] });

/** One list as a screen has it, with buttons for what its views do. */
function Goods({ of }: { of: typeof listGoods }) {
  const list = useList(of, { defaults: { platform: platformHere() }, views: brought });
  const [, choose] = useDefaultView(list);
  return (
    <>
      <output>{useView(list)?.name ?? "none"}</output>
      <button onClick={() => choose(ofGoods)}>默认</button>
      <button onClick={() => choose(undefined)}>取消</button>
      <button onClick={() => list.showView(ofGoods)}>打开</button>
      <button onClick={() => list.showView(undefined)}>不用</button>
      <button onClick={() => list.showView(brought[0])}>系统</button>
      <i>{JSON.stringify(list.filters)}</i>
    </>
  );
}
const platformHere = (): string => (location.hash.startsWith("#/ks") ? "ks" : "dy");

let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  localStorage.clear();
  http = await listen(() => ({ body: { items: [], next: null } }));
  startSession(crypto.randomUUID());
  registerViews({ path: "/api/views", load: async () => [saved], Panel: () => null });
});
afterEach(async () => {
  page?.end();
  await http.close();
});
const open = (hash: string, of = listGoods) => {
  page?.end();
  location.hash = hash;
  return (page = draw(<Goods of={of} />));
};
const press = (text: string) => [...document.querySelectorAll("button")].find((button) => button.textContent === text)?.click();
const shown = () => document.querySelector("output")?.textContent;
const query = () => Object.fromEntries(new URLSearchParams(location.hash.split("?")[1]));
/** Opens a list and waits until it has asked for its rows: by then what it begins with is in its address. */
const opened = async (hash: string, of = listGoods) => {
  const asked = http.seen.length;
  await open(hash, of).until(() => http.seen.length > asked);
};

test("what a screen begins with is its own: another screen with the same list, and another list of it, begin as they are", async () => {
  const { until } = open("#/dy");
  press("默认");
  open("#/dy");
  await until(() => query()["saved"] === "v1");
  expect(query()).toEqual({ state: "on", sort: "-name", saved: "v1" });
  for (const [hash, of] of [["#/ks", listGoods] as const, ["#/dy", listShops] as const]) {
    await opened(hash, of);
    expect(location.hash).toBe(hash);
  }
  await opened("#/dy?state=off");
  expect(query()).toEqual({ state: "off" });
  press("取消");
  // Somebody who signs in again has nothing of what was answered before.
  startSession(crypto.randomUUID());
  await opened("#/dy");
  expect(query()).toEqual({});
});
test("a screen begins with a view in the view's own tab; another tab is not left for it", async () => {
  setPreference("view:dy", { [listGoods.path]: { ...ofGoods, filters: { view: "moves" } } });
  await opened("#/dy?view=stores");
  expect(query()).toEqual({ view: "stores" });
  await open("#/dy?view=moves").until(() => query()["saved"] === "v1");
  expect(query()["view"]).toBe("moves");
});
test("a view that an address names is that of this screen and of this list, or none", async () => {
  const { until } = open("#/dy?saved=v1");
  await until(() => shown() === "在售");
  open("#/ks?saved=v1");
  expect(shown()).toBe("none");
  open("#/dy?saved=v1", listShops);
  expect(shown()).toBe("none");
});
test("a view is opened and left in the tab that its list is in", async () => {
  const { until } = open("#/dy?view=goods&show=list&state=off&after=c1&page=2");
  press("打开");
  await until(() => query()["saved"] === "v1");
  expect(query()).toEqual({ view: "goods", show: "list", state: "on", sort: "-name", saved: "v1" });
  press("不用");
  await until(() => query()["saved"] === undefined);
  expect(query()).toEqual({ view: "goods", show: "list" });
});

test("a view that the product brings is in the address under its own name, and the address opens it again", async () => {
  open("#/dy");
  press("系统");
  await page!.until(() => shown() === "已下架");
  expect(query()).toEqual({ state: "off", sort: "-name", saved: "off" });
  open(location.hash);
  await page!.until(() => shown() === "已下架");
  expect(document.querySelector("i")?.textContent).toBe('{"platform":"dy","state":"off"}');
});
