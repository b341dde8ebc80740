import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { ALONE_CENTS, type CouponTerms, sayTerms } from "../../../contract/index.ts";
import { counted, sayLimits } from "../campaign-words.ts";
import { CouponFace } from "../CouponFace.tsx";
import { limitMarks, marksOf, type Phrase, phrasesOf } from "../phrases.ts";
import { type CampaignForm, liabilityOf, sayable, termsOf, withGaps } from "./campaign-form.ts";
import { useGoodsNames, useLevelNames } from "./Picks.tsx";
import { TryRun } from "./TryRun.tsx";

/** What stands beside the form: what is said, what it may cost, how it looks, and what it would have done. */
export function Aside({
  form,
  names,
  lit,
  onPhrase,
}: {
  form: CampaignForm;
  /** Names of goods that are known already. */
  names: Readonly<Record<string, string>>;
  /** The field that is being typed in. */
  lit: string | undefined;
  onPhrase: (field: string) => void;
}): ReactNode {
  const levels = useLevelNames();
  const goods = { ...names, ...useGoodsNames() };
  const terms = sayable(termsOf(form));
  const said = withGaps(sayTerms(terms, { goods, levels }), terms);
  const limits = sayLimits(form.values, terms.validity.mode);
  const phrases = [...phrasesOf(said, marksOf(terms, levels)), ...phrasesOf(limits, limitMarks(form.values))];
  return (
    <aside className="coupon-aside" aria-label="这张券">
      <section className="sheet coupon-first">
        <h2>这张券说的是</h2>
        <p className="coupon-said">
          {phrases.map((phrase, at) => (
            <Said key={at} of={phrase} lit={phrase.field !== undefined && phrase.field === lit} onPress={onPhrase} />
          ))}
        </p>
      </section>
      <section className="sheet coupon-two">
        <Liability form={form} />
        <div>
          <h2>顾客手机上</h2>
          <CouponFace terms={terms} name={form.values.name || "券名称"} perPerson={form.values.perPerson} />
        </div>
      </section>
      <TryRun terms={form.values.terms as CouponTerms} merchantIds={form.values.provider?.merchantIds ?? []} />
    </aside>
  );
}
function Said({ of: { text, field }, lit, onPress }: { of: Phrase; lit: boolean; onPress: (field: string) => void }): ReactNode {
  if (field === undefined) return text;
  return (
    <button type="button" className={lit ? "coupon-phrase coupon-lit" : "coupon-phrase"} onClick={() => onPress(field)}>
      {text}
    </button>
  );
}
function Liability({ form }: { form: CampaignForm }): ReactNode {
  const most = liabilityOf(form);
  return (
    <div>
      <h2>最高负债</h2>
      <p className="coupon-big num">{most ? yuan(most.cents) : "—"}</p>
      <p className="note">{most ? `${counted(most.total)} 张 × ${yuan(most.each)} 元，全部用掉时` : "填好优惠和张数就算得出"}</p>
      {form.values.provider ? (
        <p className="coupon-ochre">
          要由另一人审核，创建人自己不能审核。
          {most && `其中服务商最多承担 ${yuan(Math.round((most.cents * (form.values.provider.percent ?? 0)) / 100))} 元。`}
        </p>
      ) : (
        <p className="coupon-ochre">
          要由另一人审核，创建人自己不能审核。最高 {yuan(ALONE_CENTS)} 元以内的，商户主账号可以凭退款密码通过。
        </p>
      )}
    </div>
  );
}
