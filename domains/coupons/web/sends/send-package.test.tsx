import { createElement, Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { notices } from "@zhangfang/web/notify.ts";
import { screens } from "../../../members/web/index.ts";
import { button, draw } from "../../../orders/web/testing-screen.tsx";
import "../index.ts";

const member = (n: number) => ({
  id: `m${n}`,
  memberNo: `900000000${n}`,
  name: "文*",
  phone: "138****0001",
  confirmed: true,
  status: 1,
  stage: 1,
  source: 2,
  level: "",
  points: 0,
  principalCents: 0,
  giftCents: 0,
  spentCents: 0,
  visits: 0,
  lastVisitAt: null,
  tags: [],
  remark: "",
  homeStore: "春熙店",
  createdAt: "2026-11-24T04:00:00.000Z",
});
const sums = { count: 2, spentCents: 0, principalCents: 0, giftCents: 0, points: 0, openings: 0, levels: [], byStatus: {} };
const PACKAGE = { id: "01a1f71e-4ac0-7a7a-a65d-e3a89d3b7320", no: "7000000001", name: "开学券包", worth: "3 张券", left: 9 };

let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw>;
afterEach(async () => {
  await vi.waitFor(() => expect(answers().isFetching()).toBe(0));
  screen.close();
  await http.close();
});

test("a package goes to the members who are ticked in their list, by their numbers and as a sending of its own", async () => {
  http = await listen(({ method, path }) => {
    if (method === "POST") return { body: { ok: true, id: "t1", rows: 2 } };
    if (path.endsWith("/sends/packages")) return { body: { items: [PACKAGE] } };
    if (path.endsWith("/summary")) return { body: sums };
    return { body: { items: [member(1), member(2), member(3)], next: null, total: { count: 3, more: false } } };
  });
  const list = createElement(Suspense, { fallback: null }, createElement(screens["wei-xin-member"]));
  screen = draw(list, ["/member/member", "/ticket/batchSend/package"]);
  const boxes = () => [...document.querySelectorAll<HTMLInputElement>("tbody input[type=checkbox]")];
  await vi.waitFor(() => expect(boxes()).toHaveLength(3), 10_000);
  boxes()[0]!.click();
  boxes()[2]!.click();
  await vi.waitFor(() => expect(button("发券包")).toBeDefined());
  // Points are another's to send.
  expect(button("发送积分")).toBeUndefined();
  button("发券包")!.click();
  await vi.waitFor(() => expect(screen.text()).toContain("发给选中的 2 位会员"), 10_000);
  document.querySelector("[role=dialog] form .ant-select")!.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  const option = () =>
    [...document.querySelectorAll<HTMLElement>(".ant-select-item-option")].find((one) => /开学券包/.test(one.textContent ?? ""));
  await vi.waitFor(() => expect(option()).toBeDefined(), 10_000);
  option()!.click();
  await vi.waitFor(() => expect(screen.text()).toContain("还剩 9 份"));
  button("开始发送")!.click();
  await vi.waitFor(() => expect(notices.read().question?.text).toContain("名单里的会员 2 人每人发一份券包「开学券包」"));
  notices.read().question!.answer(true);
  const posted = () => http.seen.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);
  await vi.waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]).toMatchObject([
    expect.stringContaining("/sends/add-package"),
    { packageId: PACKAGE.id, memberNos: ["9000000001", "9000000003"], name: "选中的 2 位会员" },
  ]);
});
