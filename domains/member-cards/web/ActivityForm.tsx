import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { useGivable } from "../../coupons/web/index.ts";
import { addActivity, getActivity, listActivities, summariseActivities, updateActivity } from "../contract/index.ts";

export const ACTIVITY_READS = [listActivities, summariseActivities, getActivity];
type Cards = readonly { readonly id: string; readonly name: string }[];

/** 新建开卡活动. */
export function AddActivityDrawer({ cards, onClose }: { cards: Cards; onClose: () => void }): ReactNode {
  const form = useForm(addActivity, {
    initial: {
      firstDay: today(),
      lastDay: addDays(today(), 29),
      points: 0,
      giftCents: 0,
      pointsDays: null,
      budgetCents: null,
      couponCampaignId: null,
      couponCount: 1,
    },
    done: "已新建，点「开始」后生效",
    refreshes: ACTIVITY_READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建开卡活动" submit="新建" onClose={onClose}>
      <Facts form={form as never} cards={cards} />
    </FormDrawer>
  );
}
/** 修改开卡活动: while it does not run. */
export function EditActivityDrawer({ id, cards, onClose }: { id: string; cards: Cards; onClose: () => void }): ReactNode {
  const activity = useDetail(getActivity, { id });
  if (activity.data) return <EditForm key={activity.data.revision} activity={activity.data} cards={cards} onClose={onClose} />;
  return <WaitingDrawer of={activity} title="修改开卡活动" onClose={onClose} />;
}
function factsOf({
  id,
  revision,
  cardId,
  name,
  points,
  pointsDays,
  giftCents,
  couponCampaignId,
  couponCount,
  firstDay,
  lastDay,
  mostCount,
  budgetCents,
}: OutputOf<typeof getActivity>) {
  return {
    id,
    revision,
    cardId,
    name,
    points,
    pointsDays,
    giftCents,
    couponCampaignId,
    couponCount,
    firstDay,
    lastDay,
    mostCount,
    budgetCents,
  };
}
function EditForm({ activity, cards, onClose }: { activity: OutputOf<typeof getActivity>; cards: Cards; onClose: () => void }): ReactNode {
  const { id, revision, name } = activity;
  const form = useForm(updateActivity, {
    initial: factsOf(activity),
    draft: `${id}:${revision}`,
    done: "已保存",
    refreshes: ACTIVITY_READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改开卡活动 ${name}`} submit="保存" onClose={onClose}>
      {activity.givenCount > 0 && <p className="notice">已有 {activity.givenCount} 人领取，改动只对之后开卡的会员有效</p>}
      <Facts form={form as never} cards={cards} />
    </FormDrawer>
  );
}
function Facts({ form, cards }: { form: Form<typeof addActivity>; cards: Cards }): ReactNode {
  const { points = 0, giftCents = 0, mostCount = 0 } = form.values;
  const givable = useGivable();
  const most = giftCents > 0 && mostCount > 0 ? `名额送满要 ${yuan(giftCents * mostCount)} 元；先用完的先停` : "送完为止";
  return (
    <>
      <Field of={form.field("name")} label="活动名称">
        {(f) => <TextInput {...f} maxLength={32} placeholder="如：开卡有礼" />}
      </Field>
      <Field of={form.field("cardId")} label="会员卡">
        {(f) => <PickOne {...f} options={cards.map(({ id, name }) => ({ value: id, label: name }))} />}
      </Field>
      <Field of={form.field("points")} label="送积分" help="每人">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      {points > 0 && (
        <Field of={form.field("pointsDays")} label="积分有效期" optional help="从领取起算；不填为不过期">
          {(f) => <NumberInput {...f} value={f.value ?? undefined} onChange={(days) => f.onChange((days ?? null) as never)} unit="天" />}
        </Field>
      )}
      <Field of={form.field("giftCents")} label="送余额" help="每人；赠送的余额不可退、不折现">
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("couponCampaignId")} label="送优惠券" optional help="从发放中的券里选；开卡时还没发完才送得到">
        {(f) => (
          <PickOne
            {...f}
            placeholder="不送"
            options={givable}
            value={f.value ?? undefined}
            onChange={(id) => f.onChange((id ?? null) as never)}
          />
        )}
      </Field>
      {form.values.couponCampaignId && (
        <Field of={form.field("couponCount")} label="每人几张">
          {(f) => <NumberInput {...f} unit="张" />}
        </Field>
      )}
      <Field of={form.field("firstDay")} label="开始日">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={form.field("lastDay")} label="结束日" help="当天 24:00 结束">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={form.field("mostCount")} label="名额" help="每位会员一次">
        {(f) => <NumberInput {...f} unit="人" />}
      </Field>
      {giftCents > 0 && (
        <Field of={form.field("budgetCents")} label="余额总预算" help={most}>
          {(f) => <MoneyInput {...f} value={f.value ?? undefined} onChange={(cents) => f.onChange((cents ?? null) as never)} />}
        </Field>
      )}
    </>
  );
}
