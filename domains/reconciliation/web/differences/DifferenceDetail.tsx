import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { orderStatus, refundStatus } from "../../../orders/contract/index.ts";
import {
  billSource,
  billState,
  differenceClass,
  differenceHint,
  differenceKind,
  differenceStatus,
  getDifference,
  type listDifferences,
  proposeWriteOff,
  resolution,
} from "../../contract/index.ts";
import type { Panels } from "./BatchActs.tsx";
import type { Difference } from "./difference.ts";
import { repair } from "./repair.ts";

/** One difference: ours and the channel's side by side, its order, and what can be done about it. */
export function DifferenceDetail({
  id,
  list,
  panels,
}: {
  id: string;
  list: Pick<List<typeof listDifferences>, "openId" | "open" | "close" | "rows" | "refresh">;
  panels: Panels & { readonly link: Panel };
}): ReactNode {
  const found = useDetail(getDifference, { id });
  const mayResolve = useAct(proposeWriteOff);
  const row = found.data?.difference;
  return (
    <DetailDrawer
      title={row ? `差异 ${row.number}` : "对账差异"}
      of={found}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        mayResolve &&
        found.data?.dayOpen &&
        row &&
        row.status !== "resolved" && <Acts row={row} links={found.data.candidates.length} panels={panels} onDone={list.refresh} />
      }
    >
      {({ difference, dayOpen }) => (
        <>
          <HeroLine
            label={difference.class === "fee" ? "手续费相差" : "相差"}
            value={<Money cents={difference.gapCents} sign symbol />}
            status={<StatusTag of={differenceClass} code={difference.class} />}
          />
          {(difference.hint ?? difference.answer) && (
            <p className="note recon-lead">
              {[difference.hint && differenceHint.label(difference.hint), difference.answer].filter(Boolean).join("；")}
            </p>
          )}
          <Facts row={difference} dayOpen={dayOpen} />
        </>
      )}
    </DetailDrawer>
  );
}

/** Both sides, the papers, and what was done about it. */
function Facts({ row, dayOpen }: { row: Difference; dayOpen: boolean }): ReactNode {
  return (
    <>
      <Group title="两边">
        <Sides row={row} />
      </Group>
      <Group
        title="单据"
        pairs={[
          ["类型", differenceKind.label(row.kind)],
          ["单号", <Copy text={row.number} />],
          ["订单", row.orderId ? <Link to={`/dataCentre/payOrder?from=&to=&id=${row.orderId}`}>{row.orderNo}</Link> : row.orderNo],
          ["渠道单号", row.channelNo && <Copy text={row.channelNo} />],
          ["商户", row.merchantName],
          ["门店", row.storeName],
          ["账单", <Link to={`/reconciliation/bill?from=&to=&id=${row.dayId}`}>{`${row.day} ${billSource.label(row.source)}`}</Link>],
        ]}
      />
      <Group
        title="处理"
        pairs={[
          ["状态", <StatusTag of={differenceStatus} code={row.status} />],
          ["处理方式", row.resolution && resolution.label(row.resolution)],
          ["说明", row.reason],
          ["追查人", row.looker],
          ["关联单号", row.linkedNumber],
          ["核销申请人", row.proposedBy],
          ["处理人", row.resolvedBy],
          ["处理时间", row.resolvedAt && <Time at={row.resolvedAt} />],
          ...(dayOpen ? [] : [["对账日", "已关账"] as const]),
        ]}
      />
    </>
  );
}

/** What either side says of it. */
function Sides({ row: { kind, ours, bill } }: { row: Difference }): ReactNode {
  const nothing = <span className="blank">没有</span>;
  const status = kind === 1 ? orderStatus : refundStatus;
  const lines: readonly (readonly [name: string, ours: ReactNode, bill: ReactNode])[] = [
    ["状态", ours ? status.label(ours.status as never) : nothing, bill ? billState.label(bill.state as never) : nothing],
    ["金额（元）", ours && <Money cents={ours.cents} />, bill && <Money cents={bill.cents} />],
    [
      "手续费（元）",
      ours && <Money cents={(kind === 2 ? 0 - ours.feeCents : ours.feeCents) as never} />,
      bill && <Money cents={bill.feeCents} />,
    ],
    ["时间", ours && <Time at={ours.at} />, bill && <Time at={bill.at} />],
  ];
  return (
    <div className="table-scroll">
      <table className="table recon-sides" aria-label="本地与渠道对照">
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col" className="at-right">
              本地
            </th>
            <th scope="col" className="at-right">
              渠道
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, own, theirs]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="at-right">{own ?? nothing}</td>
              <td className="at-right">{theirs ?? nothing}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Acts({
  row,
  links,
  panels,
  onDone,
}: {
  row: Difference;
  links: number;
  panels: Panels & { readonly link: Panel };
  onDone: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    await repair([row.id]).finally(() => setBusy(false));
    void client.invalidateQueries({ queryKey: [getDifference.path] });
    onDone();
  };
  if (row.status === "proposed")
    return row.decidable ? (
      <Button tone="primary" onClick={() => panels.decide.open(row.id)}>
        复核核销 ¥{yuan(Math.abs(row.gapCents))}
      </Button>
    ) : (
      <span className="note">待他人复核</span>
    );
  return (
    <>
      {row.class === "channel-only" && row.orderId === null && <Button onClick={() => panels.unknown.open(row.id)}>登记为未知收款</Button>}
      {links > 0 && <Button onClick={() => panels.link.open(row.id)}>关联另一笔</Button>}
      <Button onClick={() => panels.writeOff.open(row.id)}>申请核销</Button>
      {row.orderId !== null && (
        <Button tone="primary" busy={busy} onClick={() => void ask()}>
          查询渠道并更正
        </Button>
      )}
    </>
  );
}
