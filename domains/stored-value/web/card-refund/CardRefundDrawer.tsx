import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { share, yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { memberWords } from "../../../members/web/index.ts";
import {
  askCardRefund,
  cardRefundReason,
  cardRefundWay,
  getRecharge,
  listCardRefunds,
  listOtherLots,
  listRecharges,
  previewCardRefund,
  summariseCardRefunds,
  summariseRecharges,
} from "../../contract/index.ts";
import "../stored.css";

type Preview = OutputOf<typeof previewCardRefund>;

/** 退卡: the three legal sums side by side, and everything that will happen, before anybody clicks. */
export function CardRefundDrawer({ onClose, ...which }: ({ rechargeId: string } | { lotId: string }) & { onClose: () => void }): ReactNode {
  const preview = useDetail(previewCardRefund, which);
  if (preview.data) return <Ask key={JSON.stringify(preview.data.sums)} preview={preview.data} onClose={onClose} />;
  return <WaitingDrawer of={preview} title="退卡" width={880} onClose={onClose} />;
}

const applies = ({ refusal, grantable }: Preview["sums"][number], granted: boolean): boolean => refusal === null || (grantable && granted);

function Ask({ preview, onClose }: { preview: Preview; onClose: () => void }): ReactNode {
  const first = preview.sums.find(({ refusal }) => refusal === null) ?? preview.sums[1]!;
  const form = useForm(askCardRefund, {
    initial: {
      ...(preview.rechargeId === null ? { lotId: preview.lotId } : { rechargeId: preview.rechargeId }),
      reason: first.reason,
      way: preview.onlyOffline === null ? 0 : 1,
      paysCents: first.paysCents,
      granted: false,
      note: "",
    },
    draft: false,
    done: "已提交退卡，等另一人审核",
    refreshes: [listRecharges, summariseRecharges, getRecharge, listCardRefunds, listOtherLots, summariseCardRefunds, previewCardRefund],
    onDone: onClose,
    check: ({ reason, granted }) => {
      const sum = preview.sums[(reason ?? 2) - 1]!;
      return preview.refusal !== null
        ? { reason: preview.refusal }
        : applies(sum, granted ?? false)
          ? undefined
          : { reason: sum.refusal ?? "" };
    },
  });
  const { reason = first.reason, granted = false } = form.values;
  const chosen = preview.sums[reason - 1]!;
  const choose = (next: 1 | 2 | 3): void => form.set({ reason: next, paysCents: preview.sums[next - 1]!.paysCents });
  const field = form.field("reason");
  return (
    <FormDrawer
      form={form}
      title={`退卡 · ${memberWords(preview)} ${preview.rechargeId === null ? "本金" : "充"} ${yuan(preview.principalCents)} 送 ${yuan(preview.giftCents)}`}
      submit={`申请退卡 ¥${yuan(chosen.paysCents)}`}
      danger
      wide
      onClose={onClose}
    >
      <p className="note">
        这一批还剩本金 ¥{yuan(preview.principalLeftCents)}、赠送 {yuan(preview.giftLeftCents)}
        （不可退）。提交时先占住，审核期间顾客用不了，数也不会变。
        {preview.rechargeId === null && preview.principalLeftCents > preview.principalCents && "转来的按原充值里本金和赠送的比例算。"}
      </p>
      <Reasons preview={preview} reason={reason} granted={granted} onChoose={choose} />
      {field.error && (
        <p className="field-error" role="alert">
          {field.error}
        </p>
      )}
      {chosen.grantable && (
        <Field of={form.field("granted")} label="商户同意照七日无理由退" optional>
          {(f) => <Switch {...f} label="同意" />}
        </Field>
      )}
      <Happens preview={preview} sum={chosen} offline={form.values.way === 1} />
      <Field of={form.field("note")} label="原因说明" help="顾客会在退款通知中看到">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
      <Field of={form.field("way")} label="怎么退" help={preview.onlyOffline ?? "充值满 365 天后只能线下退"}>
        {(f) => <Radios {...f} set={cardRefundWay} />}
      </Field>
    </FormDrawer>
  );
}

/** The three side by side; arrows walk through them. */
function Reasons({
  preview,
  reason,
  granted,
  onChoose,
}: {
  preview: Preview;
  reason: 1 | 2 | 3;
  granted: boolean;
  onChoose: (reason: 1 | 2 | 3) => void;
}): ReactNode {
  return (
    <fieldset className="stored-reasons">
      <legend>为什么退</legend>
      {preview.sums.map((sum) => (
        <Reason
          key={sum.reason}
          sum={sum}
          preview={preview}
          chosen={sum.reason === reason}
          granted={granted}
          onChoose={() => onChoose(sum.reason)}
        />
      ))}
    </fieldset>
  );
}

function Reason({
  sum,
  preview,
  chosen,
  granted,
  onChoose,
}: {
  sum: Preview["sums"][number];
  preview: Preview;
  chosen: boolean;
  granted: boolean;
  onChoose: () => void;
}): ReactNode {
  const may = applies(sum, granted);
  return (
    <label className={`stored-reason${chosen ? " stored-chosen" : ""}${may ? "" : " stored-off"}`}>
      <span>
        <input type="radio" name="reason" checked={chosen} onChange={onChoose} /> {cardRefundReason.label(sum.reason)}
      </span>
      <strong className="stored-sum num">{may || sum.grantable ? `¥${yuan(sum.paysCents)}` : "不适用"}</strong>
      <span className="stored-line">
        本金 <span className="num">{yuan(preview.principalCents)}</span>
      </span>
      <span className="stored-line">
        {sum.less} <span className="num">−{yuan(sum.lessCents)}</span>
      </span>
      {preview.paidBeforeCents > 0 && (
        <span className="stored-line">
          以前已退 <span className="num">−{yuan(preview.paidBeforeCents)}</span>
        </span>
      )}
      {may && (
        <span className="stored-line stored-total">
          退给顾客 <span className="num">{yuan(sum.paysCents)}</span>
        </span>
      )}
      {sum.refusal !== null && <span className="stored-why">{sum.refusal}</span>}
    </label>
  );
}

function Happens({ preview, sum, offline }: { preview: Preview; sum: Preview["sums"][number]; offline: boolean }): ReactNode {
  const forfeited = preview.principalLeftCents - sum.paysCents;
  const taken = preview.points + sum.earnedBack;
  const there = `余 ${preview.pointsThere}，${taken <= preview.pointsThere ? "够收" : "不够的记欠分"}`;
  const whose = preview.pointsOf === null ? "" : `从购买人 ${memberWords(preview.pointsOf)} 收回，`;
  const lines: readonly (readonly [string, string, string])[] = [
    ["顾客收到", `${offline ? "线下退给同名账户或现金（现金不超过 100.00）" : "原路退回"}；最晚 ${sum.dueOn}`, `−¥${yuan(sum.paysCents)}`],
    ...(offline ? [] : ([["手续费退回商户", "按退款比例，以到账为准", yuan(share(sum.paysCents, preview.feeRate))]] as const)),
    ["退卡差额", forfeited >= 0 ? "比应退本金少付的，记商户收入" : "比剩余本金多付的，商户承担", yuan(forfeited)],
    ["赠送作废", "不是钱，不退", yuan(preview.giftLeftCents)],
    ["收回充值送的积分", `${whose}${there}`, `${preview.points} 分`],
    ...(sum.earnedBack > 0 ? ([["收回充值所得的积分", `${whose}按退款比例`, `${sum.earnedBack} 分`]] as const) : []),
    ...(preview.coupons === "" ? [] : ([["收回充值送的券", `${whose}没用的作废，用掉的不收回`, preview.coupons]] as const)),
  ];
  return (
    <table className="stored-happens">
      <caption>会发生什么</caption>
      <tbody>
        {lines.map(([what, how, much]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{how}</td>
            <td className="num">{much}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
