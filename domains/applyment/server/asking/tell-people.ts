import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell, type Told } from "../../../messages/server/index.ts";
import type { ApplymentRef } from "../applyments/events.ts";

type Of = ApplymentRef & { readonly merchant_id: string };
/**
 * Tells whoever has to do with an application: its provider, the agent and the team of its merchant, and the merchant.
 * @param say from the merchant's name and the super admin's, masked; @param once names the occasion within the application
 */
export async function tellPeople(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, merchant_id }: Of,
  once: string,
  say: (merchant: string, admin: string) => { readonly title: string; readonly body?: string },
): Promise<void> {
  const { rows } = await sql<{
    name: string;
    agent: string | null;
    team: string | null;
    admin: string;
  }>`select m.short_name as name, m.agent_id as agent, m.business_team_id as team, a.admin_name || '（' || a.admin_phone || '）' as admin
    from applyments a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id
    where a.service_provider_id = ${service_provider_id} and a.id = ${id}`.execute(tx);
  const { name, agent, team, admin } = rows[0]!;
  const provider = service_provider_id;
  const to: Told[] = [
    { level: "SP", provider },
    { level: "MCH", provider, node: merchant_id },
    ...(agent === null ? [] : [{ level: "AG" as const, provider, node: agent }]),
    ...(team === null ? [] : [{ level: "TM" as const, provider, node: team }]),
  ];
  const telling = {
    kind: "applyment" as const,
    ...say(name, admin),
    href: `/applyment/info?id=${id}`,
    item: "/applyment/info" as const,
    once: `applyment:${id}:${once}`,
    at: new Date(services.clock.now_ms()).toISOString(),
  };
  for (const one of to) await tell(tx, one, telling);
}

/** What is said when an application comes into a state that somebody has to do something in. */
export function stateSaid(
  state: string,
  count: number,
): ((merchant: string, admin: string) => { title: string; body?: string }) | undefined {
  switch (state) {
    case "REJECTED":
      return (merchant) => ({
        title: `「${merchant}」的进件被驳回${count > 0 ? ` ${count} 处` : ""}`,
        body: "改好资料后再提交，原因在进件详情里",
      });
    case "TO_BE_CONFIRMED":
      return (merchant, admin) => ({ title: `「${merchant}」的进件等账户验证，限 10 天`, body: `请超级管理员${admin}本人用微信扫码` });
    case "TO_BE_SIGNED":
      return (merchant, admin) => ({ title: `「${merchant}」的进件等签约`, body: `请超级管理员${admin}本人用微信扫码` });
    case "FINISHED":
      return (merchant) => ({ title: `「${merchant}」的微信支付商户号开好了`, body: "请向通道验证，再收 0.01 元试一笔" });
    case "CANCELED":
      return (merchant) => ({ title: `「${merchant}」的进件被微信支付作废` });
    default:
      return undefined;
  }
}

/** Days after which whoever has to act is told again (platforms.md 5), weekly to the end; 待账户验证 ends on the tenth. */
const REMINDED = [1, 5, 8, 15, 22, 29];
const LAST = 29;
const DAY_MS = 86_400_000;
interface Waiting extends Of {
  readonly state: "EDITTING" | "REJECTED" | "TO_BE_CONFIRMED" | "TO_BE_SIGNED";
  readonly state_at: string;
  readonly rounds: number;
}
/** `a` waits for people. */
const STILL = sql`a.state in ('EDITTING', 'REJECTED', 'TO_BE_CONFIRMED', 'TO_BE_SIGNED') and not a.unsent and not a.unheard`;
const REMIND = platformScope("remind of applications");
/** Each hour: who waits for a scan, or for what was rejected or not taken, for so many days. Each is said once, and the last time as such. */
export const remindOfApplyments = lookAfter<Waiting>({
  name: "remind-of-applyments",
  every: 3_600,
  due: async (tx, now) =>
    (
      await sql<Waiting>`select a.service_provider_id, a.id, a.merchant_id, a.state, a.state_at, a.rounds from applyments a
        where ${STILL} and a.state_at > ${now}::timestamptz - case when a.state = 'TO_BE_CONFIRMED' then 10 else ${LAST + 1}::int end * interval '1 day'
          and exists (select from unnest(${REMINDED}::int[]) d where a.state_at + d * interval '1 day' <= ${now}
            and (a.reminded_at is null or a.reminded_at < a.state_at + d * interval '1 day'))
        order by a.state_at limit 2000`.execute(tx)
    ).rows,
  one: async (services, row) => {
    const now_ms = services.clock.now_ms();
    const days = Math.floor((now_ms - Date.parse(row.state_at)) / DAY_MS);
    const day = REMINDED.findLast((one) => one <= days)!;
    await withScope(services.pool, REMIND, async (tx) => {
      const reminded = await sql`update applyments a set reminded_at = ${new Date(now_ms).toISOString()}
        where a.service_provider_id = ${row.service_provider_id} and a.id = ${row.id} and a.state = ${row.state} and ${STILL}`.execute(tx);
      // Somebody has done it meanwhile.
      if (reminded.numAffectedRows !== 1n) return;
      await tellPeople(tx, services, row, `${row.state}:${row.rounds}:${day}`, (merchant, admin) => {
        const last = day === LAST ? "。这是最后一次提醒，之后要自己留意" : "";
        const scan = `请超级管理员${admin}本人用微信扫码`;
        if (row.state === "TO_BE_CONFIRMED")
          return { title: `「${merchant}」还没有验证账户，还剩 ${10 - days} 天`, body: `${scan}，到期微信支付会驳回` };
        if (row.state === "TO_BE_SIGNED") return { title: `「${merchant}」还没有签约，已等 ${days} 天`, body: `${scan}${last}` };
        if (row.state === "EDITTING")
          return { title: `「${merchant}」的进件 ${days} 天前没有收下，还没有改`, body: `改好资料后再提交${last}` };
        return { title: `「${merchant}」的进件驳回 ${days} 天了，还没有改`, body: `改好资料后再提交${last}` };
      });
    });
  },
});
