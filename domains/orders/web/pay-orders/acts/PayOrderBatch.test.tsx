import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Notices } from "@zhangfang/web/Notices.tsx";
import { listen, type Seen } from "@zhangfang/web/api/testing-http.ts";
import { button, draw } from "../../testing-screen.tsx";
import { paidOrder } from "../../testing-rows.ts";
import { PayOrderBatch } from "./PayOrderBatch.tsx";

const ORDERS = [
  { ...paidOrder, id: "11111111-1111-4111-8111-111111111111", orderNo: "P1" },
  { ...paidOrder, id: "22222222-2222-4222-8222-222222222222", orderNo: "P2" },
];
let answer: (seen: Seen) => { status?: number; body?: unknown };
let http: Awaited<ReturnType<typeof listen>>;
let screen: ReturnType<typeof draw> | undefined;
beforeEach(async () => {
  answer = () => ({ body: { printers: 2 } });
  http = await listen((seen) => answer(seen));
});
afterEach(async () => {
  screen?.close();
  await http.close();
});
const said = (): string | null | undefined => document.querySelector(".batch-run [role=status]")?.textContent;
const results = (): (string | null)[] => [...document.querySelectorAll(".batch-tasks li")].map(({ textContent }) => textContent);
/** The requests for a receipt of each order, in the order in which they came. */
const asked = (): { orderId: string; requestId: string }[] =>
  http.seen.filter(({ path }) => path.endsWith("/reprint")).map(({ body }) => body as { orderId: string; requestId: string });
async function reprint(): Promise<void> {
  button("补打小票")?.click();
  await vi.waitFor(() => expect(button("确定")).toBeDefined());
  button("确定")?.click();
}

test("a receipt of each ticked order is printed once; what failed is the same request again, another press another receipt", async () => {
  let refresh = 0;
  const list = { rows: ORDERS, refresh: () => void refresh++ };
  const selection = { ids: ORDERS.map(({ id }) => id), all: false, count: 2, filters: {}, columns: [], clear: () => {} };
  answer = ({ body }) =>
    (body as { orderId: string }).orderId === ORDERS[1]!.id
      ? { status: 409, body: { title: "订单所在门店没有绑定云打印机", code: "printer.missing" } }
      : { body: { printers: 2 } };
  screen = draw(
    <>
      <PayOrderBatch list={list as never} selection={selection} />
      <Notices />
    </>,
    ["/dataCentre/payOrder/reprint"],
  );
  await vi.waitFor(() => expect(button("补打小票")).toBeDefined());
  await reprint();
  await vi.waitFor(() => expect(said()).toBe("已结束：完成 1，失败 1，剩余 0，共 2"));
  expect(results()).toEqual(["P1完成已发送到 2 台打印机", expect.stringMatching(/^P2失败.*订单所在门店没有绑定云打印机$/)]);
  expect(refresh).toBe(1);
  answer = () => ({ body: { printers: 1 } });
  button("重试失败的")?.click();
  await vi.waitFor(() => expect(said()).toBe("已结束：完成 2，失败 0，剩余 0，共 2"));
  const [first, failed, again] = asked();
  expect(asked().map(({ orderId }) => orderId)).toEqual([ORDERS[0]!.id, ORDERS[1]!.id, ORDERS[1]!.id]);
  expect(again!.requestId).toBe(failed!.requestId);
  button("关闭")?.click();
  await reprint();
  await vi.waitFor(() => expect(asked()).toHaveLength(5));
  const requests = new Set([first, failed, ...asked().slice(3)].map((one) => one!.requestId));
  expect(requests.size).toBe(4);
});
test("whoever may not print again is not offered it", async () => {
  const selection = { ids: [], all: false, count: 0, filters: {}, columns: [], clear: () => {} };
  screen = draw(<PayOrderBatch list={{ rows: [], refresh: () => {} } as never} selection={selection} />, ["/dataCentre/payOrder/sync"]);
  await vi.waitFor(() => expect(button("查单同步")).toBeDefined());
  expect(button("补打小票")).toBeUndefined();
});
