import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { schemaOf } from "@zhangfang/web/schema.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { PackagePicks, useGivable } from "../../coupons/web/index.ts";
import { StorePicks } from "../../stores/web/index.ts";
import {
  type ActivityKind,
  activityKind,
  type ActivityTerms,
  addActivity,
  getActivity,
  type Gift,
  listActivities,
  priceActivity,
  scanOnce,
  summariseActivities,
  updateActivity,
} from "../contract/index.ts";

export const ACTIVITY_READS = [listActivities, summariseActivities, getActivity];
type ActivityForm = Form<typeof addActivity>;
const BLANK_GIFT: Gift = { coupons: [], points: 0, pointsDays: null, giftCents: 0 };
const BLANK = {
  gift: BLANK_GIFT,
  storeIds: [],
  daysBefore: 0,
  once: "life",
  minCents: 0,
  perDay: 5,
  friendToo: true,
  note: "",
} satisfies Partial<ActivityTerms>;

/** 新建活动 of a kind, or a copy of another one. */
export function AddActivity({
  kind,
  onClose,
  onMade,
}: {
  kind: ActivityKind;
  onClose: () => void;
  onMade: (id: string) => void;
}): ReactNode {
  const form = useForm(addActivity, {
    initial: { kind, name: "", firstDay: today(), lastDay: addDays(today(), 29), terms: BLANK as never },
    draft: kind,
    done: "已提交，等另一人审核",
    refreshes: ACTIVITY_READS,
    onDone: ({ id }) => onMade(id),
  });
  return <ActivityDrawer form={form} kind={kind} title={`新建${activityKind.label(kind)}`} onClose={onClose} />;
}
/** 修改活动: while it waits, by who made it. */
export function EditActivity({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const activity = useDetail(getActivity, { id });
  if (!activity.data) return <WaitingDrawer of={activity} title="修改活动" onClose={onClose} />;
  return <EditForm key={activity.data.version} of={activity.data} onClose={onClose} />;
}
function EditForm({ of, onClose }: { of: OutputOf<typeof getActivity>; onClose: () => void }): ReactNode {
  const { id, version, kind, name, firstDay, lastDay, terms } = of;
  const form = useForm(updateActivity, {
    initial: { id, version, name, firstDay, lastDay, terms: terms as never },
    draft: `${id}:${version}`,
    done: "已保存，等另一人审核",
    refreshes: ACTIVITY_READS,
    onDone: onClose,
  });
  return <ActivityDrawer form={form as never} kind={kind} title={`修改 ${name}`} onClose={onClose} />;
}

const termsOf = (form: ActivityForm): ActivityTerms => ({ ...BLANK, ...(form.values.terms as unknown as ActivityTerms) });
/** One of the terms as a field of the form. */
function term<K extends keyof ActivityTerms>(form: ActivityForm, name: K): FormField<NonNullable<ActivityTerms[K]>> {
  const terms = termsOf(form);
  return {
    name: `terms.${name}`,
    value: (terms[name] ?? undefined) as NonNullable<ActivityTerms[K]> | undefined,
    error: form.errorAt(`terms.${name}`),
    set: (value) => form.set({ ...form.values, terms: { ...terms, [name]: value } as never }),
  };
}
function giftField<K extends keyof Gift>(form: ActivityForm, name: K): FormField<NonNullable<Gift[K]>> {
  const terms = termsOf(form);
  return {
    name: `terms.gift.${name}`,
    value: (terms.gift[name] ?? undefined) as NonNullable<Gift[K]> | undefined,
    error: form.errorAt(`terms.gift.${name}`),
    set: (value) => form.set({ ...form.values, terms: { ...terms, gift: { ...terms.gift, [name]: value ?? BLANK_GIFT[name] } } as never }),
  };
}

function ActivityDrawer({
  form,
  kind,
  title,
  onClose,
}: {
  form: ActivityForm;
  kind: ActivityKind;
  title: string;
  onClose: () => void;
}): ReactNode {
  const price = usePrice(form, kind);
  const { data } = price;
  return (
    <FormDrawer form={form} title={title} submit={data ? `提交审核 · 最高 ${yuan(data.budgetCents)} 元` : "提交审核"} onClose={onClose}>
      <Field of={form.field("name")} label="活动名称" help="顾客会看到">
        {(f) => <TextInput {...f} maxLength={20} placeholder={`如：${EXAMPLE[kind]}`} />}
      </Field>
      <When form={form} kind={kind} />
      {kind === "fans" && <Fans />}
      {kind === "recommend" && <Recommend form={form} />}
      {kind === "paid" && (
        <Field of={term(form, "minCents")} label="一单付满" optional help="按实付，储值也算；退款后不满的，收回没用的券和积分">
          {(f) => <MoneyInput {...f} />}
        </Field>
      )}
      {kind === "scan" && (
        <Field of={term(form, "once")} label="每人领几次" help="审核通过后，在活动详情里取每家门店的活动码">
          {(f) => <Radios {...f} set={scanOnce} />}
        </Field>
      )}
      {kind === "birthday" && (
        <Field of={term(form, "daysBefore")} label="提前几天" help="0 是生日当天；每天 00:05 到账，2 月 29 日的在平年算 2 月 28 日">
          {(f) => <NumberInput {...f} unit="天" />}
        </Field>
      )}
      <GiftFields form={form} balance={kind !== "paid"} />
      <Field of={term(form, "places")} label="名额" help={data ? `每份最高 ${yuan(data.placeCents)} 元；送完为止` : "送完为止"}>
        {(f) => <NumberInput {...f} unit="份" />}
      </Field>
      <Field of={term(form, "note")} label="补充说明" optional help="一句话，写在规则最后">
        {(f) => <TextInput {...f} maxLength={60} />}
      </Field>
      <Said price={price} />
    </FormDrawer>
  );
}
const EXAMPLE: Readonly<Record<ActivityKind, string>> = {
  new: "新人见面礼",
  birthday: "生日快乐",
  scan: "进店扫一扫",
  paid: "消费有礼",
  recommend: "老带新",
  fans: "关注有礼",
};

/** What it may cost and what is said of it, asked a moment after somebody stops typing. */
function usePrice(form: ActivityForm, kind: ActivityKind) {
  const { firstDay, lastDay } = form.values;
  const asked = useSettled(JSON.stringify({ kind, firstDay, lastDay, terms: termsOf(form) }), 400);
  return useQuery({
    queryKey: [priceActivity.path, asked],
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<OutputOf<typeof priceActivity> | null> => {
      const given = (await schemaOf(priceActivity)).safeParse(JSON.parse(asked) as unknown);
      return given.success ? call(priceActivity, given.data as never, { signal, quiet: true }) : null;
    },
  });
}
/** The rules as the customer reads them, with the most that they may cost. */
function Said({ price }: { price: ReturnType<typeof usePrice> }): ReactNode {
  const { data, error } = price;
  return (
    <section className="activity-said" aria-label="规则和成本" aria-live="polite" aria-busy={price.isFetching}>
      {error ? (
        <p className="field-error">{(error as ApiError).message}</p>
      ) : data ? (
        <>
          <h3>顾客看到的规则</h3>
          <ol>
            {data.said.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
          <p>
            最高成本 <b className="num">{yuan(data.budgetCents)}</b> 元
            <span className="note">：每份最高 {yuan(data.placeCents)} 元 × 名额，券按最多能减的算</span>
          </p>
        </>
      ) : (
        <p className="note">填好时间、礼品和名额，这里会说出整条规则和最高成本。</p>
      )}
    </section>
  );
}

/** 粉丝券: how a follow comes to be a gift. */
const Fans = (): ReactNode => (
  <p className="notice">
    公众号要先在「微信应用」里接好。新粉丝已是会员的直接到账；还不是的，公众号马上回一条领取链接，登录会员页就领到。以前关注过的、取消后再关注的不送。
  </p>
);
function When({ form, kind }: { form: ActivityForm; kind: ActivityKind }): ReactNode {
  const label = kind === "fans" ? "扫哪些门店的渠道码" : "门店";
  return (
    <FormSection title="什么时候、在哪里">
      <Field of={form.field("firstDay")} label="开始日">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={form.field("lastDay")} label="结束日" help="当天 24:00 结束">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={term(form, "storeIds")} label={label} optional help={kind === "fans" ? "不选就是怎么关注的都送" : "不选就是全部门店"}>
        {(f) => (
          <Suspense>
            <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
          </Suspense>
        )}
      </Field>
    </FormSection>
  );
}

/** 推荐有礼: what counts as a friend, and WeChat's rule on sharing. */
function Recommend({ form }: { form: ActivityForm }): ReactNode {
  return (
    <FormSection title="怎样算推荐成功">
      <p className="notice notice-warn">
        微信规定：转发、分享就给奖的链接会被封。这里只有朋友真的来消费才给，会员页只出码、不提示转发；名称和说明里也别写「转发有礼」「分享得」。
      </p>
      <Field of={term(form, "minCents")} label="朋友第一单满" optional help="按实付；30 天内付款，过 7 天没退款才算">
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={term(form, "perDay")} label="每天最多" help="超过的第二天再给">
        {(f) => <NumberInput {...f} unit="位" />}
      </Field>
      <Field of={term(form, "friendToo")} label="朋友">
        {(f) => <Switch {...f} label="朋友也得一份（各占一个名额）" />}
      </Field>
    </FormSection>
  );
}
/** What one person gets: coupons with how many of each, points, balance. */
function GiftFields({ form, balance }: { form: ActivityForm; balance: boolean }): ReactNode {
  const { points } = termsOf(form).gift;
  return (
    <FormSection title="每人送什么">
      <CouponLines form={form} />
      <Field of={giftField(form, "points")} label="送积分" optional>
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      {points > 0 && (
        <Field of={giftField(form, "pointsDays")} label="积分有效期" optional help="从到账起算；不填为不过期">
          {(f) => <NumberInput {...f} onChange={(days) => f.onChange(days as never)} unit="天" />}
        </Field>
      )}
      {balance && (
        <Field of={giftField(form, "giftCents")} label="送余额" optional help="赠送的余额不可退、不折现">
          {(f) => <MoneyInput {...f} />}
        </Field>
      )}
    </FormSection>
  );
}
function CouponLines({ form }: { form: ActivityForm }): ReactNode {
  const givable = useGivable();
  const of = giftField(form, "coupons");
  const lines = (of.value ?? []) as Gift["coupons"];
  const set = (next: Gift["coupons"]): void => of.set(next);
  const free = givable.filter(({ value }) => !lines.some(({ campaignId }) => campaignId === value));
  const wrong = lines.flatMap((_line, at) => form.errorAt(`terms.gift.coupons.${at}.count`) ?? [])[0];
  return (
    <Field
      of={{ ...of, error: of.error ?? wrong } as never}
      label="送优惠券"
      optional
      help={givable.length === 0 ? "没有发放中的优惠券；先新建并审核一张" : "从发放中的券里选；审核通过就为每个名额留好"}
    >
      {({ id, ...aria }) => (
        <div className="activity-coupons">
          {lines.map(({ campaignId, count }, at) => (
            <div key={campaignId} className="activity-coupon">
              <span>{givable.find(({ value }) => value === campaignId)?.label ?? "已停发的券"}</span>
              <NumberInput
                id={`${id}-${at}`}
                aria-label="每人几张"
                value={count}
                unit="张"
                onChange={(n) => set(lines.map((line, place) => (place === at ? { ...line, count: n ?? (undefined as never) } : line)))}
              />
              <Button tone="link" onClick={() => set(lines.filter((_line, place) => place !== at))} aria-label="去掉这种券">
                去掉
              </Button>
            </div>
          ))}
          {lines.length < 5 && (
            <PickOne
              {...aria}
              id={id}
              placeholder={lines.length === 0 ? "不送券" : "再加一种"}
              options={free}
              value={undefined}
              onChange={(campaignId) => campaignId && set([...lines, { campaignId, count: 1 }])}
            />
          )}
          <Suspense>
            <PackagePicks
              onPick={(items) =>
                set([
                  ...lines.filter((line) => !items.some(({ campaignId }) => campaignId === line.campaignId)),
                  ...items.map(({ campaignId, count }) => ({ campaignId, count })),
                ])
              }
            />
          </Suspense>
        </div>
      )}
    </Field>
  );
}
