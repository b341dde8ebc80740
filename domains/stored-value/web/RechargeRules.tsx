import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { proportion, yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, Radios, Switch } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { entered } from "@zhangfang/web/window/entered.ts";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { useGivable } from "../../coupons/web/index.ts";
import { drawMode } from "../../value-book/contract.ts";
import { getRechargeRules, MOST_CENTS, saveRechargeRules, wishPays } from "../contract/index.ts";
import { Gift, Principal } from "./stored-figures.tsx";
import "./stored.css";

type Answer = OutputOf<typeof getRechargeRules>;
type Tier = {
  amountCents?: number | undefined;
  giftCents?: number | undefined;
  points?: number | undefined;
  most?: number | null | undefined;
  couponCampaignId?: string | null | undefined;
  couponCount?: number | undefined;
};

/** 储值规则: tiers as a sheet, how it is spent, and what is owed for it. */
export function RechargeRules(): ReactNode {
  const rules = useDetail(getRechargeRules, {});
  if (!rules.data)
    return (
      <DetailScreen title="储值规则" of={rules}>
        {() => null}
      </DetailScreen>
    );
  return <RulesForm key={rules.data.rule?.version ?? 0} answer={rules.data} />;
}

function RulesForm({ answer }: { answer: Answer }): ReactNode {
  const { rule } = answer;
  const version = rule?.version ?? 0;
  const may = useAct(["/member/cardRules/edit"]);
  const form = useForm(saveRechargeRules, {
    initial: {
      version,
      tiers: (rule?.tiers ?? []) as never,
      mode: rule?.mode ?? "ratio",
      anyAmount: rule?.anyAmount ?? true,
      wishPays: rule?.wishPays ?? "less-used",
      idCardAboveCents: rule?.idCardAboveCents ?? 100_000,
      secondAboveCents: rule?.secondAboveCents ?? 50_000,
      firstDay: rule?.firstDay ?? null,
      lastDay: rule?.lastDay ?? null,
    },
    draft: `rules:${version}`,
    done: `已保存为第 ${version + 1} 版，即刻生效`,
    refreshes: [getRechargeRules],
  });
  return (
    <FormScreen
      form={form}
      title={rule ? `储值规则 第 ${version} 版` : "储值规则"}
      submit={may ? `保存为第 ${version + 1} 版，即刻生效` : "保存"}
      wide
    >
      <div className="stored-grid">
        <div>
          <p className="note">
            {rule ? (
              <>
                {rule.madeBy} 于 <Time at={rule.createdAt} /> 保存；改动只管之后的充值，旧批次照旧。
              </>
            ) : (
              "还没有档位；保存后顾客可自填金额充值，不送。"
            )}
          </p>
          <Tiers form={form} />
          <Modes form={form} />
          <h2 className="stored-title">规矩</h2>
          <Field of={form.field("anyAmount")} label="顾客可自填金额" optional>
            {(f) => <Switch {...f} label="可以" />}
          </Field>
          <Field of={form.field("wishPays")} label="顾客自己不想用了退卡" help="按这里写的算，章程要一致；商家原因总按比例退">
            {(f) => <Radios {...f} set={wishPays} />}
          </Field>
          <Field of={form.field("idCardAboveCents")} label="本金超过多少要登记证件号">
            {(f) => <MoneyInput {...f} />}
          </Field>
          <Field of={form.field("secondAboveCents")} label="收现金、转账超过多少要另一人审核">
            {(f) => <MoneyInput {...f} />}
          </Field>
          <Field of={form.field("firstDay")} label="赠送从哪天起" optional help="只管赠送，余额永不过期">
            {(f) => <DayInput {...f} />}
          </Field>
          <Field of={form.field("lastDay")} label="赠送到哪天止" optional>
            {(f) => <DayInput {...f} />}
          </Field>
        </div>
        <Aside answer={answer} />
      </div>
    </FormScreen>
  );
}

/** 8.3 折: what was paid of what can be spent. */
const worth = ({ amountCents = 0, giftCents = 0 }: Tier): string => {
  if (amountCents <= 0) return "—";
  if (giftCents <= 0) return "不打折";
  return `${Number((proportion(1000, amountCents, amountCents + giftCents) / 100).toFixed(1))} 折`;
};
function Tiers({ form }: { form: Form<typeof saveRechargeRules> }): ReactNode {
  const tiers = (form.values.tiers ?? []) as readonly Tier[];
  const set = (next: readonly Tier[]): void => form.set({ tiers: next as never });
  const change = (at: number, more: Tier): void => set(tiers.map((tier, n) => (n === at ? { ...tier, ...more } : tier)));
  const add = (): void => set([...tiers, { giftCents: 0, points: 0, most: null, couponCampaignId: null, couponCount: 1 }]);
  const givable = useGivable();
  return (
    <>
      <h2 className="stored-title">充多少送多少</h2>
      <div className="stored-scroll">
        <table className="stored-tiers" onKeyDown={(event) => entered(event) && (event.preventDefault(), add())}>
          <thead>
            <tr>
              <th scope="col">充</th>
              <th scope="col">送余额（不可退）</th>
              <th scope="col">送积分</th>
              <th scope="col">送券</th>
              <th scope="col">每人次数</th>
              <th scope="col">相当于</th>
              <th scope="col">
                <span className="sr-only">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {tiers.map((tier, at) => (
              <TierRow
                key={at}
                form={form}
                tier={tier}
                at={at}
                givable={givable}
                onChange={(more) => change(at, more)}
                onRemove={() => set(tiers.filter((_one, n) => n !== at))}
              />
            ))}
          </tbody>
        </table>
      </div>
      {form.field("tiers").error && (
        <p className="field-error" role="alert">
          {form.field("tiers").error}
        </p>
      )}
      <Act of={saveRechargeRules}>
        <Button tone="link" onClick={add}>
          加一档
        </Button>
      </Act>
      <p className="note">「相当于」只按本金和送的余额算。充值按够得着的最高一档送一次。</p>
    </>
  );
}

function TierRow({
  form,
  tier,
  at,
  givable,
  onChange,
  onRemove,
}: {
  form: Form<typeof saveRechargeRules>;
  tier: Tier;
  at: number;
  givable: readonly { readonly value: string; readonly label: string }[];
  onChange: (more: Tier) => void;
  onRemove: () => void;
}): ReactNode {
  const wrong = ["amountCents", "giftCents", "points", "most", "couponCampaignId", "couponCount"]
    .map((name) => form.errorAt(`tiers.${at}.${name}`))
    .find(Boolean);
  const over = (tier.amountCents ?? 0) + (tier.giftCents ?? 0) - MOST_CENTS;
  const said =
    wrong ?? (over > 0 ? `超过每人上限 5,000.00；这档最多送 ${yuan(Math.max(0, MOST_CENTS - (tier.amountCents ?? 0)))}` : undefined);
  const label = `第 ${at + 1} 档`;
  return (
    <tr>
      <td>
        <MoneyInput aria-label={`${label}充值金额`} value={tier.amountCents} onChange={(amountCents) => onChange({ amountCents })} />
        {said && (
          <p className="field-error" role="alert">
            {said}
          </p>
        )}
      </td>
      <td>
        <MoneyInput aria-label={`${label}赠送余额`} value={tier.giftCents} onChange={(giftCents) => onChange({ giftCents })} />
      </td>
      <td>
        <NumberInput aria-label={`${label}赠送积分`} value={tier.points} onChange={(points) => onChange({ points })} />
      </td>
      <CouponCell label={label} tier={tier} givable={givable} onChange={onChange} />
      <td>
        <NumberInput
          aria-label={`${label}每人次数`}
          placeholder="不限"
          value={tier.most ?? undefined}
          onChange={(most) => onChange({ most: most ?? null })}
        />
      </td>
      <td className="num">{worth(tier)}</td>
      <td>
        <Button tone="link" onClick={() => onRemove()}>
          删除
        </Button>
      </td>
    </tr>
  );
}

function CouponCell({
  label,
  tier,
  givable,
  onChange,
}: {
  label: string;
  tier: Tier;
  givable: readonly { readonly value: string; readonly label: string }[];
  onChange: (more: Tier) => void;
}): ReactNode {
  return (
    <td>
      <div className="stored-coupon">
        <PickOne
          aria-label={`${label}赠送优惠券`}
          placeholder="不送"
          options={givable}
          value={tier.couponCampaignId ?? undefined}
          onChange={(couponCampaignId) => onChange({ couponCampaignId: couponCampaignId ?? null })}
        />
        {tier.couponCampaignId && (
          <NumberInput
            aria-label={`${label}赠送张数`}
            unit="张"
            value={tier.couponCount}
            onChange={(couponCount) => onChange({ couponCount: couponCount ?? 1 })}
          />
        )}
      </div>
    </td>
  );
}

/** The same lot worked through: 1,000 with 200, 120 spent. Only by ratio what is left is what is owed. */
const WORKED: Readonly<Record<CodeOf<typeof drawMode>, { left: number; gift: number; words: string }>> = {
  ratio: { left: 90_000, gift: 18_000, words: "账上剩的本金就是应退的数，一分不差。" },
  "principal-first": { left: 88_000, gift: 20_000, words: "账上比应退少 20.00，退卡时要补。" },
  "gift-first": { left: 100_000, gift: 8_000, words: "账上比应退多 100.00，记退卡差额。" },
};
function Modes({ form }: { form: Form<typeof saveRechargeRules> }): ReactNode {
  return (
    <fieldset className="stored-reasons">
      <legend>
        消费时先用哪个 <small className="note">例：充 1,000 送 200，花掉 120.00 之后</small>
      </legend>
      {drawMode.options.map(({ value, label }) => {
        const { left, gift, words } = WORKED[value];
        const chosen = form.values.mode === value;
        return (
          <label key={value} className={`stored-reason${chosen ? " stored-chosen" : ""}`}>
            <span>
              <input type="radio" name="mode" checked={chosen} onChange={() => form.set({ mode: value })} /> {label}
              {value === "ratio" && <small className="note"> 推荐</small>}
            </span>
            <span className="note">{words}</span>
            <span className="stored-line">
              剩本金 <span className="num">{yuan(left)}</span>
            </span>
            <span className="stored-line">
              剩赠送 <span className="num">{yuan(gift)}</span>
            </span>
            <span className="stored-line stored-total">
              商家原因退卡应退 <span className="num">900.00</span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

const FIXED = [
  "每人本金加赠送不超过 5,000.00 元",
  "余额不过期，不设使用期限",
  "充后 7 天内没用过，全额退本金",
  "赠送不退、不折现、不转成本金",
  "未满 18 周岁不能充值",
  "一单用储值超过 200.00 元，或一天超过 1,000.00 元，要支付密码或短信验证码",
] as const;
function Aside({ answer: { owed, earlier } }: { answer: Answer }): ReactNode {
  return (
    <aside>
      <div className="stored-aside">
        <h2 className="stored-title">不能改的</h2>
        {FIXED.map((one) => (
          <span key={one}>{one}</span>
        ))}
      </div>
      <div className="stored-aside">
        <h2 className="stored-title">现在欠顾客的</h2>
        <span className="stored-big num">
          <Principal cents={owed.principalCents} />
        </span>
        <span>
          本金，{owed.members} 位顾客；另有赠送 <Gift cents={owed.giftCents} />
          ，不是欠款
        </span>
        {["半年内", "半年到一年", "一年以上"].map((name, at) => (
          <span key={name} className="stored-line">
            {name} <Principal cents={owed.byAge[at] ?? (0 as never)} />
          </span>
        ))}
        <Link to="/dataCentre/cardSummary">储值汇总</Link>
      </div>
      {earlier.length > 0 && (
        <div className="stored-aside">
          <h2 className="stored-title">以前的版本</h2>
          {earlier.slice(0, 5).map((one) => (
            <span key={one.version}>
              第 {one.version} 版 {one.tiers} 档 · {one.madeBy} · <Time at={one.createdAt} />
            </span>
          ))}
        </div>
      )}
    </aside>
  );
}
