import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { PickOne, Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  activation,
  addCard,
  CARD_PICTURE_MOST,
  formField,
  formFlag,
  getCard,
  getWxCard,
  listCardAreas,
  listCards,
  listHolders,
  listWxCards,
  openCard,
  setCardFace,
  setCardForm,
  summariseCards,
  summariseHolders,
} from "../contract/index.ts";
import { formWords } from "../contract/words.ts";
import { CardFace, TonePicks, uploadCardPicture } from "./CardFace.tsx";

export const CARD_READS = [listCards, summariseCards, getCard, listCardAreas, listWxCards, getWxCard];
type Card = OutputOf<typeof getCard>;

/** 新建会员卡. */
export function AddCardDrawer({ onClose, onAdded }: { onClose: () => void; onAdded: (id: string) => void }): ReactNode {
  const form = useForm(addCard, {
    initial: { tone: "COLOR020", logo: null, background: null, activation: "auto", endsOn: null },
    done: "已新建，确认后就能启用",
    refreshes: CARD_READS,
    onDone: ({ id }) => onAdded(id),
  });
  return (
    <FormDrawer form={form} title="新建会员卡" submit="新建" onClose={onClose}>
      <FaceFields form={form as never} />
    </FormDrawer>
  );
}
/** 修改卡面. */
export function FaceDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const card = useDetail(getCard, { id });
  if (card.data) return <FaceForm key={card.data.revision} card={card.data} onClose={onClose} />;
  return <WaitingDrawer of={card} title="修改卡面" onClose={onClose} />;
}
function FaceForm({ card, onClose }: { card: Card; onClose: () => void }): ReactNode {
  const { id, revision, name, tone, logo, background, notice, phone, rights, activation: how, endsOn } = card;
  const form = useForm(setCardFace, {
    initial: { id, revision, name, tone, logo, background, notice, phone, rights, activation: how, endsOn },
    draft: `${id}:${revision}`,
    done: "已保存",
    refreshes: CARD_READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改卡面 ${name}`} submit="保存" onClose={onClose}>
      <FaceFields form={form as never} merchantName={card.merchantName} />
    </FormDrawer>
  );
}
function FaceFields({ form, merchantName = "" }: { form: Form<typeof addCard>; merchantName?: string }): ReactNode {
  const { name = "", tone = "COLOR020", logo, background, notice, phone } = form.values;
  return (
    <>
      <CardFace {...{ name, tone, merchantName, logo, background, notice, phone }} />
      <Field of={form.field("name")} label="卡名" help="最多 10 个字，微信也用这个名字">
        {(f) => <TextInput {...f} maxLength={10} placeholder="如：蜀味会员卡" />}
      </Field>
      <Field of={form.field("tone")} label="颜色">
        {(f) => <TonePicks {...f} />}
      </Field>
      <Field of={form.field("logo")} label="标志" optional help="正方形，显示为圆形">
        {(f) => (
          <PictureInput
            {...f}
            value={f.value as string | null}
            onChange={(url) => f.onChange((url ?? null) as never)}
            name="会员卡标志"
            most={CARD_PICTURE_MOST}
            upload={uploadCardPicture}
          />
        )}
      </Field>
      <Field of={form.field("background")} label="背景图" optional help="横图，约 1000 × 600；不传就用颜色">
        {(f) => (
          <PictureInput
            {...f}
            value={f.value as string | null}
            onChange={(url) => f.onChange((url ?? null) as never)}
            name="会员卡背景图"
            most={CARD_PICTURE_MOST}
            upload={uploadCardPicture}
          />
        )}
      </Field>
      <Field of={form.field("notice")} label="使用提醒" optional help="印在卡面上；微信只显示前 16 个字">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：结账前请出示" />}
      </Field>
      <Field of={form.field("phone")} label="客服电话" optional>
        {(f) => <TextInput {...f} maxLength={20} inputMode="tel" autoComplete="off" />}
      </Field>
      <Field of={form.field("rights")} label="权益说明" optional help="用顾客看得懂的话写">
        {(f) => <TextArea {...f} maxLength={500} rows={4} />}
      </Field>
      <Field of={form.field("activation")} label="激活">
        {(f) => <Radios {...f} value={f.value ?? "auto"} set={activation} />}
      </Field>
      <Field of={form.field("endsOn")} label="有效期至" optional help="到期日 24:00 后权益结束，积分和余额仍能用、能退；不填为长期有效">
        {(f) => <DayInput {...f} />}
      </Field>
    </>
  );
}

/** 开卡表单: each field off, asked for, or needed. */
export function AskedDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const card = useDetail(getCard, { id });
  if (card.data) return <AskedForm key={card.data.revision} card={card.data} onClose={onClose} />;
  return <WaitingDrawer of={card} title="开卡表单" onClose={onClose} />;
}
function AskedForm({ card: { id, revision, name, form: asked }, onClose }: { card: Card; onClose: () => void }): ReactNode {
  const form = useForm(setCardForm, {
    initial: { id, revision, form: asked },
    draft: `${id}:${revision}`,
    done: "已保存，从现在起按它开卡",
    refreshes: CARD_READS,
    onDone: onClose,
  });
  const now = form.values.form ?? asked;
  return (
    <FormDrawer form={form} title={`开卡表单 ${name}`} submit="保存" onClose={onClose}>
      <p className="note">{formWords(now)}。只问用得上的：不问的信息不用保管。</p>
      {formField.values.map((field) => (
        <Field
          key={field}
          of={{
            name: `form.${field}`,
            value: now[field],
            error: form.errorAt(`form.${field}`),
            set: (value) => form.set({ form: { ...now, [field]: value ?? 0 } }),
          }}
          label={formField.label(field)}
          {...(field === "mobile" && { help: "会员由手机号认，须必填" })}
        >
          {(f) => <Radios {...f} {...{ "aria-label": formField.label(field) }} value={f.value ?? 0} set={formFlag} />}
        </Field>
      ))}
    </FormDrawer>
  );
}

/** 给会员开卡. */
export function OpenCardDrawer({
  id,
  cards,
  onClose,
}: {
  id: string;
  cards: readonly { id: string; name: string }[];
  onClose: () => void;
}): ReactNode {
  const form = useForm(openCard, {
    initial: { ...(id !== "new" && { cardId: id }) },
    draft: false,
    refreshes: [...CARD_READS, listHolders, summariseHolders],
    onDone: ({ code, made, gift }) => {
      success(made ? `已开卡，卡号 ${code}${gift && `，送 ${gift}`}` : `这位会员已有这张卡，卡号 ${code}`);
      onClose();
    },
  });
  return (
    <FormDrawer form={form} title="给会员开卡" submit="开卡" onClose={onClose}>
      <Field of={form.field("cardId")} label="会员卡">
        {(f) => <PickOne {...f} options={cards.map((card) => ({ value: card.id, label: card.name }))} placeholder="已启用的卡" />}
      </Field>
      <Field of={form.field("memberNo")} label="会员号" help="10 位数字，在会员页或会员列表">
        {(f) => <TextInput {...f} inputMode="numeric" autoComplete="off" maxLength={10} />}
      </Field>
      <Field of={form.field("storeId")} label="开卡门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
    </FormDrawer>
  );
}
