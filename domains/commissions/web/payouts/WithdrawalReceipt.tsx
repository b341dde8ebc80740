import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { payoutMethod, receiver, withdrawalStatus } from "../../contract/index.ts";
import type { Withdrawal } from "./withdrawal.ts";

/** 提现回单 on A4: what was asked for, what arrived, and by which number it can be found. */
export function WithdrawalReceipt({ withdrawal: w }: { withdrawal: Withdrawal }): ReactNode {
  const rows: readonly (readonly [string, string | null])[] = [
    ["提现单号", w.withdrawalNo],
    ["服务商", w.serviceProviderName],
    ["分润方", `${receiver.label(w.receiver)} ${w.receiverName}`],
    ["提现金额", `${yuan(w.askedCents)} 元`],
    ["手续费", `${yuan(w.feeCents)} 元`],
    ["到账金额", `${yuan(w.netCents)} 元`],
    ["状态", withdrawalStatus.label(w.status)],
    ["到账方式", payoutMethod.label(w.method)],
    ["收款账户", [w.bankName, w.numberMask, w.holderMask].filter(Boolean).join(" ")],
    ["申请", `${w.appliedByName} ${shanghaiTime(w.createdAt)}`],
    ["审核", w.decidedAt && `${w.decidedByName ?? ""} ${shanghaiTime(w.decidedAt)}`],
    ["通道单号", w.channelNo],
    ["银行流水号", w.evidence],
    ["完成时间", w.finishedAt && shanghaiTime(w.finishedAt)],
  ];
  return (
    <article className="withdrawal-receipt">
      <h2>提现回单</h2>
      <table>
        <tbody>
          {rows
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <p>款项由服务商从其支付通道账户付出，以通道或银行的回单为准。</p>
    </article>
  );
}
