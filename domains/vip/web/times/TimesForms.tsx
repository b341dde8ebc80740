import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { PickOne, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  extendTimesCard,
  getTimesCard,
  getTimesOffers,
  listTimesCards,
  listTimesUses,
  previewTimesRefund,
  refundTimesCard,
  reverseTimesUse,
  sellTimesCard,
  summariseTimesCards,
  summariseTimesUses,
  timesReason,
  type TimesReason,
} from "../../contract/index.ts";
import { PayByCode } from "../PayByCode.tsx";
import "../vip.css";

const READS = [listTimesCards, summariseTimesCards, getTimesCard, previewTimesRefund];

/** 售次卡: for a member at a store, and then the code that they pay. */
export function SellCardDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const offers = useDetail(getTimesOffers, {});
  const [sold, setSold] = useState<OutputOf<typeof sellTimesCard>>();
  const card = useDetail(getTimesCard, sold && { id: sold.id }, { until: ({ status }) => status !== 0 });
  const form = useForm(sellTimesCard, { initial: {}, draft: false, refreshes: READS, onDone: setSold });
  if (sold) {
    const status = card.data?.status ?? 0;
    return <PayByCode title="售次卡" sold={sold} paid={status === 0 ? undefined : status === 6 ? "closed" : "paid"} onClose={onClose} />;
  }
  if (!offers.data) return <WaitingDrawer title="售次卡" of={offers} onClose={onClose} />;
  const { products } = offers.data;
  const chosen = products.find(({ id }) => id === form.values.productId);
  return (
    <FormDrawer form={form} title="售次卡" submit={chosen ? `生成付款码 ¥${yuan(chosen.priceCents)}` : "生成付款码"} onClose={onClose}>
      {products.length === 0 && <p className="notice notice-warn">没有在售的次卡，请先在「次卡」里新建</p>}
      <Field of={form.field("memberNo")} label="会员号" help="10 位数字，在会员页或会员列表">
        {(f) => <TextInput {...f} inputMode="numeric" autoComplete="off" maxLength={10} />}
      </Field>
      <Field of={form.field("storeId")} label="门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("productId")} label="次卡">
        {(f) => (
          <PickOne
            {...f}
            value={f.value as string}
            options={products.map(({ id, name, priceCents }) => ({ value: id, label: `${name} · ¥${yuan(priceCents)}` }))}
          />
        )}
      </Field>
    </FormDrawer>
  );
}

/** 退款: the three legal sums side by side, each with how it is reckoned; one that does not apply says why. Nobody types an amount. */
export function CardRefundDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const preview = useDetail(previewTimesRefund, { id });
  if (preview.data) return <RefundForm key={preview.data.usedTimes} id={id} preview={preview.data} onClose={onClose} />;
  return <WaitingDrawer title="次卡退款" of={preview} onClose={onClose} />;
}
function RefundForm({
  id,
  preview: p,
  onClose,
}: {
  id: string;
  preview: OutputOf<typeof previewTimesRefund>;
  onClose: () => void;
}): ReactNode {
  const form = useForm(refundTimesCard, {
    initial: { id, note: "" },
    draft: false,
    done: "已提交退款，次卡不能再用",
    refreshes: READS,
    onDone: onClose,
    check: () => (p.refusal === null ? undefined : { reason: p.refusal }),
    ask: ({ refundCents = 0 }) => ({
      text: `退款 ¥${yuan(refundCents)} 原路退回付款人，剩下的 ${p.leftTimes} 次作废。提交后不能撤回。`,
      ok: `确认退款 ¥${yuan(refundCents)}`,
      danger: true,
    }),
  });
  const chosen = p.reasons.find(({ reason }) => reason === form.values.reason);
  const choose = (reason: TimesReason, refundCents: Offered["refundCents"]): void => form.set({ reason, refundCents });
  return (
    <FormDrawer
      form={form}
      title="次卡退款"
      submit={chosen ? `确认退款 ¥${yuan(chosen.refundCents)}` : "选择退款原因"}
      danger
      onClose={onClose}
    >
      <Group
        title="次卡现在"
        pairs={[
          ["售价", `¥${yuan(p.priceCents)}，${p.times} 次`],
          ["已用", `${p.usedTimes} 次，折 ¥${yuan(p.usedCents)}`],
          ["未用", `${p.leftTimes} 次，折 ¥${yuan(p.leftCents)}`],
        ]}
      />
      <Field of={form.field("reason")} label="退款原因" help="提交时先占住，审核期间不能核销，金额不会变">
        {(f) => <Reasons {...f} of={p.reasons} onChoose={choose} />}
      </Field>
      <Field of={form.field("note")} label="说明" help="顾客会在退款通知里看到">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
      {p.needsPassword && (
        <Field of={form.field("refundPassword")} label="退款密码" help="在商户配置里设置">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
        </Field>
      )}
    </FormDrawer>
  );
}

type Offered = OutputOf<typeof previewTimesRefund>["reasons"][number];
/** One of the reasons, each with its sum; what does not apply stays in sight. */
function Reasons({
  id,
  value,
  of,
  onChoose,
  ...aria
}: Pick<InputProps<TimesReason>, "id" | "value" | "aria-invalid" | "aria-describedby"> & {
  of: readonly Offered[];
  onChoose: (reason: TimesReason, refundCents: Offered["refundCents"]) => void;
}): ReactNode {
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label="退款原因"
      className="vip-reasons"
      aria-invalid={aria["aria-invalid"]}
      aria-describedby={aria["aria-describedby"]}
    >
      {of.map(({ reason, refundCents, forfeitedCents, how, refusal }) => (
        <label key={reason} className={refusal === null ? "vip-reason" : "vip-reason vip-reason-off"}>
          <input
            type="radio"
            name={id}
            checked={value === reason}
            disabled={refusal !== null}
            onChange={() => onChoose(reason, refundCents)}
          />
          <span>
            <strong className="vip-reason-name">{timesReason.label(reason)}</strong>
            <small className="note">{refusal ?? how}</small>
            {refusal === null && forfeitedCents !== 0 && (
              <small className="note">
                {forfeitedCents > 0 ? `退卡差额 ¥${yuan(forfeitedCents)} 归商户` : `商户多退 ¥${yuan(Math.abs(forfeitedCents))}`}
              </small>
            )}
          </span>
          <span className="num vip-reason-sum">¥{yuan(refundCents)}</span>
        </label>
      ))}
    </div>
  );
}

/** 延期: free, to a later day. */
export function ExtendDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const card = useDetail(getTimesCard, { id });
  const form = useForm(extendTimesCard, { initial: { id, reason: "" }, draft: id, done: "已延期", refreshes: READS, onDone: onClose });
  if (!card.data) return <WaitingDrawer title="次卡延期" of={card} onClose={onClose} />;
  return (
    <FormDrawer form={form} title={`次卡延期 ${card.data.cardNo}`} submit="延期" onClose={onClose}>
      <Field
        of={form.field("lastDay")}
        label="新的到期日"
        help={`现在 ${card.data.lastDay ?? "—"} 24:00 到期，还剩 ${card.data.leftTimes} 次；延期不收费`}
      >
        {(f) => <DayInput {...f} value={f.value} onChange={(day) => f.onChange(day ?? undefined)} />}
      </Field>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}

/** 撤销核销: within 24 hours, once. */
export function ReverseDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const form = useForm(reverseTimesUse, {
    initial: { id, reason: "" },
    draft: id,
    done: "已撤销，次数已退回",
    refreshes: [listTimesUses, summariseTimesUses, ...READS],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="撤销核销" submit="撤销核销" danger onClose={onClose}>
      <p className="note">次数退回次卡；次卡已到期的，再给一天。一次核销只能撤销一次。</p>
      <Field of={form.field("reason")} label="原因">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
