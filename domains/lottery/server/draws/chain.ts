import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { heldLottery, type LotteryRef } from "../manage/find-lottery.ts";
import { chainOf, dayNo } from "../rules/draw-rules.ts";

const keyOf = ({ config }: Pick<Services, "config">) => derivedKey(config.secret, "lottery-chain");
const placeOf = ({ service_provider_id, id }: LotteryRef) => `lottery_chains.last:${service_provider_id}:${id}`;
/** Seals the end of a chain for its lottery. */
export const sealLast = (services: Services, lottery: LotteryRef, last: Buffer): string =>
  seal(keyOf(services), placeOf(lottery), last.toString("hex"));

interface Chain {
  readonly days: number;
  readonly published: number;
  readonly seeds: readonly Buffer[];
}
/** The seeds of a lottery, seed(0) first. In the platform's scope; what comes of it never leaves the room before its day is over. */
export async function readChain(tx: Transaction, services: Services, { service_provider_id, id }: LotteryRef): Promise<Chain | undefined> {
  const { rows } = await sql<{
    days: number;
    published: number;
    last_sealed: string;
  }>`select c.days, c.published, c.last_sealed from lottery_chains c
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${id}`.execute(tx);
  const [found] = rows;
  if (!found) return undefined;
  const last = Buffer.from(unseal(keyOf(services), placeOf({ service_provider_id, id }), found.last_sealed), "hex");
  return { days: found.days, published: found.published, seeds: chainOf(last, found.days) };
}

/** How long after midnight a seed stays closed, so that two clocks that differ a little never meet. */
const AFTER_MS = 600_000;
/** Each minute: seeds of days that are over are published. Behind the lottery's row, as draws are: none is made with a seed that is open. */
export const publishSeeds = lookAfter<LotteryRef>({
  name: "publish-lottery-seeds",
  due: async (tx, now) => {
    const today = shanghaiDay(Date.parse(now) - AFTER_MS);
    return (
      await sql<LotteryRef>`select c.service_provider_id, c.lottery_id as id from lottery_chains c
        join lotteries l on l.service_provider_id = c.service_provider_id and l.id = c.lottery_id
        where c.published < c.days and c.published < ${today}::date - (l.begins_at at time zone 'Asia/Shanghai')::date order by l.begins_at limit 200`.execute(
        tx,
      )
    ).rows;
  },
  one: (services, ref) => withScope(services.pool, platformScope("seeds of days that are over"), (tx) => publish(tx, services, ref)),
});
async function publish(tx: Transaction, services: Services, ref: LotteryRef): Promise<void> {
  const lottery = await heldLottery(tx, ref);
  const chain = await readChain(tx, services, ref);
  if (!lottery || !chain) return;
  const now_ms = services.clock.now_ms();
  const firstDay = shanghaiDay(lottery.begins_at);
  const over = Math.min(chain.days, dayNo(firstDay, shanghaiDay(now_ms - AFTER_MS)) - 1);
  const { service_provider_id, merchant_id, id: lottery_id } = lottery;
  for (let n = chain.published + 1; n <= over; n++)
    await tx
      .insertInto("lottery_seeds")
      .values({
        service_provider_id,
        merchant_id,
        lottery_id,
        n,
        day: addDays(firstDay, n - 1),
        seed: chain.seeds[n]!,
        published_at: new Date(now_ms).toISOString(),
      })
      .execute();
  if (over <= chain.published) return;
  const told = await sql`update lottery_chains c set published = ${over} where c.service_provider_id = ${service_provider_id}
    and c.lottery_id = ${lottery_id} and c.published = ${chain.published}`.execute(tx);
  mustChange({ numUpdatedRows: told.numAffectedRows ?? 0n }, () => new Error("seeds were published meanwhile"));
}
