import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, id, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Keyword } from "../filter/Keyword.tsx";
import { startSession } from "../api/session.ts";
import { listen, type Seen } from "../api/testing-http.ts";
import { columnsName, setPreference } from "../look/preferences.ts";
import { type ExportRequest, slots } from "../slots.ts";
import { draw, type } from "../testing-render.tsx";
import { LETTER_KEYS } from "../window/letter-keys.ts";
import { setUser, user } from "../api/user.ts";
import { CardRows } from "./table/CardRows.tsx";
import { columns } from "./table/columns.tsx";
import { ListScreen } from "./ListScreen.tsx";
import { useList } from "./use-list.ts";

const state = labelled({ open: ["营业", "good"], closed: "停用" });
const listStores = read({
  path: "/api/stores",
  title: "门店",
  access: "signed-in",
  input: listInput({ keyword: line(64).optional(), state: oneOf(state).optional() }, ["-opened", "opened"]),
  output: listOutput(z.object({ id, name: z.string(), paid: cents, state: oneOf(state) })),
});
function StoreList() {
  const list = useList(listStores, { defaults: { state: "open" } });
  const c = columns<RowOf<typeof listStores>>();
  return (
    <ListScreen
      title="门店"
      unit="家"
      list={list}
      tabs={{ of: list.field("state"), set: state }}
      filters={<Keyword of={list.field("keyword")} label="名称" />}
      columns={[
        c.link("name", "名称", (row) => list.open(row.id)),
        c.money("paid", "实收（元）", { sort: "opened" }),
        c.code("state", "状态", state),
        c.actions(() => <a href="#/">停用</a>, { of: [["/store/close"]] }),
      ]}
      batch={(selection) => <output>{selection.all ? `all ${selection.count}` : selection.ids.join()}</output>}
      empty={{ text: "还没有门店" }}
      exportSource="stores"
    />
  );
}

const row = (number: number) => ({ id: `s${number}`, name: `门店${number}`, paid: -1_234_500 * number, state: "open" });
let answer: (seen: Seen) => { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  localStorage.clear();
  http = await listen((seen) => answer(seen));
  startSession("token");
  answer = ({ query }) => ({
    body: {
      items: [row(1), row(2)],
      next: query.get("cursor") ? null : "c1",
      ...(query.get("withTotal") && { total: { count: 12, more: false } }),
    },
  });
});
afterEach(async () => {
  page?.end();
  await http.close();
});
const open = (hash: string) => {
  location.hash = hash;
  return (page = draw(<StoreList />));
};
const asked = () =>
  http.seen
    .filter((seen) => seen.path === "/api/stores")
    .map(({ query }) => Object.fromEntries([...query].filter(([name]) => name !== "_t")));
const press = (text: string) => [...document.querySelectorAll("button")].find((button) => button.textContent === text)?.click();

test("the same address asks the same question, in another tab too", async () => {
  const { until, box } = open("#/store?keyword=虹桥&pageSize=50&sort=-opened&after=c1&page=2");
  await until(() => box.querySelector("tbody tr"));
  expect(asked()[0]).toMatchObject({ keyword: "虹桥", state: "open", pageSize: "50", sort: "-opened", cursor: "c1", withTotal: "true" });
  expect(box.textContent).toContain("共 12 家");
});
test("money stands with two decimals, thousands and a true minus, on the right", async () => {
  const { until, box } = open("#/store");
  const cell = await until(() => box.querySelector("tbody .cell-money"));
  expect(cell.textContent).toBe("−12,345.00");
  expect(cell.className).toContain("at-right");
  expect(cell.querySelector(".money-out")).not.toBeNull();
});
test("whoever may do nothing with a row has no column for it", async () => {
  const first = open("#/store");
  await first.until(() => first.box.querySelector("tbody tr"));
  expect(first.box.textContent).not.toContain("操作");
  first.end();
  setUser({ ...user(), paths: new Set(["/store/close"]) });
  const second = open("#/store");
  await second.until(() => second.box.querySelector("tbody tr .row-actions"));
  expect(second.box.textContent).toContain("操作");
  setUser(undefined);
});
test("an export asks for the columns that are seen, in their order; in a view for the view's", async () => {
  const requests: ExportRequest[] = [];
  slots.exportDialog = ({ request }) => {
    requests.push(request);
    return null;
  };
  const kept = { id: "v1", path: "/store", list: "/api/stores", name: "对账用", filters: {}, days: null, sort: null };
  slots.views = { path: "/api/views", load: async () => [{ ...kept, columns: { order: ["state", "name", "paid"] } }], Panel: () => null };
  const exported = async (hash: string) => {
    const { until, box, end } = open(hash);
    await until(
      () => box.querySelector("tbody tr") && (!hash.includes("saved") || box.querySelector("thead")?.textContent?.includes("状态名称")),
    );
    press("导出");
    const { source, columns } = await until(() => requests.pop());
    end();
    return [source, ...columns];
  };
  try {
    expect(await exported("#/store")).toEqual(["stores", "name", "paid", "state"]);
    setPreference(columnsName("/api/stores"), { order: ["paid", "name"], shown: { state: false } });
    expect(await exported("#/store")).toEqual(["stores", "paid", "name"]);
    expect(await exported("#/store?saved=v1")).toEqual(["stores", "state", "name", "paid"]);
  } finally {
    setPreference(columnsName("/api/stores"), undefined);
    delete slots.exportDialog;
    delete slots.views;
  }
});
test("the total is asked once for a filter, not for each page", async () => {
  const { until, box } = open("#/store");
  await until(() => box.querySelector("tbody tr"));
  press("下一页");
  await until(() => asked().length === 2);
  expect(asked().map((query) => query.withTotal)).toEqual(["true", undefined]);
  expect(location.hash).toContain("after=c1");
});
test("a page is jumped to by its number, as far as there are pages", async () => {
  answer = ({ query }) => ({
    body: { items: [row(1)], next: "c", ...(query.get("withTotal") && { total: { count: 95, more: false } }) },
  });
  const { until, box } = open("#/store?keyword=x");
  const jump = async (to: string) => {
    const field = await until(() => box.querySelector<HTMLInputElement>(".pager-jump input"));
    type(field, to);
    field.form!.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  };
  await jump("7");
  await until(() => asked().at(-1)?.cursor === ".60");
  expect(location.hash).toContain("page=7");
  await jump("1000");
  await until(() => asked().at(-1)?.cursor === ".90");
  press("上一页");
  await until(() => asked().at(-1)?.cursor === ".80");
});
test("a row is opened apart by Ctrl, on what it is called too, and the list stays as it is", async () => {
  const { until, box } = open("#/store?keyword=x&panel=edit:1");
  const first = await until(() => box.querySelector("tbody tr"));
  const opened: unknown[][] = [];
  const { open: real } = window;
  window.open = (...given: unknown[]) => (opened.push(given), null);
  for (const target of [first.querySelector(".cell-money")!, first.querySelector(".cell-link button.link")!])
    target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true }));
  first.querySelector("input")!.dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
  window.open = real;
  expect(opened).toEqual(Array.from({ length: 2 }, () => ["#/store?keyword=x&id=s1", "_blank", "noopener"]));
  expect(location.hash).toBe("#/store?keyword=x&panel=edit:1");
});
test("single letters walk the rows, unless the account has them off", async () => {
  const { until, box } = open("#/store");
  const first = await until(() => box.querySelector<HTMLElement>("tbody tr"));
  const key = (name: string) =>
    document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  key("j");
  expect(document.activeElement).toBe(first);
  key("x");
  await until(() => box.querySelector("output")?.textContent === "s1");
  setPreference(LETTER_KEYS, false);
  key("x");
  key("j");
  expect([document.activeElement, box.querySelector("output")?.textContent]).toEqual([first, "s1"]);
  setPreference(LETTER_KEYS, undefined);
});
test("the view that an address names is no filter", async () => {
  const { until, box } = open("#/store?keyword=x&saved=v1");
  await until(() => box.querySelector("tbody tr"));
  expect(asked()[0]).not.toHaveProperty("saved");
});
test("the page size is remembered under inner_page_size, and only an allowed one counts", async () => {
  localStorage.setItem("inner_page_size", "25");
  const first = open("#/store");
  await first.until(() => first.box.querySelector("tbody tr"));
  expect(asked()[0]?.pageSize).toBe("10");
  first.end();
  localStorage.setItem("inner_page_size", "30");
  startSession("token-2");
  const second = open("#/store");
  await second.until(() => asked().length > 1);
  expect(asked().at(-1)?.pageSize).toBe("30");
});
test("ticks can mean every row of the filter", async () => {
  const { until, box } = open("#/store");
  await until(() => box.querySelector("tbody tr"));
  box.querySelector<HTMLInputElement>("tbody input[type=checkbox]")!.click();
  await until(() => box.querySelector("output")?.textContent === "s1");
  press("选择全部 12 家筛选结果");
  await until(() => box.querySelector("output")?.textContent === "all 12");
  const boxes = () => [...box.querySelectorAll<HTMLInputElement>("tbody input[type=checkbox]")];
  expect(boxes().map(({ checked }) => checked)).toEqual([true, true]);
  boxes()[0]?.click();
  await until(() => box.querySelector("output")?.textContent === "s2");
});
test("a card says under a value what the table says under it", async () => {
  const c = columns<ReturnType<typeof row>>();
  page = draw(
    <CardRows
      label="门店"
      rows={[row(1)]}
      columns={[c.text("name", "名称", { note: () => "总店" }), c.text("place", "地址", () => "成都", { note: () => "锦江区" })]}
      rowKey={({ id }) => id}
    />,
  );
  const { until, box } = page;
  await until(() => box.querySelector("dd"));
  expect(box.querySelector("dd")?.textContent).toBe("成都锦江区");
  expect(box.textContent).toContain("总店");
});
test("nothing matched: it says so and offers to clear the filter", async () => {
  answer = () => ({ body: { items: [], next: null, total: { count: 0, more: false } } });
  const { until, box } = open("#/store?keyword=x");
  await until(() => box.querySelector(".empty"));
  expect(box.querySelector(".empty")?.textContent).toContain("没有符合筛选条件的数据");
});
test("no right to see: it says whom to ask", async () => {
  answer = () => ({ status: 403, body: { title: "无权访问" } });
  const { until, box } = open("#/store");
  await until(() => box.querySelector(".empty"));
  expect(box.querySelector(".empty")?.textContent).toContain("没有权限");
});
test("a failure shows its cause and its trace, and asks again when pressed", async () => {
  answer = () => ({ status: 500, body: { title: "数据库繁忙", traceId: "a1b2" } });
  const { until, box } = open("#/store");
  await until(() => box.querySelector(".empty"));
  expect(box.querySelector(".empty")?.textContent).toMatch(/数据库繁忙.*a1b2/);
  answer = () => ({ body: { items: [row(1)], next: null } });
  press("重试");
  await until(() => box.querySelector("tbody tr"));
});

test("a hundred rows of nine columns are few elements; walking them and answers without news draw nothing", async () => {
  let drawn = 0;
  function Wide() {
    const list = useList(listStores, { live_ms: 50 });
    const c = columns<RowOf<typeof listStores>>();
    const nth = (at: number) => c.text(`c${at}`, `第${at}列`, (one) => `${one.name} ${at}`);
    const counted = c.text("counted", "数", (one) => (drawn++, one.name));
    const link = c.link("name", "名称", (one) => list.open(one.id));
    const all = [link, c.money("paid", "实收（元）"), c.code("state", "状态", state), counted, ...[1, 2, 3, 4, 5].map(nth)];
    return <ListScreen title="门店" unit="家" list={list} columns={all} empty={{ text: "还没有门店" }} />;
  }
  const items = Array.from({ length: 100 }, (_none, at) => row(at));
  answer = () => ({ body: { items, next: null, total: { count: 100, more: false } } });
  location.hash = "#/store?pageSize=100";
  page = draw(<Wide />);
  const { until, box } = page;
  await until(() => box.querySelectorAll("tbody tr").length === 100);
  expect(box.querySelectorAll("tbody *").length).toBeLessThanOrEqual(100 * (1 + 9 * 2 + 8));
  // With the rows, with what the frame knows of them, and with the first answer of those that follow: on a slow machine late.
  let before;
  do {
    before = drawn;
    const polled = asked().length + 4;
    await until(() => asked().length >= polled);
    expect(drawn).toBeLessThanOrEqual(300);
  } while (drawn !== before);
  box.querySelector<HTMLElement>("tbody tr")!.focus();
  for (let pressed = 0; pressed < 20; pressed++)
    document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true, cancelable: true }));
  expect((document.activeElement as HTMLElement).dataset["row"]).toBe("20");
  const walked = asked().length;
  await until(() => asked().length >= walked + 3);
  expect(drawn).toBe(before);
});
