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
import { NumberInput, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { schemaOf } from "@zhangfang/web/schema.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { StorePicks } from "../../stores/web/index.ts";
import { addLottery, getLottery, priceLottery, updateLottery } from "../contract/index.ts";
import { BLANK, type LotteryFormOf, term, termsOf } from "./form-terms.ts";
import { LOTTERY_READS } from "./lottery-words.ts";
import { PrizeFields } from "./PrizeFields.tsx";

/** 新建摇一摇. */
export function AddLottery({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const form = useForm(addLottery, {
    initial: { name: "", firstDay: today(), lastDay: addDays(today(), 29), terms: BLANK as never },
    draft: "new",
    done: "已提交，等另一人审核",
    refreshes: LOTTERY_READS,
    onDone: ({ id }) => onMade(id),
  });
  return <LotteryDrawer form={form} title="新建摇一摇" onClose={onClose} />;
}
/** 修改摇一摇: while it waits, by who made it. */
export function EditLottery({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const lottery = useDetail(getLottery, { id });
  if (!lottery.data) return <WaitingDrawer of={lottery} title="修改摇一摇" onClose={onClose} />;
  return <EditForm key={lottery.data.version} of={lottery.data} onClose={onClose} />;
}
function EditForm({ of, onClose }: { of: OutputOf<typeof getLottery>; onClose: () => void }): ReactNode {
  const { id, version, name, firstDay, lastDay, terms } = of;
  const form = useForm(updateLottery, {
    initial: { id, version, name, firstDay, lastDay, terms: terms as never },
    draft: `${id}:${version}`,
    done: "已保存，等另一人审核",
    refreshes: LOTTERY_READS,
    onDone: onClose,
  });
  return <LotteryDrawer form={form as never} title={`修改 ${name}`} onClose={onClose} />;
}

function LotteryDrawer({ form, title, onClose }: { form: LotteryFormOf; title: string; onClose: () => void }): ReactNode {
  const price = usePrice(form);
  const { data } = price;
  const { prizes } = termsOf(form);
  return (
    <FormDrawer
      form={form}
      title={title}
      wide
      submit={data ? `提交审核 · 最多 ${yuan(data.budgetCents)} 元` : "提交审核"}
      onClose={onClose}
    >
      <Field of={form.field("name")} label="活动名称" help="顾客会看到">
        {(f) => <TextInput {...f} maxLength={20} placeholder="如：周末摇一摇" />}
      </Field>
      <PrizeFields form={form} costs={data?.costs ?? []} />
      <FormSection title="什么时候、每人几次">
        <Field of={form.field("firstDay")} label="开始日" help="规则要在开始前公布，最早今天">
          {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
        </Field>
        <Field of={form.field("lastDay")} label="结束日" help="当天 24:00 结束">
          {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
        </Field>
        <Field of={term(form, "perDay")} label="每人每天">
          {(f) => <NumberInput {...f} unit="次" />}
        </Field>
        <Field of={term(form, "perPerson")} label="每人一共">
          {(f) => <NumberInput {...f} unit="次" />}
        </Field>
      </FormSection>
      <FormSection title="怎么兑、找谁">
        {prizes.some(({ kind }) => kind === "goods") && (
          <>
            <Field of={term(form, "storeIds")} label="实物在哪里兑" optional help="不选就是全部门店">
              {(f) => (
                <Suspense>
                  <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
                </Suspense>
              )}
            </Field>
            <Field of={term(form, "redeemDays")} label="结束后几天内兑">
              {(f) => <NumberInput {...f} unit="天" />}
            </Field>
          </>
        )}
        {prizes.some(({ kind }) => kind === "points") && (
          <Field of={term(form, "pointsDays")} label="积分有效期" optional help="从到账起算；不填为不过期">
            {(f) => <NumberInput {...f} onChange={(days) => f.onChange((days ?? null) as never)} unit="天" />}
          </Field>
        )}
        <Field of={term(form, "contact")} label="主办方联系电话" help="会在规则里公布">
          {(f) => <TextInput {...f} maxLength={16} inputMode="tel" />}
        </Field>
        <Field
          of={term(form, "staffListed")}
          label="员工"
          help={`员工名单上有 ${data?.staff ?? 0} 人，他们的手机号不能摇；名单在列表页的「员工名单」里`}
        >
          {(f) => <Switch {...f} label="员工都在名单里，名单外没有员工" />}
        </Field>
        <Field of={term(form, "note")} label="补充说明" optional help="一句话，写在规则最后">
          {(f) => <TextInput {...f} maxLength={60} />}
        </Field>
      </FormSection>
      <Said price={price} />
    </FormDrawer>
  );
}

/** What it may cost, what is said of it and what the law asks, asked a moment after somebody stops typing. */
function usePrice(form: LotteryFormOf) {
  const { firstDay, lastDay } = form.values;
  const asked = useSettled(JSON.stringify({ firstDay, lastDay, terms: termsOf(form) }), 400);
  return useQuery({
    queryKey: [priceLottery.path, asked],
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<OutputOf<typeof priceLottery> | null> => {
      const given = (await schemaOf(priceLottery)).safeParse(JSON.parse(asked) as unknown);
      return given.success ? call(priceLottery, given.data as never, { signal, quiet: true }) : null;
    },
  });
}
/** The law's ticks, the rules as the customer reads them, and the most that they may cost. */
function Said({ price }: { price: ReturnType<typeof usePrice> }): ReactNode {
  const { data, error } = price;
  return (
    <section className="lottery-said" aria-label="规则和成本" aria-live="polite" aria-busy={price.isFetching}>
      {error ? (
        <p className="field-error">{(error as ApiError).message}</p>
      ) : data ? (
        <>
          <p>
            最多花 <b className="num">{yuan(data.budgetCents)}</b> 元
            <span className="note">：所有奖品都发完时；审核通过就先占住，券按最多能减的算</span>
          </p>
          <h3>开始前要公布（总局令 32 号）</h3>
          <ul className="lottery-law">
            {data.law.map(({ ok, text }) => (
              <li key={text} data-ok={ok}>
                <span aria-hidden="true">{ok ? "✓" : "✗"}</span>
                {ok ? text : <b>{text}</b>}
              </li>
            ))}
          </ul>
          <h3>顾客看到的规则</h3>
          <ol>
            {data.said.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
          <p className="note">
            结果由种子算出来：审核时公布种子链的指纹，之后每天公布前一天的种子，谁都能重算。没公布的种子商户看不到，也不能按时间、地区放奖。
          </p>
        </>
      ) : (
        <p className="note">填好奖品、时间和联系电话，这里会说出整条规则、法律要求和最多花多少。</p>
      )}
    </section>
  );
}
