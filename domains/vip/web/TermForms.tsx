import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getTerm, getVipOffers, listTerms, previewTermRefund, refundTerm, sellTerm, summariseTerms } from "../contract/index.ts";
import { PayByCode } from "./PayByCode.tsx";

const READS = [listTerms, summariseTerms, getTerm];

/** 开通VIP: for a member at a store, and then the code that they pay. */
export function SellTermDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const offers = useDetail(getVipOffers, {});
  const [sold, setSold] = useState<OutputOf<typeof sellTerm>>();
  const term = useDetail(getTerm, sold && { id: sold.id }, { until: ({ status }) => status !== 0 });
  const form = useForm(sellTerm, { initial: {}, draft: false, refreshes: READS, onDone: setSold });
  if (sold) {
    const status = term.data?.status ?? 0;
    return <PayByCode title="开通VIP" sold={sold} paid={status === 0 ? undefined : status === 2 ? "closed" : "paid"} onClose={onClose} />;
  }
  if (!offers.data) return <WaitingDrawer title="开通VIP" of={offers} onClose={onClose} />;
  const { levels } = offers.data;
  const chosen = levels.find(({ rank }) => rank === form.values.rank);
  return (
    <FormDrawer form={form} title="开通VIP" submit={chosen ? `生成付款码 ¥${yuan(chosen.priceCents)}` : "生成付款码"} onClose={onClose}>
      {levels.length === 0 && <p className="notice notice-warn">没有出售的等级，请先在「VIP规则」里设置付费等级</p>}
      <Field of={form.field("memberNo")} label="会员号" help="10 位数字，在会员页或会员列表">
        {(f) => <TextInput {...f} inputMode="numeric" autoComplete="off" maxLength={10} />}
      </Field>
      <Field of={form.field("storeId")} label="门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("rank")} label="等级" help="本人 18 周岁以上；7 天内没用过权益可全额退">
        {(f) => (
          <PickOne
            {...f}
            value={f.value === undefined ? undefined : String(f.value)}
            onChange={(rank) => f.onChange(rank === undefined ? undefined : (Number(rank) as never))}
            options={levels.map(({ rank, name, months, priceCents }) => ({
              value: String(rank),
              label: `${name} · ${months} 个月 · ¥${yuan(priceCents)}`,
            }))}
          />
        )}
      </Field>
    </FormDrawer>
  );
}

/** 退款: the sum with how it is reckoned; nobody types one. */
export function TermRefundDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const preview = useDetail(previewTermRefund, { id });
  if (preview.data) return <RefundForm key={preview.data.refundCents} id={id} preview={preview.data} onClose={onClose} />;
  return <WaitingDrawer title="VIP退款" of={preview} onClose={onClose} />;
}
function RefundForm({
  id,
  preview: p,
  onClose,
}: {
  id: string;
  preview: OutputOf<typeof previewTermRefund>;
  onClose: () => void;
}): ReactNode {
  const form = useForm(refundTerm, {
    initial: { id, refundCents: p.refundCents, reason: "" },
    draft: id,
    secrets: ["refundPassword"],
    done: "已提交退款，等级从现在起不再计算",
    refreshes: [...READS, previewTermRefund],
    onDone: onClose,
    check: () => (p.refusal === null ? undefined : { reason: p.refusal }),
    ask: () => ({
      text: `退款 ¥${yuan(p.refundCents)} 原路退回付款人，等级立即失效。提交后不能撤回。`,
      ok: `确认退款 ¥${yuan(p.refundCents)}`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title="VIP退款" submit={`确认退款 ¥${yuan(p.refundCents)}`} danger onClose={onClose}>
      <HeroLine label="应退" amount={p.refundCents} />
      <Group
        title="怎么算的"
        pairs={[
          ["规则", p.rule === "whole" ? "7 天内没用过权益，全额退" : `按剩余天数：价格 × ${p.daysLeft} ÷ ${p.days}`],
          ["剩余", `${p.daysLeft} 天，共 ${p.days} 天`],
          ["全额退到", `${p.wholeThrough} 24:00`],
          ["用过的权益", p.used ?? "没有"],
        ]}
      />
      <Field of={form.field("reason")} label="退款原因" help="顾客会在退款通知里看到">
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
