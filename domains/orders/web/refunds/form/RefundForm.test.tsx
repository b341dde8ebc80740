import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { notices } from "@zhangfang/web/notify.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { paidDetails, type SentRefund } from "../../testing-rows.ts";
import { button, draw, type } from "../../testing-screen.tsx";
import { RefundForm } from "./RefundForm.tsx";

let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw>;
let refundId: string | undefined;
let limit_cents = 100_000;

const preview = (amount: number) => ({
  refundType: 2,
  valueCents: amount,
  payerCents: amount,
  feeBackCents: 11,
  merchantPaysCents: amount - 11,
  shares: [],
  sharesBackCents: 0,
  borneCents: 0,
  clawback: [{ name: "锦城商务", cents: 2 }],
  refundableAfterCents: 12900 - amount,
  needsApproval: amount > limit_cents,
  needsPassword: false,
  refusal: null,
});
const sent = () => http.seen.filter(({ method }) => method === "POST").map(({ body }) => body as SentRefund);
const amount = () => document.querySelector<HTMLInputElement>("input.input-money") ?? expect.unreachable("no amount field");
const reason = () => document.querySelector("textarea") ?? expect.unreachable("no reason field");

beforeEach(async () => {
  limit_cents = 100_000;
  refundId = undefined;
  http = await listen(({ method, query }) => ({
    body: method === "POST" ? { refundId: "r1", refundNo: "R1", status: 1 } : preview(Number(query.get("amountCents"))),
  }));
  screen = draw(<RefundForm order={paidDetails} onClose={() => undefined} onDone={(id) => (refundId = id)} />);
  await vi.waitFor(() => amount());
});
afterEach(async () => {
  notices.read().question?.answer(false);
  await vi.waitFor(() => expect(answers().isFetching()).toBe(0));
  screen.close();
  await http.close();
});

test("the whole of what is left stands ready, and the button names it", () => {
  expect(amount().value).toBe("129.00");
  expect(button("确认退款 ¥129.00")).toBeDefined();
});

test("the button and the helper text follow the amount, and the preview says what goes back to whom", async () => {
  type(amount(), "29");
  await vi.waitFor(() => expect(button("确认退款 ¥29.00")).toBeDefined());
  expect(screen.text()).toContain("可退 ¥129.00，退款后剩余 ¥100.00");
  await vi.waitFor(() => expect(document.querySelector(".refund-preview")?.textContent).toContain("¥28.89"));
});

test("more than is left is refused at its field, while it is typed and when it is sent", async () => {
  type(amount(), "129.01");
  await vi.waitFor(() => expect(amount().getAttribute("aria-invalid")).toBe("true"));
  expect(document.querySelector(".field-error")?.textContent).toBe("最多可退 ¥129.00");
  type(reason(), "顾客取消");
  button("确认退款")?.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(amount()));
  expect(notices.read().question).toBeUndefined();
  expect(sent()).toEqual([]);
});

test("a refund without a reason is refused at the reason", async () => {
  button(/^确认退款/)?.click();
  await vi.waitFor(() => expect(reason().getAttribute("aria-invalid")).toBe("true"));
  expect(sent()).toEqual([]);
});

test("pressing twice asks once and sends one refund, with the amount in the question", async () => {
  type(amount(), "29");
  button("顾客取消")?.click();
  await vi.waitFor(() => expect(button("确认退款 ¥29.00")).toBeDefined());
  const press = button("确认退款 ¥29.00");
  press?.click();
  press?.click();
  await vi.waitFor(() => expect(notices.read().question?.ok).toBe("确认退款 ¥29.00"));
  expect(notices.read().question?.text).toContain("P202611200941070000004871");
  notices.read().question?.answer(true);
  await vi.waitFor(() => expect(refundId).toBe("r1"));
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toMatchObject({ orderId: paidDetails.id, amountCents: 2900, reason: "顾客取消" });
});

test("above the limit it says so before anything is sent", async () => {
  limit_cents = 5_000;
  type(amount(), "100");
  await vi.waitFor(() => expect(button("申请退款 ¥100.00")).toBeDefined());
  expect(screen.text()).toContain("提交后等待审批");
});
