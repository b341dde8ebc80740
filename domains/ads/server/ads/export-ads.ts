import { sql } from "kysely";
import { z } from "zod";
import { exportColumn, exportRows, snapshotMoment, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { itemType } from "../../../level-config/contract/index.ts";
import { adFilters, adPriority, adStatus, periodWords, playPeriod, weekdaysWords } from "../../contract/index.ts";
import { adColumns, type AdRead, ADS_FROM, adsWhere, periodOf } from "./ad-rows.ts";

const input = z.object(adFilters);

/** The list of ads as a file. */
export const adExport: ExportSource<typeof input> = {
  name: "ads",
  title: "广告列表",
  access: "/ad/list/export",
  input,
  columns: [
    exportColumn("name", "名称", 24),
    exportColumn("materials", "素材", 32),
    exportColumn("status", "状态", 8, "code"),
    exportColumn("play_period", "当前", 10, "code"),
    exportColumn("dates", "日期", 26),
    exportColumn("weekdays", "星期", 16),
    exportColumn("periods", "播放时段", 24),
    exportColumn("targets", "投放范围", 40),
    exportColumn("models", "型号", 24),
    exportColumn("regions", "地区代码", 16),
    exportColumn("priority", "优先级", 10, "code"),
    exportColumn("weight", "占比", 8, "count"),
    exportColumn("owner_name", "归属", 18),
    exportColumn("created_by", "新建人", 12),
    exportColumn("created_at", "新建时间", 20, "time"),
    exportColumn("updated_by", "最近修改人", 12),
    exportColumn("updated_at", "最近修改", 20, "time"),
  ],
  count: async (tx, scope, filter) => countAll(tx, sql`ads a where ${adsWhere(scope, filter, await snapshotMoment(tx))}`),
  async *rows(tx, scope, filter) {
    const now_ms = await snapshotMoment(tx);
    const query = sql<AdRead>`select ${adColumns()} from ${ADS_FROM} where ${adsWhere(scope, filter, now_ms)} order by a.created_at desc, a.id desc`;
    yield* exportRows(tx, query, ({ items, ...row }) => ({
      ...row,
      materials: items.map(({ name }) => name).join("、"),
      status: adStatus.label(row.status),
      play_period: playPeriod.label(periodOf(row, now_ms)),
      dates: `${row.starts_on} 至 ${row.ends_on}`,
      weekdays: weekdaysWords(row.weekdays),
      periods: periodWords(row.periods),
      targets: row.targets.map((one) => `${itemType.label(one.item_type)} ${one.item_name}`).join("、"),
      models: row.models.join("、"),
      regions: row.regions.join("、"),
      priority: adPriority.label(row.priority),
    }));
  },
};
