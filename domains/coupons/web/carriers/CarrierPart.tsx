import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { couponCarrier, type getCampaign, listDifferences, mirrorState } from "../../contract/index.ts";
import { counted, minute } from "../campaigns/campaign-words.ts";
import { carrierWords, differenceColumns } from "./DifferenceActs.tsx";

type Campaign = OutputOf<typeof getCampaign>;
/** How a campaign stands at WeChat, and what differs; nothing where it is not sent there. */
export function CarrierPart({ of: { id, carrier, mirror, state } }: { of: Campaign }): ReactNode {
  const may = useAct(listDifferences);
  if (carrier === "NONE") return null;
  const told = mirror === null ? (state === "UNAUDIT" ? "审核通过后才建批次" : "没有建过批次") : undefined;
  return (
    <Group
      title="在微信"
      pairs={[
        ["承载", couponCarrier.label(carrier)],
        ["状态", mirror ? <StatusTag key="state" of={mirrorState} code={mirror.state} /> : told],
        ["批次号", mirror?.stockId],
        ["批次数量", mirror?.total === null || mirror === null ? null : `${counted(mirror.total)} 张`],
        ...(carrier === "busifavor" ? ([["已传券码", mirror && `${counted(mirror.codes)} 个`]] as const) : []),
        ["待同步", mirror && (mirror.waiting > 0 ? `${counted(mirror.waiting)} 项，系统正在处理` : "没有")],
        ["上次核对", mirror?.checkedAt ? minute(mirror.checkedAt) : mirror && "还没有，每小时一次"],
      ]}
    >
      <p className="note coupon-carried">{carrierWords[carrier]}</p>
      {may && mirror && <Differences id={id} />}
    </Group>
  );
}
function Differences({ id }: { id: string }): ReactNode {
  const found = useDetail(listDifferences, { campaignId: id, pageSize: 100, withTotal: true }, { live_ms: 30_000 });
  return (
    <>
      <h3 className="coupon-differs">同步差异</h3>
      <Loaded of={found}>
        {({ items, next, total }) =>
          items.length === 0 ? (
            <p className="note">没有差异</p>
          ) : (
            <>
              <DataTable label="同步差异" density="compact" rows={items} columns={differenceColumns()} />
              {next !== null && <p className="note">这里是最近 100 处，一共 {total?.count ?? "很多"} 处</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
}
