import { members } from "@zhangfang/domains/members/server/index.ts";
import { mergeMembers } from "@zhangfang/domains/members/contract/index.ts";
import { plantMergeCode } from "@zhangfang/domains/members/server/testing/plant-member.ts";
import { apart } from "@zhangfang/domains/orders/server/testing/failpoints.ts";
import type { StoredWorld } from "@zhangfang/domains/stored-value/server/testing/stored-world.ts";

export type ModelMember = Awaited<ReturnType<StoredWorld["member"]>>;
const [SMS, INTO_SMS] = ["111111", "222222"];
const route = members.routes.find(({ endpoint }) => endpoint === mergeMembers)!;

/** Both phones get the code that they will say. */
export const sendCodes = (world: StoredWorld, from: ModelMember, into: ModelMember): Promise<void> =>
  apart(async () => {
    // A phone gets one code a minute.
    world.services.clock.advance(61_000);
    const ground = { till: world, services: world.services };
    await plantMergeCode(ground, "mch01", from.phone, SMS);
    await plantMergeCode(ground, "mch01", into.phone, INTO_SMS);
    // Nobody reads them.
    await world.owner("delete from test_jobs where name = 'send-sms'");
  });
/** 合并, by those codes. */
export const merge = (world: StoredWorld, from: ModelMember, into: ModelMember): Promise<unknown> =>
  world.ask("mch01", route, { id: from.id, intoNo: into.no, reason: "同一个人", sms: SMS, intoSms: INTO_SMS });

/** Who has nothing open. */
const FREE = `select m.id from members m where m.id = any($1)
  and not exists (select from pay_orders o where o.member_id in (select f.id from members f where m.id in (f.id, f.merged_into)) and o.status = 0)
  and not exists (select from value_accounts a where a.owner_id = m.id and a.kind like '%-held' and a.balance <> 0)
  and not exists (select from card_refunds c where c.member_id = m.id and c.status in (0, 1))
  and not exists (select from times_cards t where t.member_id = m.id and t.status = 4)`;
/** The places of two who can become one, where there are such; else of two who can't. */
export async function pairOf(world: StoredWorld, members: readonly ModelMember[], who: number): Promise<[number, number]> {
  const free = new Set((await world.owner<{ id: string }>(FREE, [members.map(({ id }) => id)])).map(({ id }) => id));
  const places = members.map((_one, n) => (who + n) % members.length);
  const ready = places.filter((n) => free.has(members[n]!.id));
  return ready.length < 2 ? [places[0]!, places[1]!] : [ready[0]!, ready[1]!];
}
