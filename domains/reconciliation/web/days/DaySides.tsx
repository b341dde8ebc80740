import type { ReactNode } from "react";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import type { Day } from "./day.ts";

/** Both sides of a day, and by how much they differ. */
export function DaySides({ day: { ours, bill } }: { day: Day }): ReactNode {
  const amounts: readonly (readonly [name: string, ours: number, bill: number, hint?: string])[] = [
    ["支付金额", ours.payCents, bill.payCents],
    ["退款金额", ours.refundCents, bill.refundCents, "本地按提交给渠道的日期，渠道按账单日期"],
    ["净收", ours.payCents - ours.refundCents, bill.payCents - bill.refundCents],
    ["手续费", ours.feeCents, bill.feeCents, "支付的手续费减去退款退回的手续费"],
  ];
  return (
    <Group title="两边合计">
      <div className="table-scroll">
        <table className="table recon-sides" aria-label="本地与渠道合计">
          <thead>
            <tr>
              <th scope="col">项目</th>
              <th scope="col" className="at-right">
                本地
              </th>
              <th scope="col" className="at-right">
                渠道
              </th>
              <th scope="col" className="at-right">
                相差
              </th>
            </tr>
          </thead>
          <tbody>
            <Counts name="支付笔数" ours={ours.payCount} bill={bill.payCount} />
            <Counts name="退款笔数" ours={ours.refundCount} bill={bill.refundCount} />
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
