import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { countMembers, findOrMake, type NewMember } from "@zhangfang/domains/members/server/index.ts";
import { claimOrders } from "@zhangfang/domains/orders/server/index.ts";
import { addLot, addPoints } from "@zhangfang/domains/value-book/server/index.ts";
import { seededIds } from "@zhangfang/server/clock.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { demoDays } from "../history.ts";
import type { DemoTree } from "../tree/tree.ts";

const DAY_MS = 86_400_000;
/** Members of the two large merchants, and of each other one; a past of a few days has few. */
const [MANY, FEW] = demoDays() < 7 ? [80, 10] : [400, 60];
const FAMILY =
  "王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 梁 宋 郑 谢 韩 唐 冯 于 董 萧 程 曹 袁 邓 许 傅 沈 曾 彭 吕 苏 卢 蒋 蔡 贾 丁 魏 薛 叶 阎".split(
    " ",
  );
const GIVEN = "秀英 建国 小雨 志强 丽华 晓东 雪梅 文博 佳怡 子轩 春燕 海涛 明月 思远 雅琴 国庆 静 磊 敏 浩然 欣怡 俊杰 玉兰 佩珊".split(
  " ",
);
const REMARKS = ["不吃香菜", "靠窗的位子", "对花生过敏", "带小孩，要儿童椅", "少油少盐", "常订包间", "开发票，抬头公司"];
const TAGS = ["老客", "午市", "晚市", "外带", "生日月", "企业客户", "沉睡"];
/** Members that are made in one transaction. */
const AT_ONCE = 40;

type Random = ReturnType<typeof seededIds>;
const one = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random.next() * of.length)]!;

const own = platformScope("demo members");
/** A member, since when, and how often it comes. */
type Made = { readonly id: string; readonly at_ms: number; readonly weight: number };
/** The customers of one merchant, and the chance that goes on to give them their orders. */
export interface Customers {
  readonly made: readonly Made[];
  readonly random: Random;
}

/** The customers of every merchant, in the order of the tree: who they are, what they brought along and hold. It needs no order. */
export async function makeMembers(services: Services, tree: DemoTree): Promise<Customers[]> {
  const all: Customers[] = [];
  for (const [at, [login, merchant]] of Object.entries(tree.merchants).entries()) {
    const random = seededIds(7_000 + at);
    const count = login === "mch01" || login === "mch02" ? MANY : FEW;
    const made: Made[] = [];
    for (let n = 0; n < count; n += AT_ONCE)
      made.push(
        ...(await withScope(services.pool, own, async (tx) => {
          const some: Made[] = [];
          for (let k = n; k < Math.min(n + AT_ONCE, count); k++) some.push(await makeOne(tx, services, merchant, random, at * 1_000 + k));
          return some;
        })),
      );
    all.push({ made, random });
  }
  return all;
}

/** Which of the past orders were theirs. */
export async function giveOrders(services: Services, tree: DemoTree, customers: readonly Customers[]): Promise<void> {
  for (const [at, merchant] of Object.values(tree.merchants).entries())
    await withScope(services.pool, own, (tx) => giveOrdersOf(tx, merchant, customers[at]!));
}

type Merchant = DemoTree["merchants"][keyof DemoTree["merchants"]];
async function makeOne(tx: Transaction, services: Services, merchant: Merchant, random: Random, n: number) {
  const at_ms = services.clock.now_ms() - Math.floor(random.next() ** 2 * 118 * DAY_MS) - DAY_MS / 4;
  const past: Services = { ...services, clock: { now_ms: () => at_ms } };
  const store = one(random, merchant.stores);
  const where = { service_provider_id: merchant.serviceProviderId, merchant_id: merchant.id };
  const known = random.next() > 0.15;
  const birthday = `${1955 + Math.floor(random.next() * 50)}-${String(1 + Math.floor(random.next() * 12)).padStart(2, "0")}-${String(1 + Math.floor(random.next() * 28)).padStart(2, "0")}`;
  const given: NewMember = known
    ? {
        ...where,
        store_id: store.id,
        source: random.next() < 0.7 ? 1 : 3,
        by: { kind: "phone", phone: `13${5 + (n % 5)}${String(20_000_000 + n * 7_919).slice(0, 8)}`, confirmed: random.next() < 0.8 },
        stage: 1,
        name: `${one(random, FAMILY)}${one(random, GIVEN)}`,
        birthday: random.next() < 0.6 ? birthday : null,
        sex: random.next() < 0.5 ? 1 : 2,
        remark: random.next() < 0.25 ? one(random, REMARKS) : "",
        tags: random.next() < 0.4 ? [...new Set([one(random, TAGS), one(random, TAGS)])] : [],
        consent: "till",
        by_name: "收银端",
        at: new Date(at_ms).toISOString(),
      }
    : {
        ...where,
        store_id: store.id,
        source: 4,
        by: { kind: "openid", subject: `demo-openid-${n}` },
        stage: 0,
        by_name: "支付即会员",
        at: new Date(at_ms).toISOString(),
      };
  const { id } = await findOrMake(tx, past, given);
  const holder = { ...where, member_id: id };
  const poster = { ids: services.ids, now_ms: at_ms };
  const today = shanghaiDay(at_ms);
  if (random.next() < 0.7)
    await addPoints(tx, poster, holder, {
      cause: "points-opening",
      cause_id: id,
      points: 20 + Math.floor(random.next() ** 3 * 6_000),
      usable_from: today,
      expires_on:
        random.next() < 0.6
          ? `${Number(today.slice(0, 4)) + 1}-12-31`
          : random.next() < 0.5
            ? addDays(shanghaiDay(services.clock.now_ms()), 45)
            : null,
      store_id: store.id,
    });
  if (known && random.next() < 0.3) {
    const principal_cents = one(random, [20_000, 50_000, 100_000, 200_000]);
    const lot = {
      sold_store_id: store.id,
      mode: "ratio" as const,
      principal_cents,
      gift_cents: principal_cents >= 50_000 ? principal_cents / 10 : 0,
    };
    await addLot(tx, poster, holder, { cause: "opening", cause_id: id, ...lot });
  }
  return { id, at_ms, weight: random.next() ** 3 };
}

/** One order in three was a member's; few of them come often. */
async function giveOrdersOf(tx: Transaction, { id: merchant_id, serviceProviderId }: Merchant, { made, random }: Customers) {
  const orders = await tx
    .selectFrom("pay_orders")
    .select(["id", "paid_at"])
    .where("service_provider_id", "=", serviceProviderId)
    .where("merchant_id", "=", merchant_id)
    .where("status", "in", [2, 3])
    .where("till_no", "is not", null)
    .orderBy("created_at")
    .execute();
  const regulars = made.toSorted((a, b) => b.weight - a.weight);
  const rows = orders.flatMap(({ id: order_id, paid_at }) => {
    if (paid_at === null || random.next() > 0.33) return [];
    const member = regulars[Math.floor(random.next() ** 2 * regulars.length)]!;
    if (member.at_ms > Date.parse(paid_at)) return [];
    return [{ order_id, member_id: member.id }];
  });
  for (let at = 0; at < rows.length; at += 1_000) await claimOrders(tx, serviceProviderId, rows.slice(at, at + 1_000));
  await countMembers(
    tx,
    serviceProviderId,
    made.map(({ id }) => id),
  );
}
