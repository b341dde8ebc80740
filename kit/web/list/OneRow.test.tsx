import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { id, line, listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { answers } from "../api/cache.ts";
import { startSession } from "../api/session.ts";
import { listen } from "../api/testing-http.ts";
import { draw } from "../testing-render.tsx";
import { OneRow } from "./OneRow.tsx";
import { useList } from "./use-list.ts";

const row = z.object({ id, name: z.string() });
const listThings = read({
  path: "/api/things",
  title: "东西",
  access: "signed-in",
  input: listInput({ keyword: line(20).optional() }, ["-createdAt"]),
  output: listOutput(row),
});
const getThing = read({ path: "/api/things/:id", title: "东西详情", access: "signed-in", input: z.object({ id }), output: row });

const HERE = "01890000-0000-7000-8000-00000000000a";
const AWAY = "01890000-0000-7000-8000-00000000000b";
const NONE = "01890000-0000-7000-8000-00000000000c";
let items: { id: string; name: string }[];
let away: string | undefined;
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  items = [{ id: HERE, name: "这一页的" }];
  away = "别的页的";
  startSession("token");
  http = await listen(({ path }) => {
    if (path === "/api/things") return { body: { items, next: null, total: { count: items.length, more: false } } };
    const asked = path.slice("/api/things/".length);
    if (asked === NONE || (asked === AWAY && away === undefined))
      return { status: 404, body: { type: "about:blank", title: "东西不存在", status: 404, code: "not-found", traceId: NONE } };
    return { body: { id: asked, name: asked === AWAY ? away : "离开了筛选的" } };
  });
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});

function Things() {
  const list = useList(listThings);
  return (
    <>
      <span className="shown">{list.rows.map(({ name }) => name).join()}</span>
      <button onClick={() => list.refresh()}>刷新</button>
      <button onClick={() => list.open(HERE)}>打开</button>
      <button onClick={() => list.open(AWAY)}>打开别的页的</button>
      <button onClick={list.close}>关闭</button>
      <OneRow list={list} by={getThing} id={list.openId} title="东西" onClose={list.close}>
        {({ name }) => <p role="dialog">{name}</p>}
      </OneRow>
    </>
  );
}
const press = (name: string) => [...page.box.querySelectorAll("button")].find(({ textContent }) => textContent === name)!.click();
const dialog = () => document.querySelector("[role=dialog]")?.textContent ?? "";
const readOne = () => http.seen.filter(({ path }) => path !== "/api/things").map(({ path }) => path);

test("a row of another page is read by its id", async () => {
  location.hash = `#/things?keyword=没有这样的&id=${AWAY}`;
  page = draw(<Things />);
  await page.until(() => dialog() === "别的页的");
  expect(readOne()).toEqual([`/api/things/${AWAY}`]);
});

test("a row that is not there, or is somebody else's, says so in the drawer", async () => {
  location.hash = `#/things?id=${NONE}`;
  page = draw(<Things />);
  await page.until(() => dialog().includes("东西不存在"));
});

test("what is shown is followed without asking, and is read once it has left the filter", async () => {
  location.hash = "#/things";
  page = draw(<Things />);
  await page.until(() => page.box.querySelector(".shown")?.textContent === "这一页的");
  press("打开");
  await page.until(() => dialog() === "这一页的");
  items = [{ id: HERE, name: "改了名的" }];
  press("刷新");
  await page.until(() => dialog() === "改了名的");
  expect(readOne()).toEqual([]);
  items = [];
  press("刷新");
  await page.until(() => dialog() === "离开了筛选的");
  expect(readOne()).toEqual([`/api/things/${HERE}`]);
});

test("opened once more it is as it is now, never as it was read before; one that is gone meanwhile says so", async () => {
  location.hash = `#/things?id=${AWAY}`;
  const drawn: string[] = [];
  page = draw(<Things />);
  await page.until(() => dialog() === "别的页的");
  press("关闭");
  await page.until(() => dialog() === "");
  away = "别人改过的";
  const watch = new MutationObserver(() => drawn.push(dialog()));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  press("打开别的页的");
  await page.until(() => dialog() === "别人改过的");
  watch.disconnect();
  expect(drawn).not.toContain("别的页的");
  away = undefined;
  press("刷新");
  await page.until(() => dialog().includes("东西不存在"));
});
