import { afterEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw, type } from "../testing-screen.tsx";
import { RetryRefund } from "./RetryRefund.tsx";
import type { Refund } from "./refund-words.ts";

const id = "00000000-0000-4000-8000-000000000001";
const failed = {
  id,
  refundNo: "R1",
  orderNo: "P1",
  amountCents: 900,
  tool: 2,
  status: 3,
  failure: "通道已关闭退款",
  retryable: true,
} as Refund;
const preview = { payerCents: 900, feeBackCents: 3, merchantPaysCents: 897, shares: [], sharesBackCents: 0, clawback: [], borneCents: 0 };
const until = (look: () => void) => vi.waitFor(look, 10_000);
let end: () => Promise<void>;
afterEach(() => end());

/** The form of a refund that is sent again, as it opens. */
async function open(needsPassword: boolean) {
  const http = await listen(({ method }) => ({
    body: method === "POST" ? { refundId: id, refundNo: "R1", status: 1 } : { ...preview, needsPassword, refusal: null },
  }));
  const screen = draw(<RetryRefund refund={failed} tone="primary" />, ["/dataCentre/payRefund/retry"]);
  end = async () => {
    await until(() => expect(answers().isFetching()).toBe(0));
    screen.close();
    await http.close();
  };
  await until(() => expect(button("重试")).toBeDefined());
  button("重试")!.click();
  await until(() => expect(screen.text()).toContain("¥8.97"));
  return { sent: () => http.seen.filter(({ method }) => method === "POST").map(({ body }) => body) };
}

test("where the merchant has a refund password it is asked for, and goes along", async () => {
  const { sent } = await open(true);
  type(document.querySelector<HTMLInputElement>("input[type=password]") ?? expect.unreachable("no password field"), "135790");
  await until(() => expect(document.querySelector<HTMLInputElement>("input[type=password]")?.value).toBe("135790"));
  button("重新退款 ¥9.00")!.click();
  await until(() => expect(sent()).toMatchObject([{ id, refundPassword: "135790" }]));
});

test("where it has none nothing is asked", async () => {
  const { sent } = await open(false);
  expect(document.querySelector("input[type=password]")).toBeNull();
  button("重新退款 ¥9.00")!.click();
  await until(() => expect(sent()).toMatchObject([{ id }]));
});
