import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../../orders/web/testing-screen.tsx";
import { figuresOf, newMerchant, todayOf } from "../testing-answers.ts";
import { SpanFigures } from "./Figures.tsx";
import { Overview } from "./Overview.tsx";
import { PrepaidFigures } from "./Prepaid.tsx";
import { TodayStrip } from "./TodayStrip.tsx";

type Answer = { status?: number; body?: unknown };
let answer: (seen: Seen) => Answer | Promise<Answer>;
/** Until it is over, nobody says what waits. */
let waits: Promise<void> | undefined;
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
/** What is asked beside the figures: nothing waits, nothing is left to set up. */
const BESIDE: Readonly<Record<string, Answer>> = {
  "/api/todos": { body: { todos: [], failed: [] } },
  "/api/first-steps": { body: { shown: false, steps: [] } },
};
beforeEach(async () => {
  answer = () => ({ status: 500, body: { title: "服务暂时不可用", traceId: "4bf92f35" } });
  waits = undefined;
  http = await listen(async (seen) => {
    if (seen.path === "/api/todos") await waits;
    return BESIDE[seen.path] ?? answer(seen);
  });
});
afterEach(async () => {
  screen?.close();
  await http.close();
});
const shown = {
  ...newMerchant({}),
  range: "yesterday",
  compare: "week",
  today: "2026-11-20",
  current: figuresOf(56, 507_510),
  previous: figuresOf(50, 538_760),
  weekAgo: figuresOf(0, 0),
} as const;
const links = (): string[] => [...document.querySelectorAll("a")].map((link) => link.getAttribute("href") ?? "");

test("a figure leads to exactly its orders, for whoever may open them", async () => {
  screen = draw(<SpanFigures shown={shown} />, ["/dataCentre/payOrder"]);
  await vi.waitFor(() => expect(screen?.text()).toContain("5,075.10"));
  expect(links()).toEqual(Array.from({ length: 3 }, () => "/dataCentre/payOrder?dateOf=paid&from=2026-11-19&to=2026-11-19"));
  expect(screen.text()).toContain("↓ 5.8% 较前一日");
  expect(screen.text()).toContain("— 较上周同日");
});
test("without the list a figure is a figure, with its definition", async () => {
  screen = draw(<SpanFigures shown={shown} />);
  await vi.waitFor(() => expect(screen?.text()).toContain("5,075.10"));
  expect(links()).toEqual([]);
  expect(document.querySelector("[aria-label='实收金额（元）的口径']")?.getAttribute("aria-describedby")).toBeTruthy();
  expect(screen.text()).toContain("顾客实际支付合计");
});
test("members and stored value stand apart from money, and open their rows; who has none sees no card", async () => {
  const drill = (path: string) => ({ path, query: { from: "2026-11-19", to: "2026-11-19" } });
  const prepaid: NonNullable<Parameters<typeof PrepaidFigures>[0]["of"]> = {
    span: shown.span,
    turnoverCents: 13_000 as Cents,
    rechargeCents: 150_000 as Cents,
    rechargeBackCents: 50_000 as Cents,
    cardCents: 0 as Cents,
    cardBackCents: 0 as Cents,
    consumedCents: 10_000 as Cents,
    timesCents: 0 as Cents,
    balanceCents: 90_000 as Cents,
    membersNew: 2,
    membersActive: 1,
    drill: {
      recharge: drill("/dataCentre/payOrder"),
      consumed: drill("/dataCentre/cardConsumption"),
      balance: drill("/dataCentre/cardSummary"),
      joined: drill("/member/member"),
      active: drill("/member/member"),
    },
  };
  screen = draw(<PrepaidFigures of={prepaid} />, ["/dataCentre/payOrder", "/member/member"]);
  await vi.waitFor(() => expect(screen?.text()).toContain("营业额（元）"));
  for (const words of ["130.00", "1,500.00", "已退 500.00", "100.00", "900.00", "新增 2 位"]) expect(screen.text()).toContain(words);
  expect(screen.text()).not.toContain("售卡实收");
  const day = "?from=2026-11-19&to=2026-11-19";
  expect(links()).toEqual([`/dataCentre/payOrder${day}`, `/member/member${day}`, `/member/member${day}`]);
  screen.close();
  const none = Object.fromEntries(Object.entries(prepaid).map(([key, value]) => [key, typeof value === "number" ? 0 : value]));
  screen = draw(
    <>
      <p>概览</p>
      <PrepaidFigures of={{ ...prepaid, ...none, turnoverCents: 88_800 as Cents }} />
    </>,
  );
  await vi.waitFor(() => expect(screen?.text()).toBe("概览"));
});
test("the overview waits for the members' card, which would push it down", async () => {
  let prepaidCame = (): void => {};
  const later = new Promise<void>((resolve) => (prepaidCame = resolve));
  answer = async ({ path }) => {
    if (path.endsWith("/today")) return { body: todayOf(1, 100) };
    if (path.endsWith("/prepaid")) await later;
    return path.endsWith("/prepaid") ? { status: 503, body: { title: "暂时不可用" } } : { body: shown };
  };
  screen = draw(<Overview />);
  await vi.waitFor(() => expect(http.seen.some(({ path }) => path.endsWith("/overview"))).toBe(true));
  expect(screen.text()).not.toContain("门店排行");
  prepaidCame();
  // Yesterday's takings stand there without a press: nothing but single days was asked for.
  await vi.waitFor(
    () => {
      expect(screen?.text()).toContain("排行");
      expect([document.querySelector("h1")?.textContent, screen?.text().includes("5,075.10")]).toEqual(["昨日经营", true]);
    },
    { timeout: 20_000 },
  );
  const spans = http.seen.filter(({ path }) => path.endsWith("/overview")).map(({ query }) => [query.get("from"), query.get("to")]);
  expect(spans.filter(([from, to]) => from !== to)).toEqual([]);
});
test("figures do not wait for a count that is slow; it comes by itself", async () => {
  let counted = (): void => {};
  waits = new Promise<void>((resolve) => (counted = resolve));
  answer = ({ path }) => ({ body: path.endsWith("/today") ? todayOf(1, 12_345) : path.endsWith("/prepaid") ? {} : newMerchant({}) });
  screen = draw(<Overview />);
  await vi.waitFor(() => expect(screen?.text()).toContain("123.45"), { timeout: 10_000 });
  expect(screen.text()).toContain("正在统计待办…");
  expect(screen.text()).not.toContain("没有待办");
  counted();
  await vi.waitFor(() => expect(screen?.text()).toContain("没有待办"), { timeout: 10_000 });
});
test("a payment shows by itself, is announced, and a lost answer is said and asked again", async () => {
  let paid = 1;
  answer = () => (paid === 0 ? { status: 503, body: { title: "暂时不可用" } } : { body: todayOf(paid, paid * 12_345) });
  screen = draw(<TodayStrip />);
  await vi.waitFor(() => expect(screen?.text()).toContain("123.45"));
  await vi.waitFor(() => expect(document.querySelector("[aria-live]")?.textContent).toBe("今日实收 123.45 元，1 笔"));
  paid = 2;
  await vi.waitFor(() => expect(screen?.text()).toContain("246.90"), { timeout: 10_000 });
  paid = 0;
  await vi.waitFor(() => expect(screen?.text()).toContain("重新连接中"), { timeout: 10_000 });
  expect(screen.text()).toContain("246.90");
  paid = 3;
  await vi.waitFor(() => expect(screen?.text()).toContain("370.35"), { timeout: 20_000 });
  expect(screen.text()).toContain("实时");
});
test("a new merchant is told that nothing was paid and where to begin", async () => {
  answer = ({ path, query }) => ({
    body: path.endsWith("/today") ? todayOf(0, 0) : newMerchant({ from: query.get("from") ?? "", to: query.get("to") ?? "" }),
  });
  screen = draw(<Overview />, ["/store/store"]);
  await vi.waitFor(() => expect(screen?.text()).toContain("还没有收款"));
  expect(links()).toContain("/store/store");
  // Yesterday is what is asked first, whole and on its own.
  expect(http.seen.some(({ path, query }) => path.endsWith("/overview") && query.get("from") === query.get("to"))).toBe(true);
});
test("a failure says its cause and is tried again at a press", async () => {
  screen = draw(<Overview />);
  await vi.waitFor(() => expect(screen?.text()).toContain("服务暂时不可用"));
  expect(screen.text()).toContain("4bf92f35");
  answer = ({ path }) => ({ body: path.endsWith("/today") ? todayOf(0, 0) : newMerchant({}) });
  button("重试")?.click();
  await vi.waitFor(() => expect(screen?.text()).toContain("还没有收款"));
});
