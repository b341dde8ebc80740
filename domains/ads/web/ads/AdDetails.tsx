import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { itemType } from "../../../level-config/contract/index.ts";
import {
  adStatus,
  auditStatus,
  type getAdById,
  playPeriod,
  previewAd,
  adPriority,
  periodWords,
  weekdaysWords,
} from "../../contract/index.ts";
import { Legend, notesOf, Reach } from "./targets/Coverage.tsx";
import { Thumb } from "./Thumbs.tsx";
import { WeekGrid } from "./times/WeekGrid.tsx";

type Row = OutputOf<typeof getAdById>;

/** An ad from all sides: what it shows, when and where, how its week goes, and what was done to it. */
export function AdDetails({ row }: { row: Row }): ReactNode {
  const preview = useDetail(previewAd, { ad_id: row.id });
  return (
    <>
      <HeroLine label={row.owner_name} value={row.name} status={<StatusTag of={adStatus} code={row.status} />} />
      {row.blocked !== null && (
        <p className="notice notice-warn">
          {row.status === 1 ? "没有全部播放" : "现在不能启用"}：{row.blocked}
        </p>
      )}
      <Group
        title="投放"
        pairs={[
          ["当前", <StatusTag of={playPeriod} code={row.play_period} />],
          ["日期", `${row.starts_on} 至 ${row.ends_on}`],
          ["星期", weekdaysWords(row.weekdays)],
          ["播放时段", periodWords(row.periods)],
          ["优先级", adPriority.label(row.priority as 1)],
          ["占比", `${row.weight} 份`],
          ["设备型号", row.models.length === 0 ? "全部" : row.models.join("、")],
          ["门店地区", row.region_names.length === 0 ? "全部" : row.region_names.map(({ name }) => name).join("、")],
        ]}
      />
      <What row={row} />
      <Group title={row.status === 1 ? "这一周" : "启用后的一周"}>
        <WeekGrid label="一周播放" plan={row} notes={notesOf(preview.data)} />
        <Legend />
      </Group>
      <Group title="覆盖">
        <Reach of={preview} />
      </Group>
      <Group
        title="记录"
        pairs={[
          ["新建", row.created_by],
          ["新建时间", <Time at={row.created_at} />],
        ]}
      >
        <Timeline
          items={row.history
            .toReversed()
            .map((one) => ({ title: one.what === "" ? one.title : one.what, at: one.at, note: `${one.by} · ${one.title}` }))}
        />
      </Group>
    </>
  );
}

/** What it shows, and under which nodes. */
function What({ row }: { row: Row }): ReactNode {
  return (
    <>
      <Group title="素材">
        <ul className="ad-items">
          {row.materials.map((one, at) => (
            <li key={one.material_id} className="ad-item ad-item-read">
              <span className="num note">{at + 1}</span>
              <a href={one.url} target="_blank" rel="noreferrer" aria-label={`查看 ${one.name}`}>
                <Thumb of={one} />
              </a>
              <span className="ad-item-name">{one.name}</span>
              <span className="note">
                {one.kind === 2
                  ? `视频 ${Math.round((one.duration_ms ?? 0) / 1_000)} 秒`
                  : one.seconds === null
                    ? "默认停留"
                    : `停留 ${one.seconds} 秒`}
              </span>
              <StatusTag of={auditStatus} code={one.status as 0} />
            </li>
          ))}
        </ul>
      </Group>
      <Group title="投放范围">
        <ul className="ad-chips">
          {row.targets.map((one) => (
            <li key={one.item_id} className="chip">
              {one.item_type !== 4 && levelWords(itemType.label(one.item_type))} {one.item_name}
            </li>
          ))}
        </ul>
      </Group>
    </>
  );
}
