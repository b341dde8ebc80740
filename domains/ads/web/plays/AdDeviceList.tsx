import type { ReactNode } from "react";
import { Link } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Seek, Sought } from "@zhangfang/web/filter/Sought.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { useOpeningAt } from "@zhangfang/web/window/use-opening.ts";
import { getDevices, onlineState } from "../../../devices/contract/index.ts";
import { itemType } from "../../../level-config/contract/index.ts";
import { listAdDevices, playState, seekAds, summariseAdDevices, whyNotWords } from "../../contract/index.ts";
import { PlayFigures } from "./PlayFigures.tsx";

type Row = RowOf<typeof listAdDevices>;

const seek: Seek = async ({ search, id }, signal) => {
  const word = search.trim().slice(0, 64);
  const found = await call(seekAds, id ? { id } : word ? { search: word } : {}, { signal, quiet: true });
  return found.map((one) => ({ id: one.id, name: `${one.name} · ${one.ownerName}` }));
};

/** 广告设备: the devices that one ad reaches, whether it plays there now and why not, and what they told of it. */
export function AdDeviceList(): ReactNode {
  const list = useList(listAdDevices, { defaults: { from: daysAgo(6), to: today() }, live_ms: 15_000 });
  const sums = useSummary(summariseAdDevices, list.filters).data;
  const chosen = list.filters["ad_id"] !== undefined;
  const { asking } = useOpeningAt("ad_id", seek);
  return (
    <ListScreen
      title="广告设备"
      unit="台"
      list={list}
      exportSource="ad-devices"
      onOpen={false}
      totals={
        chosen && sums
          ? [
              ["播放中", sums.playing],
              ["在线", sums.online],
              ["播放", `${sums.plays.toLocaleString("en-US")} 次`],
              ["完整播放", `${sums.finished.toLocaleString("en-US")} 次`],
              ["时长", lengthWords(sums.seconds)],
              ...(sums.unverified > 0 ? [["未核实", `${sums.unverified.toLocaleString("en-US")} 次`] as const] : []),
            ]
          : undefined
      }
      filters={
        <>
          <Sought of={list.field("ad_id")} label="广告" seek={seek} within={[]} placeholder="选择广告" />
          <DateRange of={list.range("from", "to")} label="播放日期" />
          <Choice of={list.field("playing")} label="播放" set={playState} />
          <Keyword of={list.field("keyword")} label="设备" placeholder="编号 / 名称" />
        </>
      }
      moreFilters={
        <>
          <Choice of={list.field("online")} label="在线" set={onlineState} />
          <OrgFilter of={list} levels={["serviceProviderId", "merchantId"]} />
        </>
      }
      figures={chosen && <PlayFigures filters={list.filters} />}
      columns={shownColumns()}
      empty={{ text: chosen ? "这个广告没有投到任何设备" : asking ? "正在找最近的广告" : "还没有广告，先新建一个" }}
    />
  );
}

/** @example lengthWords(3725) // "1 小时 2 分" */
function lengthWords(seconds: number): string {
  if (seconds < 60) return `${seconds} 秒`;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return hours === 0 ? `${minutes} 分` : `${hours.toLocaleString("en-US")} 小时${minutes > 0 ? ` ${minutes} 分` : ""}`;
}

function shownColumns() {
  const c = columns<Row>();
  return [
    c.text("sn", "设备编号", { width: 104 }),
    c.text("name", "名称", { width: 104 }),
    c.code("playing", "播放", playState, { width: 80 }),
    c.text("why", "原因", (row) => row.why && whyNotWords.label(row.why), { width: 144 }),
    c.text("storeName", "门店", { width: 112 }),
    c.text("merchantName", "商户", { width: 96 }),
    c.code("online", "在线", onlineState, { width: 96 }),
    c.number("plays", "播放次数", { width: 88 }),
    c.number("finished", "完整播放", { width: 88 }),
    c.time("lastPlayAt", "最近播放", { width: 168, hint: "设备最近一次上报的播放，不受播放日期限制" }),
    c.number("seconds", "播放秒数", { hidden: true }),
    c.number("unverified", "未核实次数", {
      width: 96,
      hidden: true,
      hint: "设备上报了播放，但广告当时不会在这台设备上播放，不计入播放次数",
    }),
    c.code("by", "投放层级", itemType, { hidden: true }),
    c.text("providerName", "服务商", { hidden: true }),
    c.text("model", "型号", { hidden: true }),
    c.time("lastSeenAt", "最近在线", { hidden: true }),
    c.actions(
      (row) => (
        <Act of={getDevices}>
          <Link to={`/device/list?id=${row.id}`}>设备</Link>
        </Act>
      ),
      { width: 64 },
    ),
  ];
}
