import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { weekdayOf } from "@zhangfang/contract/time.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { itemType } from "../../../../level-config/contract/index.ts";
import type { previewAd } from "../../../contract/index.ts";
import type { CellNote } from "../times/WeekGrid.tsx";

export type Preview = OutputOf<typeof previewAd>;
const percent = (part: number): string => `${Math.round(part * 100)}%`;

/** What the preview says of each hour of the week; seven days name each weekday once. */
export function notesOf(preview: Preview | undefined): ReadonlyMap<string, CellNote> {
  return new Map(preview?.cells.map((cell) => [`${weekdayOf(cell.day)}:${cell.hour}`, preview.devices === 0 ? NOBODY : noteOf(cell)]));
}
const NOBODY: CellNote = { tone: "none", text: "", said: "没有设备" };
function noteOf({ plays, share, displaced, displaces, closed }: Preview["cells"][number]): CellNote {
  const words = [
    displaced > 0 && `${percent(displaced)} 的时间被更高优先级替代`,
    closed > 0 && `${percent(closed)} 的时间设备不播广告`,
    plays > 0 && (share < 0.995 ? `播放时占 ${percent(share)}` : "播放时独占"),
    displaces > 0 && `${percent(displaces)} 的时间替代其他广告`,
  ].filter(Boolean);
  const tone =
    displaced >= 0.5 ? "displaced" : closed >= 0.5 ? "closed" : share < 0.995 || displaced > 0 || closed > 0 ? "shares" : "alone";
  const text = tone === "shares" ? String(Math.round(plays * share * 100)) : tone === "displaced" ? "让" : tone === "closed" ? "关" : "";
  return { tone, text, said: words.join("，") };
}

/** What the colours of the week mean. */
export const Legend = (): ReactNode => (
  <p className="week-legend">
    {(
      [
        ["alone", "独占播放"],
        ["shares", "部分时间或与其他广告轮播，数字为播放占比 %"],
        ["displaced", "多半被更高优先级替代"],
        ["closed", "多半不在设备播放时间"],
      ] as const
    ).map(([tone, words]) => (
      <span key={tone}>
        <i className={`week-${tone}`} aria-hidden="true" />
        {words}
      </span>
    ))}
  </p>
);

const KINDS = { displaced_by: "会被替代", displaces: "会替代", shares: "轮流播放" } as const;
const hours = (minutes: number): string => (minutes < 60 ? `${minutes} 分钟` : `${Math.round(minutes / 6) / 10} 小时`);

/** 覆盖: how many devices an ad reaches, by which level and of which model, and which ads it meets. */
export function Reach({ of }: { of: { data: Preview | undefined; error: unknown; refetch: () => unknown } }): ReactNode {
  if (of.error) return <Failure error={of.error as ApiError} retry={() => void of.refetch()} />;
  if (!of.data) return <Skeleton rows={5} />;
  const { devices, by_level, by_model, off, conflicts } = of.data;
  return (
    <>
      <p>
        覆盖 <strong className="ad-reach-count num">{devices.toLocaleString("en-US")}</strong> 台设备
        {off > 0 && <span className="note ad-reach-off">，其中 {off} 台关闭了广告</span>}
      </p>
      {devices === 0 && <p className="note">范围内还没有符合条件的设备，以后绑定的设备会自动播放。</p>}
      <Lines title="按范围" rows={by_level.map((row) => [levelWords(itemType.label(row.item_type)), row.devices])} />
      <Lines title="按型号" rows={by_model.map((row) => [row.model, row.devices])} />
      {(["displaced_by", "displaces", "shares"] as const).map((kind) => {
        const met = conflicts.filter((one) => one.kind === kind);
        return met.length === 0 ? null : (
          <section key={kind}>
            <h3 className="note">{KINDS[kind]}</h3>
            <ul className="ad-lines">
              {met.map((one) => (
                <li key={one.ad_id}>
                  <span className="ad-met">
                    {one.name}
                    <span className="note ad-met-of">
                      {one.owner_name} · 优先级 {one.priority}
                    </span>
                  </span>
                  <span className="num note ad-met-long">
                    {one.devices.toLocaleString("en-US")} 台
                    <br />
                    每周 {hours(one.minutes)}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {devices > 0 && conflicts.length === 0 && <p className="note">这一周不与其他广告重叠。</p>}
    </>
  );
}
function Lines({ title, rows }: { title: string; rows: readonly (readonly [string, number])[] }): ReactNode {
  if (rows.length === 0) return null;
  return (
    <section>
      <h3 className="note">{title}</h3>
      <ul className="ad-lines">
        {rows.map(([name, count]) => (
          <li key={name}>
            <span>{name}</span>
            <span className="num">{count.toLocaleString("en-US")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
