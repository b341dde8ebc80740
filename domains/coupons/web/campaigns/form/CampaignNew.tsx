import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { type DiscountSettings, getDiscountSettings } from "../../../../discounts/contract/index.ts";
import { addCampaign, askBetter, getCampaign, listCampaigns, updateCampaign } from "../../../contract/index.ts";
import { Aside } from "./Aside.tsx";
import { useSide } from "../use-side.ts";
import { asCampaignForm, blank, type CampaignForm, liabilityOf } from "./campaign-form.ts";
import { TermFields } from "./TermFields.tsx";
import "../../coupons.css";

type Campaign = OutputOf<typeof getCampaign>;
const refreshes = [listCampaigns, getCampaign];
const NO_NAMES = {};

/** 新建优惠券, also a change of one that waits (`?id=`) and a copy of another (`?copy=`). */
export function CampaignNew(): ReactNode {
  const [query] = useSearchParams();
  const [id, copy] = [query.get("id"), query.get("copy")];
  const source = id ?? copy;
  const campaign = useDetail(getCampaign, source ? { id: source } : undefined);
  const { base } = useSide();
  const settings = useWithout();
  useScreenTitle(
    id !== null && campaign.data && `${campaign.data.state === "UNAUDIT" ? "修改优惠券" : "改善条款"} · ${campaign.data.name}`,
  );
  if (!source) return settings.waits ? null : <Create key="new" without={settings.without} />;
  if (!campaign.data)
    return (
      <DetailScreen title={id ? "修改优惠券" : "新建优惠券"} list={[`${base}/list`, "优惠券列表"]} of={campaign}>
        {() => null}
      </DetailScreen>
    );
  if (!id) return <Create key={`copy ${source}`} copy={campaign.data} />;
  const { state, mine, better, carrier } = campaign.data;
  if (state === "UNAUDIT") return <Change key={`${id}:${campaign.data.version}`} campaign={campaign.data} />;
  if (state !== "STOPED" && mine && !better && carrier === "NONE" && base === "/merchantTicket")
    return <Better key={`${id}:${campaign.data.version}`} campaign={campaign.data} />;
  return <Settled of={campaign.data} />;
}
/** What was approved is not changed by its form: whoever holds it keeps what it said. */
function Settled({ of: { id, name, better } }: { of: Campaign }): ReactNode {
  const navigate = useNavigate();
  const { base } = useSide();
  const copied = <Button onClick={() => void navigate(`${base}/new?copy=${id}`)}>复制为新券</Button>;
  const waits = <Button onClick={() => void navigate(`${base}/details?id=${id}`)}>去看等审核的改动</Button>;
  return (
    <DetailScreen title="修改优惠券" of={{ data: name, error: null, refetch: () => Promise.reject(new Error()) } as never}>
      {() => (
        <Empty
          drawing="seal"
          text={better ? `「${name}」已有一次改动在等审核` : `「${name}」的条件不能再改；可以复制一张新的`}
          action={better ? waits : copied}
        />
      )}
    </DetailScreen>
  );
}

const fieldsOf = ({ name, terms, total, perPerson, perPersonDay, perDay, beginsAt, endsAt, listed, carrier }: Campaign) => ({
  name,
  terms: terms as never,
  total,
  perPerson,
  perPersonDay,
  perDay,
  beginsAt,
  endsAt,
  listed,
  carrier,
});
/** A provider's own pays all of it, unless its form says otherwise. */
const WHOLE = { percent: 100, merchantIds: [] };
/** Whom a provider's campaign covers, and what the provider pays. */
const coveredBy = ({ covers, providerPercent }: Campaign) =>
  covers.length === 0 ? null : { percent: providerPercent, merchantIds: covers.map(({ merchantId }) => merchantId) };

/** Said at once, and not only when everything else is right. */
function check({ beginsAt, endsAt }: { readonly beginsAt?: string | undefined; readonly endsAt?: string | undefined }) {
  return beginsAt && endsAt && endsAt <= beginsAt ? { endsAt: "领取的结束要晚于开始" } : undefined;
}
/** 不同享 that the merchant's coupons begin with, for whoever may see it. */
function useWithout(): { readonly without: DiscountSettings["without"]; readonly waits: boolean } {
  const may = useAct(getDiscountSettings);
  const found = useQuery({
    queryKey: [getDiscountSettings.path, "detail", {}],
    enabled: may,
    queryFn: ({ signal }) => call(getDiscountSettings, {}, { signal, quiet: true }),
  });
  return { without: found.data?.settings.without ?? [], waits: may && found.isPending };
}
function Create({ copy, without = [] }: { copy?: Campaign; without?: DiscountSettings["without"] }): ReactNode {
  const navigate = useNavigate();
  const { base, provider } = useSide();
  const { beginsAt, endsAt, ...rest } = blank(without);
  const form = useForm(addCampaign, {
    initial: {
      beginsAt,
      endsAt,
      ...(copy
        ? {
            ...fieldsOf(copy),
            provider: provider ? (coveredBy(copy) ?? WHOLE) : null,
            beginsAt,
            endsAt,
            name: `${copy.name} 副本`.slice(0, 20),
          }
        : { ...rest, provider: provider ? WHOLE : null }),
    },
    draft: copy ? `copy ${copy.id}` : "new",
    refreshes,
    done: "已提交，等另一人审核",
    onDone: ({ id }) => void navigate(`${base}/details?id=${id}`),
    check,
  });
  return <Screen form={form} title="新建优惠券" names={copy?.names.goods ?? NO_NAMES} covers={copy?.covers} />;
}
function Change({ campaign }: { campaign: Campaign }): ReactNode {
  const navigate = useNavigate();
  const { id, version, name, names } = campaign;
  const { base, provider } = useSide();
  const form = useForm(updateCampaign, {
    initial: { id, version, ...fieldsOf(campaign), provider: provider ? coveredBy(campaign) : null },
    draft: `${id}:${version}`,
    refreshes,
    done: "已保存，等另一人审核",
    onDone: () => void navigate(`${base}/details?id=${id}`),
    check,
  });
  return <Screen form={asCampaignForm(form)} title={`修改优惠券 ${name}`} names={names.goods} covers={campaign.covers} />;
}

/** 改善条款 of one that gives out: what it was approved for changes to the customer's good only. */
function Better({ campaign }: { campaign: Campaign }): ReactNode {
  const navigate = useNavigate();
  const { id, version, name, names, terms: old } = campaign;
  const { base } = useSide();
  const form = useForm(askBetter, {
    initial: { id, version, terms: old as never },
    draft: `better ${id}:${version}`,
    refreshes,
    done: "已提交改动，等另一人审核",
    onDone: () => void navigate(`${base}/details?id=${id}`),
  });
  const shown = { ...form, values: { ...fieldsOf(campaign), ...form.values } };
  return <Screen form={asCampaignForm(shown as never)} title={`改善条款 ${name}`} names={names.goods} settled />;
}

function Screen({
  form,
  title,
  names,
  covers = [],
  settled = false,
}: {
  form: CampaignForm;
  title: string;
  names: Readonly<Record<string, string>>;
  covers?: Campaign["covers"] | undefined;
  /** Somebody said yes to it: its terms alone, and better ones. */
  settled?: boolean;
}): ReactNode {
  const merchants = Object.fromEntries(covers.map(({ merchantId, name }) => [merchantId, name]));
  const [lit, setLit] = useState<string>();
  const fields = useRef<HTMLDivElement>(null);
  const most = liabilityOf(form);
  const follow = ({ target }: FocusEvent<HTMLElement>): void => setLit(target.closest<HTMLElement>("[data-field]")?.dataset["field"]);
  /** Goes to the field that says a phrase. */
  const goTo = (field: string): void => {
    const place = fields.current?.querySelector(`[data-field="${field}"]`);
    place?.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    place?.scrollIntoView({ block: "center" });
  };
  return (
    <section className="form-screen form-screen-wide coupon-new">
      <header className="screen-head">
        <h1>{title}</h1>
        <Saved form={form} />
      </header>
      <FormBody form={form}>
        <div className="coupon-grid">
          <div className="sheet coupon-fields" ref={fields} onFocus={follow} onBlur={() => setLit(undefined)}>
            {settled && <p className="notice">只能改得对顾客更好；审核通过后领的按新条款，已领的照原来的用。</p>}
            <TermFields form={form} merchants={merchants} settled={settled} />
          </div>
          <Aside form={form} names={names} lit={lit} onPhrase={goTo} />
        </div>
      </FormBody>
      <div className="save-bar coupon-bar">
        <span className="coupon-bar-note">{settled ? "提交后，另一人审核通过才算数" : "提交后，另一人审核通过才开始发"}</span>
        <Button disabled={!form.dirty} onClick={form.discard}>
          清空
        </Button>
        <Button tone="primary" type="submit" form={form.formId} busy={form.busy}>
          {most ? `提交审核 · 最高 ${yuan(most.cents)} 元` : "提交审核"}
        </Button>
      </div>
    </section>
  );
}
/** When what was typed was kept last. */
function Saved({ form }: { form: CampaignForm }): ReactNode {
  const text = JSON.stringify(form.values);
  const [at, setAt] = useState<string>();
  const { dirty } = form;
  useEffect(() => {
    setAt(dirty && text !== "" ? shanghaiTime(Date.now()).slice(11) : undefined);
  }, [text, dirty]);
  return <div className="screen-acts">{at !== undefined && <span className="note num">草稿已保存 {at}</span>}</div>;
}
