import { afterEach, expect, test, vi } from "vitest";
import { answers } from "@zhangfang/web/api/cache.ts";
import { listen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw, type } from "../../../orders/web/testing-screen.tsx";
import { OtherLotList } from "./OtherLotList.tsx";

const member = { memberId: "m1", memberNo: "1000000001", memberName: "文*", memberPhone: "138****0001" };
const lot = {
  ...member,
  id: "01a1f71e-4ac0-7a7a-a65d-e3a89d3b7320",
  storeName: "春熙店",
  origin: 1,
  principalCents: 50_000,
  giftCents: 10_000,
  principalLeftCents: 40_000,
  giftLeftCents: 8_000,
  createdAt: "2026-11-24T04:00:00.000Z",
};
const sum = (reason: number, paysCents: number, refusal: string | null) => ({
  reason,
  paysCents,
  lessCents: 50_000 - paysCents,
  less: "消费，赠送也算",
  refusal,
  grantable: false,
  earnedBack: 50,
  dueOn: "2026-12-09",
});
const preview = {
  ...member,
  rechargeId: null,
  lotId: lot.id,
  principalCents: 50_000,
  giftCents: 10_000,
  usedCents: 12_000,
  principalLeftCents: 40_000,
  giftLeftCents: 8_000,
  paidBeforeCents: 0,
  sums: [sum(1, 50_000, "是别人转来的余额"), sum(2, 40_000, null), sum(3, 38_000, null)],
  orderLeftCents: null,
  onlyOffline: "转来和导入的余额，只能线下退",
  feeRate: 0,
  points: 10,
  pointsThere: 55,
  pointsOf: { memberId: "m2", memberNo: "1000000002", memberName: "李*", memberPhone: "139****0002" },
  coupons: "回店 满 80 减 20 1 张",
  refusal: null,
};

let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw>;
afterEach(async () => {
  await vi.waitFor(() => expect(answers().isFetching()).toBe(0));
  screen.close();
  await http.close();
});

test("a lot that was moved here is paid back from its row: by its own id, offline, with the sum that was shown", async () => {
  http = await listen(({ method, path }) => {
    if (method === "POST") return { body: { ok: true, id: "c1" } };
    return path.endsWith("/preview") ? { body: preview } : { body: { items: [lot], next: null, total: { count: 1, more: false } } };
  });
  screen = draw(<OtherLotList views={null} />, ["/dataCentre/cardRecharge", "/dataCentre/cardRecharge/refund"]);
  await vi.waitFor(() => expect(screen.text()).toContain("转来"));
  await vi.waitFor(() => expect(button("退卡")).toBeDefined());
  button("退卡")!.click();
  // The first sum that applies stands chosen.
  await vi.waitFor(() => expect(button("申请退卡 ¥400.00")).toBeDefined());
  expect(screen.text()).toContain("是别人转来的余额");
  // Who bought it loses the points, and has five less than that.
  expect(screen.text()).toContain("收回充值送的积分从购买人 李* · 139****0002 收回，余 55，不够的记欠分10 分");
  expect(screen.text()).toContain("收回充值所得的积分从购买人 李* · 139****0002 收回，按退款比例50 分");
  expect(screen.text()).toContain("收回充值送的券从购买人 李* · 139****0002 收回，没用的作废，用掉的不收回回店 满 80 减 20 1 张");
  type(document.querySelector<HTMLInputElement>('form input[maxlength="100"]')!, "搬家");
  button("申请退卡 ¥400.00")!.click();
  const posted = () => http.seen.filter(({ method }) => method === "POST").map(({ body }) => body);
  await vi.waitFor(() => expect(posted()).toHaveLength(1));
  expect(posted()[0]).toMatchObject({ lotId: lot.id, reason: 2, way: 1, paysCents: 40_000, note: "搬家" });
  expect(posted()[0]).not.toHaveProperty("rechargeId");
  await vi.waitFor(() => expect(button("申请退卡 ¥400.00")).toBeUndefined());
});
