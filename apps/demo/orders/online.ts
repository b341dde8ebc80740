import { setTimeout as wait } from "node:timers/promises";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Wire } from "../wire.ts";
import { type DemoTree, signIn } from "../tree/tree.ts";

const GOODS = [
  ["SC-01", "牛油火锅底料 500g", 3_980],
  ["SC-02", "郫县豆瓣酱 1kg", 2_260],
  ["SC-03", "手工腊肠礼盒", 12_800],
  ["SC-04", "花椒油 250ml", 1_890],
] as const;
const PEOPLE = [
  ["陈静", "13980001122", "四川省成都市锦江区", "春熙路 12 号 3 栋 601"],
  ["刘洋", "13880003344", "重庆市渝中区", "解放碑八一路 9 号"],
  ["赵敏", "15980005566", "浙江省杭州市西湖区", "文三路 77 号 5 楼"],
] as const;

interface Way {
  readonly services: Services;
  readonly wire: Wire;
  readonly simulator: string;
  readonly api: string;
}
/** What happens online today, through the product's own calls: links to friends, and orders at three malls in every state. */
export async function playOnline({ services, wire, simulator, api }: Way, tree: DemoTree): Promise<void> {
  const pay = (order: Record<string, unknown>) => wire.post(`${simulator}/_control/pay`, { codeUrl: order["codeUrl"] });
  for (const login of ["mch01", "mch03", "mch02"] as const) {
    const { sn } = tree.merchants[login].stores[0]!.devices[0]!;
    const device = (path: string, body: object) => wire.post(`${simulator}/_till/device`, { sn, path, body });
    for (const [n, cents] of [12_800, 6_600].entries()) {
      const order = await device("/api/till/friend-orders", {
        tillNo: `F${Date.now()}${n}`,
        subject: n === 0 ? "生日蛋糕" : "下午茶",
        grossCents: cents,
        orderer: `o-hungry-${login}`,
        ordererName: "小李",
        message: "今天你请客",
      });
      if (n === 0) await pay(order);
    }
    await answerComments({ services, wire, simulator, api }, login);
    await playMall({ services, wire, simulator, api }, login, device, pay);
  }
}

/** The merchant answers what was said lately, and hides the worst. */
async function answerComments({ services, wire, api }: Way, login: "mch01" | "mch03" | "mch02"): Promise<void> {
  const headers = { authorization: `Bearer ${await signIn(services, login)}` };
  const { items } = (await wire.get(`${api}/api/orders/comments?_t=1&pageSize=10`, headers)) as { items: { id: string; stars: number }[] };
  for (const { id, stars } of items.slice(1, 4))
    await wire.post(
      `${api}/api/orders/comments/reply?_t=1`,
      { id, reply: stars > 3 ? "感谢您的喜欢，欢迎下次再来！" : "非常抱歉，我们会尽快改进。" },
      headers,
    );
  const worst = items.find(({ stars }) => stars === 1);
  if (worst) await wire.post(`${api}/api/orders/comments/hide?_t=1`, { id: worst.id, reason: "内容与订单不符" }, headers);
}

type Send = (path: string, body: object) => Promise<Record<string, unknown>>;
/** Six orders: unpaid, paid, sent twice, received, and one of which a part went back. */
async function playMall(
  { services, wire, api }: Way,
  login: "mch01" | "mch03" | "mch02",
  device: Send,
  pay: (order: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  const headers = { authorization: `Bearer ${await signIn(services, login)}` };
  for (let n = 0; n < 6; n++) {
    const mallNo = `S${shanghaiDay(services.clock.now_ms()).replaceAll("-", "")}${String(n + 1).padStart(4, "0")}`;
    const [name, phone, area, address] = PEOPLE[n % 3]!;
    const goods = GOODS.slice(n % 3, (n % 3) + 1 + (n % 2));
    const order = await device("/api/mall/orders", {
      mallNo,
      lines: goods.map(([goodsNo, title, unitCents], at) => ({
        goodsNo,
        name: title,
        unitCents,
        quantity: 1 + at,
        discountCents: at * 200,
      })),
      deliveryCents: n % 2 === 0 ? 800 : 0,
      buyer: `o-mall-buyer-${n}`,
      receiver: { name, phone, area, address },
    });
    if (n === 0) continue;
    await pay(order);
    const id = await paidMallOrder(wire, `${api}/api/mall/pay-orders`, mallNo, headers);
    if (n >= 2)
      await wire.post(
        `${api}/api/mall/pay-orders/ship?_t=1`,
        { id, carrier: n % 2 ? "SF" : "ZTO", trackingNo: `SF10${login.slice(-2)}00${n}` },
        headers,
      );
    if (n === 3) await device("/api/mall/orders/receive", { mallNo });
    if (n < 4) continue;
    const { lines } = (await wire.get(`${api}/api/mall/pay-orders/${id}?_t=1`, headers)) as { lines: { id: string; leftCents: number }[] };
    const given = lines.slice(0, 1).map((line) => ({ lineId: line.id, amountCents: n === 4 ? line.leftCents : 500 }));
    await wire.post(
      `${api}/api/mall/refunds?_t=1`,
      { requestId: services.ids.uuid(services.clock.now_ms()), id, lines: given, reason: "运输破损" },
      headers,
    );
  }
}

const [PAID_LOOK_MS, PAID_TRIES] = [100, 3_000];
/** The id of a mall order once the channel's word of its payment has arrived. */
async function paidMallOrder(wire: Wire, list: string, mallNo: string, headers: Record<string, string>): Promise<string> {
  for (let tries = 0; tries < PAID_TRIES; tries++) {
    const { items } = (await wire.get(`${list}?_t=1&keyword=${mallNo}`, headers)) as { items: { id: string; status: number }[] };
    if (items[0]?.status === 1) return items[0].id;
    await wait(PAID_LOOK_MS);
  }
  throw new Error(`mall order ${mallNo} was not paid in time`);
}
