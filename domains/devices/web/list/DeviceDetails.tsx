import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { getDeviceAds } from "../../../ads/contract/index.ts";
import { cashierMode, deviceState, type getDevice, getDeviceConfig, type getDevices, onlineState } from "../../contract/index.ts";
import { CommandHistory } from "./Commands.tsx";

/** How much room is left on a device, and when it is little. */
export function roomWords({
  storageFreeMb: free,
  storageTotalMb: total,
}: Pick<RowOf<typeof getDevices>, "storageFreeMb" | "storageTotalMb">): ReactNode {
  if (free === null || total === null) return null;
  const gigabytes = (mb: number): string => (mb / 1024).toFixed(1);
  return `剩余 ${gigabytes(free)} GB / ${gigabytes(total)} GB${total > 0 && free / total < 0.1 ? "（不足一成）" : ""}`;
}

/** One device: whose it is, what it is, what was told of it and asked of it. */
export function DeviceDetails({ row }: { row: OutputOf<typeof getDevice> }): ReactNode {
  return (
    <>
      <HeroLine label={row.name} value={<span className="num">{row.sn}</span>} status={<StatusTag of={onlineState} code={row.online} />} />
      <Group
        title="归属"
        pairs={[
          ["服务商", row.providerName],
          ["代理商", row.agentName],
          ["商户", row.merchantName],
          ["门店", row.storeName],
        ]}
      />
      <Group
        title="设备"
        pairs={[
          ["型号", row.model],
          ["收银方式", cashierMode.label(row.cashierMode)],
          ["收银员", row.cashierName],
          ["状态", <StatusTag of={deviceState} code={row.state} />],
          ["软件版本", row.version],
          ["存储空间", roomWords(row)],
          ["最近在线", <Time at={row.lastSeenAt} />],
          ["登记时间", <Time at={row.createdAt} />],
        ]}
      />
      {row.outages.length > 0 && (
        <Group title="离线提醒">
          <Timeline
            items={row.outages.map(({ since, endedAt }) => ({
              at: since,
              title: endedAt ? "离线，已恢复" : "离线",
              tone: endedAt ? ("good" as const) : ("bad" as const),
              ...(endedAt && { note: `恢复于 ${shanghaiTime(endedAt)}` }),
            }))}
          />
        </Group>
      )}
      {row.state === "active" && <Elsewhere id={row.id} />}
      <CommandHistory deviceId={row.id} />
    </>
  );
}

/** What else is known of a device, each on its own screen. */
function Elsewhere({ id }: { id: string }): ReactNode {
  const [config, ads] = [useAct(getDeviceConfig), useAct(getDeviceAds)];
  const links = [
    ...(config ? [["设备配置", <Link to={`/device/config?node=0:${id}`}>查看生效的值</Link>] as const] : []),
    ...(ads ? [["设备广告", <Link to={`/ad/deviceAds?device=${id}`}>现在和这一周播放什么</Link>] as const] : []),
  ];
  return links.length > 0 && <Group title="配置和广告" pairs={links} />;
}
