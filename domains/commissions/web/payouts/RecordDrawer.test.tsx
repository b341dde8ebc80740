import { afterEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { endSession, startSession } from "@zhangfang/web/api/session.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { Notices } from "@zhangfang/web/Notices.tsx";
import { setUser } from "@zhangfang/web/api/user.ts";
import { draw, type } from "@zhangfang/web/testing-render.tsx";
import { WithdrawalRecords } from "./WithdrawalRecords.tsx";

const id = "00000000-0000-4000-8000-000000000001";
/** A bank transfer that was approved: the provider makes it at its own bank. */
const approved = {
  id,
  withdrawalNo: "W202611190001",
  receiver: "agent",
  receiverName: "青石代理",
  askedCents: 20_000,
  feeCents: 100,
  netCents: 19_900,
  method: "bank",
  bankName: "招商银行",
  numberMask: "**** 2738",
  holderMask: "王*",
  status: 2,
  createdAt: "2026-11-19T02:00:00Z",
  recordable: true,
};
let end = async (): Promise<void> => {};
afterEach(() => end());

test("the address that a to-do leads to opens the form, and the bank's number of the transfer is recorded from it", async () => {
  const http = await listen(({ method, path }) => {
    if (method === "POST") return { body: { id, status: 3 } };
    if (path.endsWith("/summary")) return { body: { askedCents: 0, arrivedCents: 0, feeCents: 0, perStatus: [] } };
    if (path.endsWith(id)) return { body: { ...approved, calls: [], confirm: null } };
    return { body: { items: path === "/api/commissions/withdrawals" ? [approved] : [], next: null, total: { count: 1, more: false } } };
  });
  startSession("token");
  const paths = ["/dataCentre/withdrawal", "/dataCentre/withdrawal/record"];
  setUser({ id: "1", login: "sp01", name: "a", isRoot: true, roles: [], level: "SP", entityName: "", paths: new Set(paths) });
  // As withdrawals-to-record of todos.ts opens it.
  location.hash = `#/dataCentre/withdrawal?status=2&panel=record:${id}`;
  const page = draw(
    <>
      <WithdrawalRecords />
      <Notices />
    </>,
  );
  end = async () => {
    await vi.waitFor(() => expect(answers().isFetching()).toBe(0), { timeout: 10_000 });
    page.end();
    answers().clear();
    endSession();
    await http.close();
  };
  const form = () =>
    [...document.querySelectorAll<HTMLElement>("[role=dialog]")].find((one) => /登记打款结果 W2026/.test(one.textContent ?? ""));
  const press = (name: RegExp, within: ParentNode = document): void =>
    [...within.querySelectorAll("button")].find((one) => name.test(one.textContent ?? ""))?.click();
  await page.until(form);
  expect(form()!.textContent).toContain("199.00");
  [...form()!.querySelectorAll<HTMLElement>("label,[role=radio],input[type=radio]")].find((one) => one.textContent === "已打款")?.click();
  const evidence = await page.until(() => form()?.querySelector<HTMLInputElement>("input[type=text],input:not([type])"));
  type(evidence, "2026111900012345");
  await page.until(() => evidence.value === "2026111900012345");
  press(/^登记$/, form());
  await page.until(() => /登记后不能改为失败/.test(document.body.textContent ?? ""));
  press(/^登记已打款 ¥199\.00$/);
  const posted = await page.until(() => http.seen.find(({ method }) => method === "POST"));
  expect([posted.path, posted.body]).toEqual([
    "/api/commissions/withdrawals/record",
    expect.objectContaining({ id, result: "paid", evidence: "2026111900012345" }),
  ]);
});
