import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
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
  differenceHint,
  differenceKind,
  differenceStatus,
  getDifference,
  isPlatform,
  type listDifferences,
  platformState,
  proposeWriteOff,
  resolution,
} from "../../contract/index.ts";
import type { Panels } from "./BatchActs.tsx";
import { classesOf, wordsOf } from "../words.ts";
import { type Difference, mayAsk, mayBeUnknown } from "./difference.ts";
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
      {({ difference, dayOpen, about }) => (
        <>
          <HeroLine
            label={difference.class === "fee" ? `${wordsOf(difference.source).fee}相差` : "相差"}
            value={<Money cents={difference.gapCents} sign symbol />}
            status={<StatusTag of={classesOf(difference.source)} code={difference.class} />}
          />
          {(difference.hint ?? difference.answer) && (
            <p className="note recon-lead">
              {[difference.hint && differenceHint.label(difference.hint), difference.answer].filter(Boolean).join("；")}
            </p>
          )}
          <Way row={difference} />
          <Facts row={difference} about={about} dayOpen={dayOpen} />
        </>
      )}
    </DetailDrawer>
  );
}

type About = OutputOf<typeof getDifference>["about"];
type Pairs = readonly (readonly [name: string, value: ReactNode])[];
const AMOUNT: Readonly<Record<number, string>> = { 3: "用户实付", 4: "用户实付", 5: "商家货款", 6: "预计收入" };
const UNEVEN = { ours: "按各项算", bill: "平台给的" };

/** Both sides, the papers, and what was done about it. */
function Facts({ row, about, dayOpen }: { row: Difference; about: About; dayOpen: boolean }): ReactNode {
  return (
    <>
      <Group title="两边">
        <Sides row={row} />
      </Group>
      <Group
        title="单据"
        pairs={[
          ["类型", differenceKind.label(row.kind)],
          ...(about ? papersThere(row, about) : papersHere(row)),
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

const papersHere = (row: Difference): Pairs => [
  ["单号", <Copy text={row.number} />],
  ["订单", row.orderId ? <Link to={`/dataCentre/payOrder?from=&to=&id=${row.orderId}`}>{row.orderNo}</Link> : row.orderNo],
  ["通道单号", row.channelNo && <Copy text={row.channelNo} />],
];
/** Of a voucher or a takeaway order, and where it stands here. */
function papersThere(row: Difference, about: NonNullable<About>): Pairs {
  if (row.kind === 6)
    return [
      [
        "平台订单号",
        about.takeawayId ? <Link to={`/dataCentre/takeaway?view=orders&from=&to=&id=${about.takeawayId}`}>{row.number}</Link> : row.number,
      ],
      ["平台门店", about.storeThere],
    ];
  return [
    ["商品", about.title],
    ["核销号", <Copy text={row.number} />],
    ["券号后四位", row.channelNo?.slice(-4)],
    ["平台订单号", row.orderNo && <Copy text={row.orderNo} />],
    ["本店的券", about.voucherId && <Link to={`/plat-${row.source}/coupon/detail?id=${about.voucherId}`}>查看核销记录</Link>],
    ["核销人", about.byName],
    ["平台门店", about.storeThere],
  ];
}
/** What of a platform's is put right elsewhere. */
function Way({ row }: { row: Difference }): ReactNode {
  if (row.status === "resolved") return null;
  if (row.hint === "unmapped")
    return (
      <Act of={["/store/other"]}>
        <p className="note recon-way">
          请先在<Link to="/store/other?state=waiting">其他门店</Link>里把平台门店映射到本店，再回到对账日重新对账。
        </p>
      </Act>
    );
  if (row.hint === "unfetched")
    return (
      <Act of={["/dataCentre/takeaway/account"]}>
        <p className="note recon-way">
          请在外卖汇总的<Link to="/dataCentre/takeaway?panel=unfetched:new">没取到的订单</Link>里再取一次。
        </p>
      </Act>
    );
  return null;
}

/** What either side says of it. */
function Sides({ row: { kind, class: of, source, ours, bill } }: { row: Difference }): ReactNode {
  const nothing = <span className="blank">没有</span>;
  const status = kind === 1 ? orderStatus : kind === 2 ? refundStatus : platformState;
  // Inside one bill there is no other side: its parts are held against what it pays.
  const words = of === "uneven" ? UNEVEN : wordsOf(source);
  const lines: readonly (readonly [name: string, ours: ReactNode, bill: ReactNode])[] = [
    ["状态", ours ? status.label(ours.status as never) : nothing, bill ? billState.label(bill.state as never) : nothing],
    [`${AMOUNT[kind] ?? "金额"}（元）`, ours && <Money cents={ours.cents} />, bill && <Money cents={bill.cents} />],
    [
      `${wordsOf(source).fee}（元）`,
      ours && <Money cents={(kind === 2 ? 0 - ours.feeCents : ours.feeCents) as never} />,
      bill && <Money cents={bill.feeCents} />,
    ],
    ["时间", ours && <Time at={ours.at} />, bill && <Time at={bill.at} />],
  ];
  return (
    <div className="table-scroll">
      <table className="table recon-sides" aria-label={`${words.ours}与${words.bill}对照`}>
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col" className="at-right">
              {words.ours}
            </th>
            <th scope="col" className="at-right">
              {words.bill}
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
      {mayBeUnknown(row) && <Button onClick={() => panels.unknown.open(row.id)}>登记为未知收款</Button>}
      {links > 0 && <Button onClick={() => panels.link.open(row.id)}>关联另一笔</Button>}
      <Button onClick={() => panels.writeOff.open(row.id)}>申请核销</Button>
      {mayAsk(row) && (
        <Button tone="primary" busy={busy} onClick={() => void ask()}>
          {isPlatform(row.source) ? "查询平台并更正" : "查询通道并更正"}
        </Button>
      )}
    </>
  );
}
