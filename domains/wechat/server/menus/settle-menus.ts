import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { MenuButton } from "../../contract/index.ts";
import { askLive, sameMenu } from "./ask-live.ts";

const SETTLE = platformScope("settle publications of menus");
/** A call that WeChat has not done by then it does no more. */
const OVER_MS = 600_000;

/** How a publication ended, as far as anybody knows. */
export interface MenuEnd {
  readonly state: "done" | "failed" | "unknown";
  readonly why: string;
}
interface Publication {
  readonly service_provider_id: string;
  readonly id: string;
  /** Which one it is: a later one is settled by itself. */
  readonly published_at: string;
}
/** Writes down how a publication ended; one that was settled or replaced meanwhile stays. */
export const settleMenu = (
  tx: Transaction,
  { service_provider_id, id, published_at }: Publication,
  { state, why }: MenuEnd,
  now: string,
): Promise<unknown> =>
  sql`update wx_menus m set publish_state = ${state}, publish_why = ${why.slice(0, 200)},
      live = case when ${state === "done"} then m.sent else m.live end, live_at = case when ${state === "done"} then ${now}::timestamptz else m.live_at end
    where m.service_provider_id = ${service_provider_id} and m.app_row = ${id} and m.published_at = ${published_at}
      and m.publish_state in ('asked', 'unknown')`.execute(tx);

interface Open extends Publication {
  readonly sent: MenuButton[];
}
/** Publications of which nobody knows the end, also where the process that asked is gone: menu/get tells. For a day; then a person looks. */
export const settleMenus = lookAfter<Open>({
  name: "settle-wechat-menus",
  due: async (tx, now) =>
    (
      await sql<Open>`select m.service_provider_id, m.app_row as id, m.published_at, m.sent from wx_menus m
        where m.publish_state in ('asked', 'unknown') and m.published_at < ${now}::timestamptz - interval '1 minute'
          and m.published_at > ${now}::timestamptz - interval '1 day' order by m.published_at limit 100`.execute(tx)
    ).rows,
  one: async (services, menu) => {
    const now_ms = services.clock.now_ms();
    const live = await askLive(services, menu, menu.sent);
    if (live.kind !== "ok") return;
    const done = sameMenu(live.value, menu.sent);
    if (!done && now_ms - Date.parse(menu.published_at) < OVER_MS) return;
    const end: MenuEnd = done ? { state: "done", why: "" } : { state: "failed", why: "微信没有收到，请再发布一次" };
    await withScope(services.pool, SETTLE, (tx) => settleMenu(tx, menu, end, new Date(now_ms).toISOString()));
  },
});
