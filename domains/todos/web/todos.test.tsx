import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setLevelNames } from "@zhangfang/web/level-names.ts";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../orders/web/testing-screen.tsx";
import { FirstSteps } from "./FirstSteps.tsx";
import { TodoCard } from "./TodoCard.tsx";
import { useFirstSteps, useTodos } from "./use-todos.ts";

let answer: (seen: Seen) => { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  answer = () => ({ status: 500, body: { title: "服务暂时不可用" } });
  http = await listen((seen) => answer(seen));
});
afterEach(async () => {
  screen?.close();
  setLevelNames({});
  await http.close();
});
const links = (): string[] => [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");

const todo = (nth: number, count = 1) => ({
  key: `kind-${nth}`,
  urgency: 1 as const,
  words: `${count} 笔第 ${nth} 类等待审批`,
  count,
  more: false,
  act: "去审批",
  to: `/list/${nth}`,
  rows: [{ title: `R-${nth}`, since: "2026-11-20T02:00:00Z", to: `/list/${nth}?id=1` }],
});
const Waiting = () => <TodoCard of={useTodos()} />;

test("each sentence leads to its list, the longest waiting to its own drawer; more than six are folded", async () => {
  answer = () => ({ body: { todos: [todo(1, 3), ...[2, 3, 4, 5, 6, 7, 8].map((nth) => todo(nth))], failed: ["坏掉的"] } });
  screen = draw(<Waiting />);
  await vi.waitFor(() => expect(screen?.text()).toContain("3 笔第 1 类等待审批"));
  expect(links().slice(0, 3)).toEqual(["/list/1", "/list/1?id=1", "/list/2"]);
  expect(screen.text()).toContain("11-20 起");
  expect(screen.text()).toContain("没有查到：坏掉的");
  expect(links()).not.toContain("/list/7");
  button("展开其余 2 类")?.click();
  await vi.waitFor(() => expect(links()).toContain("/list/8"));
});
test("nothing waiting is one line; what could not be asked is said and asked again", async () => {
  screen = draw(<Waiting />);
  await vi.waitFor(() => expect(screen?.text()).toContain("待办没有加载出来"));
  answer = () => ({ body: { todos: [], failed: [] } });
  button("重试")?.click();
  await vi.waitFor(() => expect(screen?.text()).toContain("没有待办"));
});
test("the next step has the button, a done one no link; put away it is kept with the account", async () => {
  let shown = true;
  answer = ({ path, method, body }) => {
    if (path.endsWith("/preferences/first-steps")) {
      expect([method, body]).toEqual(["PUT", { value: "hidden" }]);
      shown = false;
      return { body: { ok: true } };
    }
    const step = (key: string, done: boolean) => ({ key, title: key, why: `${key}的用处`, to: `/${key}`, done });
    return { body: { shown, steps: [step("通道", true), step("门店", false), step("设备", false)] } };
  };
  const Steps = () => <FirstSteps of={useFirstSteps().data} />;
  screen = draw(<Steps />);
  await vi.waitFor(() => expect(screen?.text()).toContain("已完成 1 / 3"));
  expect(links()).toEqual(["/门店", "/门店", "/设备"]);
  button("不再显示")?.click();
  await vi.waitFor(() => expect(screen?.text()).not.toContain("已完成"));
});
test("both cards call the levels as the provider does; what somebody typed stays", async () => {
  setLevelNames({ agent: "渠道商", merchant: "客户" });
  const waits = { ...todo(1), words: "1 份代理商合同等待审核", rows: [{ title: "商户通", since: "2026-11-20T02:00:00Z", to: "/list/1" }] };
  const step = { key: "agent", title: "发展代理商", why: "代理商带来的商户，分润自动结算", to: "/agent", done: false };
  answer = ({ path }) => ({ body: path.includes("first-steps") ? { shown: true, steps: [step] } : { todos: [waits], failed: [] } });
  const Home = () => (
    <>
      <Waiting />
      <FirstSteps of={useFirstSteps().data} />
    </>
  );
  screen = draw(<Home />);
  await vi.waitFor(() => expect(screen?.text()).toContain("1 份渠道商合同等待审核"));
  await vi.waitFor(() => expect(screen?.text()).toContain("发展渠道商"));
  for (const words of ["商户通", "渠道商带来的客户，分润自动结算"]) expect(screen.text()).toContain(words);
});
