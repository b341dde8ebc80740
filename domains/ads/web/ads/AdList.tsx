import { type ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { DetailDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { itemType } from "../../../level-config/contract/index.ts";
import {
  adStatus,
  createAd,
  getAdById,
  getAds,
  playPeriod,
  adPriority,
  summariseAds,
  periodWords,
  weekdaysWords,
} from "../../contract/index.ts";
import { BatchActs, FootActs, RowActs } from "./AdActs.tsx";
import { AdDetails } from "./AdDetails.tsx";
import { Thumbs } from "./Thumbs.tsx";
import "./ads.css";

type Row = RowOf<typeof getAds>;

/** 广告列表: what is shown where and when, whose it is, and whether it is in its period now. */
export function AdList(): ReactNode {
  const list = useList(getAds);
  const sums = useSummary(summariseAds, list.filters).data;
  const ad = useDetail(getAdById, list.openId && { ad_id: list.openId });
  const adding = (
    <Act of={createAd}>
      <Link className="btn btn-primary" to="/ad/list/new">
        新建广告
      </Link>
    </Act>
  );
  return (
    <ListScreen
      title="广告列表"
      unit="个"
      list={list}
      exportSource="ads"
      tabs={{ of: list.field("status"), set: adStatus, counts: sums && { 0: sums.paused, 1: sums.enabled } }}
      totals={sums && [["时段内", sums.in_period]]}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="广告" placeholder="名称" />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("play_period")} label="当前" set={playPeriod} />
          <Choice of={list.field("priority")} label="优先级" set={adPriority} />
          <DateRange of={list.range("from", "to")} label="投放日期" />
        </>
      }
      actions={adding}
      columns={shownColumns(list.open)}
      batch={(selection) => <BatchActs selection={selection} rows={list.rows} />}
      empty={{ text: "还没有广告", action: adding }}
    >
      {list.openId && (
        <DetailDrawer title="广告详情" of={ad} onClose={list.close} footer={ad.data && <FootActs row={ad.data} onGone={list.close} />}>
          {(row) => <AdDetails row={row} />}
        </DetailDrawer>
      )}
    </ListScreen>
  );
}

function shownColumns(open: (id: string) => void) {
  const c = columns<Row>();
  return [
    c.link("name", "名称", (row) => open(row.id), { width: 168 }),
    c.text("materials", "素材", (row) => <Thumbs of={row.materials} />, { width: 120 }),
    c.code("status", "状态", adStatus, { width: 72 }),
    c.code("play_period", "当前", playPeriod, { width: 80 }),
    c.text("dates", "日期", (row) => row.starts_on, { width: 120, note: (row) => `至 ${row.ends_on}` }),
    c.text("periods", "播放时段", (row) => periodWords(row.periods), { width: 136, note: (row) => weekdaysWords(row.weekdays) }),
    c.text("targets", "投放范围", (row) => targetWords(row), { width: 152, note: (row) => narrowing(row) }),
    c.code("priority", "优先级", adPriority, { width: 80 }),
    c.number("weight", "占比", { hidden: true }),
    c.text("owner_name", "归属", { width: 120, hidden: true }),
    c.text("updated_by", "最近修改人", { hidden: true }),
    c.time("updated_at", "最近修改", { hidden: true }),
    c.time("created_at", "新建时间", { hidden: true }),
    c.actions((row) => <RowActs row={row} />, { width: 144 }),
  ];
}
function targetWords({ targets, target_count }: Row): string {
  const [first] = targets;
  if (!first) return "—";
  const words = first.item_type === 4 ? first.item_name : `${itemType.label(first.item_type)} ${first.item_name}`;
  return target_count > 1 ? `${words} 等 ${target_count} 个` : words;
}
const narrowing = ({ models, regions }: Row): string | null =>
  [models.length > 0 && `${models.length} 种型号`, regions.length > 0 && `${regions.length} 个地区`].filter(Boolean).join("，") || null;
