import { sql } from "kysely";
import { z } from "zod";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type DevicePlace, valuesOfKey } from "../../../level-config/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import type { Opening } from "../../../stores/contract/index.ts";
import { DEVICE_KEYS } from "../../contract/index.ts";
import { silentTooLong } from "./offline-rules.ts";

const MINUTES = DEVICE_KEYS.find(({ ckey }) => ckey === "offline_alert_minutes")!;
/** The shortest silence that the key lets anybody ask for. */
const SHORTEST_MINUTES = 5;

interface Silent extends DevicePlace {
  readonly sn: string;
  readonly name: string;
  readonly storeName: string;
  readonly opening: Opening | null;
  readonly last_seen_at: string;
}

/**
 * 离线提醒: each minute, whoever was silent for longer than what holds at its store, within the store's hours, is told of once for
 * that silence; the silence is over when it is back or out of use. A few statements for all devices, whatever their number.
 */
export const tellOutages = job({
  name: "tell-device-outages",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: (services) => withScope(services.pool, platformScope("tell device outages"), (tx) => lookAt(tx, services), { deadline_ms: 60_000 }),
});

async function lookAt(tx: Transaction, services: Services): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  await sql`update device_outages o set ended_at = ${now}::timestamptz from devices d
    where o.ended_at is null and d.service_provider_id = o.service_provider_id and d.id = o.device_id and (d.last_seen_at > o.since or d.state <> 'active')`.execute(
    tx,
  );
  const { rows: silent } = await sql<Silent>`
    select d.id, d.store_id, d.merchant_id, d.service_provider_id, d.sn, d.name, s.short_name as "storeName", s.opening, d.last_seen_at
    from devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id and s.state = 'active'
      join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id and m.state = 'active'
      join service_providers p on p.id = d.service_provider_id and p.state = 'active'
    where d.state = 'active' and d.last_seen_at <= ${now}::timestamptz - ${SHORTEST_MINUTES} * interval '1 minute'
      and not exists (select 1 from device_outages o where o.service_provider_id = d.service_provider_id and o.device_id = d.id and o.ended_at is null)`.execute(
    tx,
  );
  const minutesAt = await valuesOfKey(tx, "device", MINUTES);
  const found = silent.filter((one) =>
    silentTooLong({ lastSeen_ms: Date.parse(one.last_seen_at), opening: one.opening, minutes: Number(minutesAt(one)) }, now_ms),
  );
  if (found.length === 0) return;
  const rows = JSON.stringify(
    found.map(({ service_provider_id, id, merchant_id, store_id, last_seen_at }) => ({
      service_provider_id,
      id,
      merchant_id,
      store_id,
      last_seen_at,
    })),
  );
  const { rows: told } = await sql<{ device_id: string }>`
    insert into device_outages (service_provider_id, device_id, since, merchant_id, store_id, told_at)
      select g.service_provider_id, g.id, g.last_seen_at, g.merchant_id, g.store_id, ${now}::timestamptz
      from jsonb_to_recordset(${rows}::jsonb) as g(service_provider_id uuid, id uuid, merchant_id uuid, store_id uuid, last_seen_at timestamptz)
      on conflict do nothing returning device_id`.execute(tx);
  const fresh = new Set(told.map(({ device_id }) => device_id));
  for (const one of found.filter(({ id }) => fresh.has(id)))
    await tell(
      tx,
      { level: "store", provider: one.service_provider_id, merchant: one.merchant_id, store: one.store_id },
      {
        kind: "deviceOffline",
        title: `${one.storeName} ${one.name}离线`,
        body: `设备 ${one.sn} 最后在线 ${shanghaiTime(one.last_seen_at)}，营业时间内离线超过 ${String(minutesAt(one))} 分钟，请检查电源和网络`,
        href: `/device/list?keyword=${one.sn}`,
        item: "/device/list",
        once: `device-offline:${one.id}:${one.last_seen_at}`,
        at: now,
      },
    );
}
