import type { ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { type Seek, SoughtSelect } from "@zhangfang/web/filter/Sought.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { CardRows } from "@zhangfang/web/list/table/CardRows.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { useOpeningAt } from "@zhangfang/web/window/use-opening.ts";
import { listDevices } from "../../../devices/contract/index.ts";
import {
  getAdById,
  adConfigCalls,
  getDeviceAds,
  adPriority,
  playState,
  targetLevel,
  whyNotWords,
  clock,
  periodWords,
  weekdaysWords,
} from "../../contract/index.ts";
import { Strips } from "./Strips.tsx";
import { Thumb, Thumbs } from "./Thumbs.tsx";
import "./ads.css";

type Found = OutputOf<typeof getDeviceAds>;
type Row = Found["ads"][number];
const seek: Seek = async ({ search, id }, signal) => {
  const keyword = search.trim().slice(0, 32);
  const found = await call(listDevices, id ? { id } : { ...(keyword && { keyword }) }, { signal, quiet: true });
  return found.map((one) => ({ id: one.id, name: `${one.name} · ${one.storeName}` }));
};

/** 设备广告: what plays on one device now and through the week, and for each ad why or why not. */
export function DeviceAds(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const id = query.get("device") ?? undefined;
  const { asking } = useOpeningAt("device", seek);
  const found = useDetail(getDeviceAds, id ? { device_id: id } : undefined, { live_ms: 60_000 });
  const name = useQuery({
    queryKey: ["device name", id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => seek({ search: "", id: id ?? "" }, signal),
  });
  return (
    <section>
      <header className="screen-head">
        <h1>设备广告</h1>
      </header>
      <div className="sheet">
        <div className="device-pick">
          <SoughtSelect
            label="设备"
            className="pick"
            queryKey={["device ads"]}
            seek={(search, signal) => seek({ search }, signal)}
            name={
              found.data
                ? `${found.data.device.name} ${found.data.device.sn}`
                : (name.data?.[0]?.name ?? (name.isFetched ? "已指定" : undefined))
            }
            value={id}
            onChange={(device) => setQuery(device === undefined ? {} : { device })}
          />
        </div>
        {asking ? (
          <Skeleton rows={8} />
        ) : id === undefined ? (
          <Empty drawing="search" text="还没有设备" />
        ) : found.error ? (
          <Failure error={found.error as ApiError} retry={() => void found.refetch()} />
        ) : found.data ? (
          <OnDevice found={found.data} />
        ) : (
          <Skeleton rows={8} />
        )}
      </div>
    </section>
  );
}

function OnDevice({ found }: { found: Found }): ReactNode {
  const { device, settings, now, ads } = found;
  const playing = ads.filter(({ why_not }) => why_not === null);
  const round = playing.reduce((sum, { weight }) => sum + weight, 0);
  return (
    <>
      <h2 className="sr-only">
        {device.name} {device.sn}
      </h2>
      <Group
        title={`${device.name} ${device.sn}`}
        pairs={[
          ["型号", device.model],
          ["门店", device.store_name],
          ["商户", device.merchant_name],
          ["服务商", device.provider_name],
          [
            "广告设置",
            <>
              {settings.on ? `每天 ${settings.from_hour} 点至 ${settings.to_hour} 点，一轮最多 ${settings.most} 个` : "已关闭广告"}{" "}
              <Act of={adConfigCalls.get}>
                <Link className="ad-inline" to={`/ad/config?node=0:${device.id}`}>
                  配置
                </Link>
              </Act>
            </>,
          ],
        ]}
      />
      <Group title={`现在播放（${clock(now.minute)}）`}>
        {playing.length === 0 ? (
          <p className="note">{nothing(found)}</p>
        ) : (
          <ul className="now-playing">
            {playing.map((ad) => (
              <li key={ad.id} className="now-ad">
                <Thumb of={ad.materials[0]} />
                <span>
                  <strong>{ad.name}</strong>
                  <br />
                  <span className="note">
                    {byWords(ad)} · 占 {Math.round((ad.weight / round) * 100)}%
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </Group>
      <Group title="这一周">
        <Strips found={found} />
      </Group>
      <Group title="每个广告">
        <EveryAd ads={ads} />
      </Group>
    </>
  );
}
/** Each ad as a row, on a phone as a card. */
function EveryAd({ ads }: { ads: readonly Row[] }): ReactNode {
  const narrow = useNarrow();
  if (ads.length === 0) return <Empty text="没有广告投放到这台设备" />;
  const shown = { label: "每个广告", rows: ads, columns: shownColumns() };
  return narrow ? <CardRows {...shown} rowKey={({ id }) => id} /> : <DataTable {...shown} />;
}
const nothing = ({ settings, ads }: Found): string =>
  !settings.on ? "这台设备关闭了广告。" : ads.length === 0 ? "没有广告投放到这台设备。" : "此刻没有广告播放，原因见下方每个广告。";
const byWords = ({ by }: Row): string =>
  by ? levelWords(`${targetLevel[by.item_type]}${by.item_name && by.item_type !== 0 ? `「${by.item_name}」` : ""}`) : "—";

function shownColumns() {
  const c = columns<Row>();
  return [
    c.text("name", "广告", (row) => <AdName row={row} />, { width: 176, note: (row) => `${row.starts_on} 至 ${row.ends_on}` }),
    c.text("materials", "素材", (row) => <Thumbs of={row.materials} />, { width: 120 }),
    c.text("why_not", "现在", (row) => <StatusTag of={playState} code={row.why_not === null ? 1 : 2} />, {
      width: 144,
      note: (row) => (row.why_not === null ? null : whyNotWords.label(row.why_not)),
    }),
    c.text("by", "投放自", byWords, { width: 208, note: (row) => `${row.owner_name}的广告` }),
    c.code("priority", "优先级", adPriority, { width: 80 }),
    c.number("weight", "占比", { width: 64 }),
    c.text("periods", "播放时段", (row) => periodWords(row.periods), {
      width: 200,
      note: (row) => weekdaysWords(row.weekdays),
    }),
    c.text("week_minutes", "这一周", (row) => `${Math.round(row.week_minutes / 6) / 10} 小时`, { width: 96 }),
  ];
}
/** A link for whoever manages the ad: the platform its own too. */
function AdName({ row }: { row: Row }): ReactNode {
  const { level } = useUser();
  const opens = useAct(getAdById) && (row.owner_type === 3 || level === "ADMIN");
  return opens ? <Link to={`/ad/list?id=${row.id}`}>{row.name}</Link> : row.name;
}
