import { sql } from "kysely";
import { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { exportColumn, exportRows, snapshotMoment, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { onlineState } from "../../../devices/contract/index.ts";
import { itemType } from "../../../level-config/contract/index.ts";
import { adDeviceFilters, playState, whyNotWords } from "../../contract/plays.ts";
import { devicesFrom, devicesQuery, devicesWhere, type Filters, playsWhere, SUMS, withState } from "./device-figures.ts";
import { statesNow, type StatesNow } from "./states-now.ts";

const input = z.object(adDeviceFilters);
const figures = [
  exportColumn("plays", "播放次数", 12, "count"),
  exportColumn("finished", "完整播放", 12, "count"),
  exportColumn("seconds", "播放秒数", 12, "count"),
  exportColumn("unverified", "未核实次数", 12, "count"),
];

/** The ad at the moment of the file's snapshot; without an ad there is nothing to write. */
async function stateOf(
  tx: Transaction,
  scope: Scope,
  { ad_id }: Filters,
): Promise<{ readonly states: StatesNow; readonly now_ms: number } | undefined> {
  if (ad_id === undefined) return undefined;
  const now_ms = await snapshotMoment(tx);
  const states = await statesNow(tx, scope, ad_id, now_ms);
  return states && { states, now_ms };
}

/** 广告设备 as a file. */
export const adDeviceExport: ExportSource<typeof input> = {
  name: "ad-devices",
  title: "广告设备",
  access: "/ad/adDevices/export",
  input,
  columns: [
    exportColumn("sn", "设备编号", 20),
    exportColumn("name", "名称", 18),
    exportColumn("playing", "播放", 10, "code"),
    exportColumn("why", "原因", 20, "code"),
    exportColumn("by", "投放层级", 10, "code"),
    exportColumn("online", "在线", 8, "code"),
    exportColumn("lastPlayAt", "最近播放", 20, "time"),
    ...figures,
    exportColumn("model", "型号", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("merchantName", "商户", 18),
    exportColumn("providerName", "服务商", 18),
  ],
  count: async (tx, scope, filter) => {
    const now = await stateOf(tx, scope, filter);
    return now ? countAll(tx, sql`${devicesFrom(now.states)} where ${devicesWhere(scope, now.states, filter, now.now_ms)}`) : 0;
  },
  async *rows(tx, scope, filter) {
    const now = await stateOf(tx, scope, filter);
    if (!now) return;
    const query = devicesQuery(scope, now.states, filter, { now_ms: now.now_ms });
    yield* exportRows(tx, query, (read) => {
      const { why, ...row } = withState(read, now.states);
      return {
        ...row,
        playing: playState.label(row.playing),
        why: why && whyNotWords.label(why),
        by: itemType.label(row.by),
        online: onlineState.label(row.online),
      };
    });
  },
};

interface DailyRead {
  readonly day: string;
  readonly sn: string;
  readonly name: string | null;
  readonly material: string | null;
  readonly plays: number;
  readonly finished: number;
  readonly seconds: number;
  readonly unverified: number;
  readonly lastPlayAt: string;
  readonly storeName: string;
  readonly merchantName: string;
}
/** 广告每日播放: each device's day with each material as a row. */
export const adPlaysExport: ExportSource<typeof input> = {
  name: "ad-plays",
  title: "广告播放日报",
  access: "/ad/adDevices/export",
  input,
  columns: [
    exportColumn("day", "日期", 12),
    exportColumn("sn", "设备编号", 20),
    exportColumn("name", "名称", 18),
    exportColumn("material", "素材", 20),
    ...figures,
    exportColumn("lastPlayAt", "最后播放", 20, "time"),
    exportColumn("storeName", "门店", 18),
    exportColumn("merchantName", "商户", 18),
  ],
  count: async (tx, scope, filter) => {
    const now = await stateOf(tx, scope, filter);
    return now ? countAll(tx, sql`${SUMS} where ${playsWhere(scope, now.states, filter, now.now_ms)}`) : 0;
  },
  async *rows(tx, scope, filter) {
    const now = await stateOf(tx, scope, filter);
    if (!now) return;
    const query = sql<DailyRead>`
      select x.day, coalesce(d.sn, x.device_id::text) as sn, d.name, g.name as material, x.plays, x.finished, round(x.ms / 1000.0)::int as seconds, x.unverified, x.last_at as "lastPlayAt",
        s.short_name as "storeName", m.short_name as "merchantName"
      from ${SUMS} left join devices d on d.service_provider_id = x.service_provider_id and d.id = x.device_id
        join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id
        join merchants m on m.service_provider_id = x.service_provider_id and m.id = x.merchant_id left join ad_materials g on g.id = x.material_id
      where ${playsWhere(scope, now.states, filter, now.now_ms)} order by x.day desc, x.device_id, x.material_id, x.store_id`;
    yield* exportRows(tx, query, (row) => ({ ...row }));
  },
};
