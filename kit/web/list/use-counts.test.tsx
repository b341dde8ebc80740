import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { id, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { answers } from "../api/cache.ts";
import { startSession } from "../api/session.ts";
import { listen } from "../api/testing-http.ts";
import { draw } from "../testing-render.tsx";
import { StatusTabs } from "./StatusTabs.tsx";
import { useCounts, useList } from "./use-list.ts";

const state = labelled({ draft: "草稿", sent: "已发送" });
const listThings = read({
  path: "/api/things",
  title: "东西",
  access: "signed-in",
  input: listInput({ keyword: line(20).optional(), state: oneOf(state).optional() }, ["-createdAt"]),
  output: listOutput(z.object({ id, state: oneOf(state) })),
});
const has: Record<string, number> = {};
let http: Awaited<ReturnType<typeof listen>>;
let page: ReturnType<typeof draw>;
beforeEach(async () => {
  Object.assign(has, { draft: 3, sent: 1_284 });
  startSession("token");
  http = await listen(({ query }) => {
    const of = query.get("state");
    const count = of === null ? 1_287 : (has[of] ?? 0);
    return { body: { items: [], next: null, total: { count, more: false } } };
  });
});
afterEach(async () => {
  page.end();
  answers().clear();
  await http.close();
});

function Tabs() {
  const list = useList(listThings);
  const counts = useCounts(list, "state", state);
  return (
    <>
      <StatusTabs of={list.field("state")} set={state} counts={counts} counted={counts === undefined} />
      <button onClick={() => list.refresh()}>刷新</button>
    </>
  );
}
const tabs = () => [...page.box.querySelectorAll(".status-tabs button")].map(({ textContent }) => textContent).join(" ");

test("each tab has how many rows it would show under the other filters, whichever is chosen; a refresh counts again", async () => {
  location.hash = "#/things?state=draft&keyword=甲";
  page = draw(<Tabs />);
  await page.until(() => tabs() === "全部 草稿3 已发送1,284");
  const asked = http.seen.filter(({ query }) => query.get("withTotal") === "true" && query.get("pageSize") === "10");
  expect(asked.map(({ query }) => query.get("keyword"))).toEqual(asked.map(() => "甲"));
  expect(new Set(asked.map(({ query }) => query.get("state")))).toEqual(new Set(["draft", "sent"]));
  has["draft"] = 2;
  [...page.box.querySelectorAll("button")].find(({ textContent }) => textContent === "刷新")!.click();
  await page.until(() => tabs() === "全部 草稿2 已发送1,284");
});
