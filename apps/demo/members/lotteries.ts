import { randomUUID } from "node:crypto";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Endpoint, InputOf } from "@zhangfang/contract/endpoint.ts";
import type { Ctx, Route } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope, platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addLottery, decideLottery } from "@zhangfang/domains/lottery/contract/index.ts";
import { drawBatch, lottery, publishSeeds } from "@zhangfang/domains/lottery/server/index.ts";
import { pastCtx } from "../past-ctx.ts";
import type { DemoTree } from "../tree/tree.ts";

const DAY_MS = 86_400_000;
const PRIZES = [
  { name: "双人套餐", kind: "goods", amount: 1, valueCents: 26_800, chance: 10_000, stock: 3 },
  { name: "酸梅汤一壶", kind: "goods", amount: 1, valueCents: 1_800, chance: 40_000, stock: 20 },
  { name: "积分", kind: "points", amount: 20, chance: 150_000, stock: 25 },
  { name: "小红包", kind: "balance", amount: 200, chance: 50_000, stock: 30 },
] as const;
const TERMS = { prizes: PRIZES, perDay: 2, perPerson: 20, contact: "02886001234", redeemDays: 30, staffListed: true };
/** One that is over and one that runs, by how many days ago each began. */
const LOTTERIES = [
  { name: "店庆摇一摇", ago: 14, days: 10, people: 32 },
  { name: "周末摇一摇", ago: 3, days: 30, people: 24 },
] as const;

/** Lotteries of the first merchant: one with a few hundred draws that is over and can be rechecked whole, and one that runs. */
export async function fillLotteries(services: Services, tree: DemoTree): Promise<void> {
  const merchant = tree.merchants.mch01;
  const service_provider_id = merchant.serviceProviderId;
  const scope = platformScope("demo lotteries");
  const { people, users } = await withScope(services.pool, scope, async (tx) => ({
    people: await tx
      .selectFrom("members")
      .select("id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant.id)
      .where("stage", "=", 1)
      .where("status", "=", 1)
      .orderBy("no")
      .limit(120)
      .execute(),
    users: await tx.selectFrom("users").select(["id", "login", "first_name"]).where("login", "in", ["mch01", "coupon.mch01"]).execute(),
  }));
  const who = (login: string) => {
    const { id, first_name } = users.find((one) => one.login === login)!;
    return { kind: "user" as const, id, name: first_name };
  };
  /** What a merchant's person does, at a moment that is past. */
  const does = async <E extends Endpoint>(at_ms: number, login: string, endpoint: E, input: InputOf<E>): Promise<{ id: string }> => {
    const past = { ...services, clock: { now_ms: () => at_ms } };
    const route: Route = lottery.routes.find((one) => one.endpoint === endpoint)!;
    const own = merchantScope(service_provider_id, merchant.id);
    return withScope(services.pool, own, async (tx) => {
      const ctx = { ...pastCtx(past, endpoint, merchant.stores[0]!, who(login)), scope: own, tx, note: () => {} } as unknown as Ctx;
      return (await route.handler(ctx, endpoint.input.parse(input) as never)) as { id: string };
    });
  };
  const now_ms = services.clock.now_ms();
  for (const { name, ago, days, people: each } of LOTTERIES) {
    const begins_ms = now_ms - ago * DAY_MS;
    const firstDay = shanghaiDay(begins_ms);
    const facts = { requestId: randomUUID(), name, firstDay, lastDay: addDays(firstDay, days - 1), terms: TERMS } as never;
    const { id } = await does(begins_ms, "coupon.mch01", addLottery, facts);
    await does(begins_ms, "mch01", decideLottery, { id, version: 1, approve: true });
    for (let day = 0; day < Math.min(days, ago); day++) {
      const past = { ...services, clock: { now_ms: () => begins_ms + day * DAY_MS } };
      const draws = Array.from({ length: each }, (_one, n) => ({
        member_id: people[(day * 7 + n * 3) % people.length]!.id,
        nonce: randomUUID(),
      }));
      const told = await withScope(services.pool, scope, (tx) => drawBatch(tx, past, { service_provider_id, id }, draws));
      for (const one of told) if (one instanceof Refusal && one.status !== 409) throw one;
    }
  }
  await publishSeeds.run(services, {});
  await lottery.jobs.find(({ name }) => name === "end-lotteries")!.run(services, {});
}
