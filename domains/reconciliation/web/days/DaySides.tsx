import type { ReactNode } from "react";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { groupOf, type SourceGroup } from "../../contract/index.ts";
import { wordsOf } from "../words.ts";
import type { Day } from "./day.ts";

const PAY: Readonly<Record<SourceGroup, string>> = { channel: "支付金额", "group-buy": "核销的用户实付", takeaway: "预计收入" };
const REFUND: Readonly<Record<SourceGroup, string>> = {
  channel: "本地按提交给通道的日期，通道按账单日期",
  "group-buy": "按撤销的日期，核销可能在前一天",
  takeaway: "按订单完成的日期",
};
const FEE: Readonly<Record<SourceGroup, string>> = {
  channel: "支付的手续费减去退款退回的手续费",
  "group-buy": "本店是预计佣金，平台是已结算部分的实际佣金",
  takeaway: "平台从收入里扣的服务费",
};

/** Both sides of a day, and by how much they differ. */
export function DaySides({ day: { source, ours, bill } }: { day: Day }): ReactNode {
  const group = groupOf(source);
  const words = wordsOf(source);
  const amounts: readonly (readonly [name: string, ours: number, bill: number, hint?: string])[] = [
    [PAY[group], ours.payCents, bill.payCents],
    [`${words.refund}金额`, ours.refundCents, bill.refundCents, REFUND[group]],
    ["净额", ours.payCents - ours.refundCents, bill.payCents - bill.refundCents],
    [words.fee, ours.feeCents, bill.feeCents, FEE[group]],
  ];
  return (
    <Group title="两边合计">
      <div className="table-scroll">
        <table className="table recon-sides" aria-label={`${words.ours}与${words.bill}合计`}>
          <thead>
            <tr>
              <th scope="col">项目</th>
              <th scope="col" className="at-right">
                {words.ours}
              </th>
              <th scope="col" className="at-right">
                {words.bill}
              </th>
              <th scope="col" className="at-right">
                相差
              </th>
            </tr>
          </thead>
          <tbody>
            <Counts name={`${words.pay}${words.unit}数`} ours={ours.payCount} bill={bill.payCount} />
            <Counts name={`${words.refund}${words.unit}数`} ours={ours.refundCount} bill={bill.refundCount} />
            {amounts.map(([name, own, theirs, hint]) => (
              <tr key={name}>
                <th scope="row">
                  {name}（元）{hint && <Hint of={name} text={hint} />}
                </th>
                <td className="at-right">
                  <Money cents={own as never} />
                </td>
                <td className="at-right">
                  <Money cents={theirs as never} />
                </td>
                <td className="at-right">
                  {own === theirs ? <span className="blank">—</span> : <Money cents={(theirs - own) as never} sign />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Group>
  );
}

function Counts({ name, ours, bill }: { name: string; ours: number; bill: number }): ReactNode {
  const shown = (count: number): string => count.toLocaleString("en-US").replace("-", "−");
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="at-right num">{shown(ours)}</td>
      <td className="at-right num">{shown(bill)}</td>
      <td className="at-right num">
        {ours === bill ? <span className="blank">—</span> : `${bill > ours ? "+" : ""}${shown(bill - ours)}`}
      </td>
    </tr>
  );
}
