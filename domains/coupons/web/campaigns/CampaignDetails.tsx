import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailScreen, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  campaignState,
  couponFunder,
  couponFunding,
  couponKind,
  couponState,
  coverMerchants,
  getCampaign,
  hoursWords,
  listCoupons,
  redemption,
} from "../../contract/index.ts";
import { CarrierPart } from "../carriers/CarrierPart.tsx";
import { BetterDrawer, BetterPart } from "./BetterActs.tsx";
import { DecideDrawer, mainActs, moreActs, StockDrawer } from "./CampaignActs.tsx";
import { Issued } from "./CampaignList.tsx";
import { borneWords, counted, endOf, minute, sayLimits, worthMost } from "./campaign-words.ts";
import { CoverActs, CoverDrawer, Covers } from "./CoverActs.tsx";
import { CouponFace } from "./CouponFace.tsx";
import { useSide } from "./use-side.ts";
import "../coupons.css";

type Campaign = OutputOf<typeof getCampaign>;

/** 优惠券详情: what it says, what is out, what it took off and what came with it. */
export function CampaignDetails(): ReactNode {
  const [query] = useSearchParams();
  const id = query.get("id") ?? "";
  const campaign = useDetail(getCampaign, id && { id }, { live_ms: 30_000 });
  const [decide, stock, cover, better] = [usePanel("decide"), usePanel("stock"), usePanel("cover"), usePanel("better")];
  const { base, provider } = useSide();
  useScreenTitle(campaign.data && `优惠券 · ${campaign.data.name}`);
  const open = (panel: "decide" | "stock"): void => (panel === "decide" ? decide : stock).open(id);
  const { data } = campaign;
  return (
    <DetailScreen
      title="优惠券详情"
      list={[`${base}/list`, "优惠券列表"]}
      of={campaign}
      actions={
        data &&
        (!data.mine ? (
          <CoverActs of={data} tone="plain" />
        ) : (
          <>
            {provider && data.state !== "STOPED" && (
              <Act of={coverMerchants}>
                <Button onClick={() => cover.open(id)}>增加商户</Button>
              </Act>
            )}
            {data.state === "STOPED" ? moreActs(data, open, "plain", base) : <More>{moreActs(data, open, "quiet", base)}</More>}
            {mainActs(data, open, "plain")}
          </>
        ))
      }
    >
      {(row) => (
        <>
          <Facts of={row} />
          {decide.id && <DecideDrawer id={id} onClose={decide.close} />}
          {better.id && <BetterDrawer of={row} onClose={better.close} />}
          {stock.id && <StockDrawer id={id} onClose={stock.close} />}
          {cover.id && <CoverDrawer of={row} onClose={cover.close} />}
        </>
      )}
    </DetailScreen>
  );
}

/** Where it stands and whose turn it is, in one line. */
function stateWords({ state, madeBy, createdAt, decidedBy, decidedAt, stoppedAt, endsAt, mayDecide }: Campaign): string {
  if (state === "UNAUDIT") return `${madeBy} 于 ${minute(createdAt)} 提交，要由另一人审核${mayDecide ? "，现在等你" : ""}`;
  const decided = decidedBy && decidedAt ? `${decidedBy} 于 ${minute(decidedAt)} 审核` : "";
  if (state === "STOPED") return [decided, stoppedAt ? `${minute(stoppedAt)} 停止，已领的照常能用` : ""].filter(Boolean).join("；");
  return `${decided}；${state === "PAUSED" ? "现在不发，已领的照常能用" : `发到 ${endOf(endsAt)}`.trim()}`;
}
function Facts({ of: campaign }: { of: Campaign }): ReactNode {
  const { name, worth, state, said, terms } = campaign;
  return (
    <>
      <HeroLine
        label={`${couponKind.label(campaign.kind)} · ${worth}`}
        value={name}
        status={<StatusTag of={campaignState} code={state} />}
      />
      <p className="note">{stateWords(campaign)}</p>
      <p className="coupon-sentence">
        {said}
        {sayLimits(campaign, terms.validity.mode)}
      </p>
      <BetterPart of={campaign} />
      <Worth of={campaign} />
      {campaign.covers.length > 0 && <Covers of={campaign} />}
      <Coupons of={campaign} />
      <CarrierPart of={campaign} />
      <Stores of={campaign} />
      <Conditions of={campaign} />
      <Versions of={campaign} />
    </>
  );
}
/** What it may cost, what it cost, and what it brought. */
function Worth({ of: { valueCents, terms, offCents, grossCents, orders, providerCents, ...stock } }: { of: Campaign }): ReactNode {
  const each = worthMost(terms);
  const figures: readonly (readonly [string, ReactNode, string])[] = [
    ["最高负债（元）", <Money cents={valueCents} />, each === undefined ? "" : `每张最多减 ${yuan(each)}`],
    [
      "抵扣（元）",
      <Money cents={offCents} />,
      orders === 0
        ? "还没有人用过"
        : `${counted(orders)} 单用过，退掉的不算${providerCents > 0 ? `；服务商承担 ${yuan(providerCents)}` : ""}`,
    ],
    [
      "带动消费（元）",
      <Money cents={grossCents} />,
      offCents > 0 ? `每减 1 元，带来 ${(grossCents / offCents).toFixed(2)} 元` : "用了券的单，减之前的钱",
    ],
  ];
  return (
    <dl className="coupon-figures coupon-worth">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b className="coupon-figure num">{value}</b>
            <small className="note">{note}</small>
          </dd>
        </div>
      ))}
      <div>
        <dt>已领 / 总量</dt>
        <dd>
          <Issued of={stock} />
        </dd>
      </div>
    </dl>
  );
}
/** How many of its coupons stand where; each leads to them. */
function Coupons({ of: { id, coupons } }: { of: Campaign }): ReactNode {
  const all = coupons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Group title={`发出的券（${counted(all)}）`}>
      {all === 0 ? (
        <p className="hint">还没有人领</p>
      ) : (
        <ul className="coupon-states">
          {coupons.map(({ state, count }) => (
            <li key={state}>
              <StatusTag of={couponState} code={state} />
              <b className="num">{counted(count)}</b>
              <span className="note num">{((count / all) * 100).toFixed(1)}%</span>
              <Act of={listCoupons}>
                <Link to={`/dataCentre/couponDetail?campaignId=${id}&state=${state}`} aria-label={`${couponState.label(state)}的券明细`}>
                  明细
                </Link>
              </Act>
            </li>
          ))}
        </ul>
      )}
    </Group>
  );
}
function Stores({ of: { stores, offCents } }: { of: Campaign }): ReactNode {
  const c = columns<Campaign["stores"][number]>();
  if (stores.length === 0)
    return (
      <Group title="在哪些门店用掉">
        <p className="hint">还没有门店收到过</p>
      </Group>
    );
  return (
    <Group title="在哪些门店用掉">
      <DataTable
        label="在哪些门店用掉"
        density="compact"
        rows={stores}
        rowKey={({ storeId }) => storeId}
        columns={[
          c.text("name", "门店", { width: 200 }),
          c.number("used", "用掉（张）", { width: 104 }),
          c.money("offCents", "抵扣（元）", { width: 120 }),
          c.text("share", "占", (row) => (offCents > 0 ? `${((row.offCents / offCents) * 100).toFixed(1)}%` : null), { width: 80 }),
        ]}
      />
    </Group>
  );
}
function Conditions({ of: campaign }: { of: Campaign }): ReactNode {
  const { terms, names, no, funding, funder, listed, perPerson, beginsAt, endsAt } = campaign;
  // A provider's, for the provider and for the merchants that it covers.
  const shared = campaign.covers.length > 0 || campaign.cover !== null;
  const things = [...terms.goodsTags, ...terms.skus].map((code) => names.goods[code] ?? code).join("、");
  return (
    <Group
      title="条件"
      pairs={[
        ["编号", no],
        ["领取时间", `${minute(beginsAt)} 至 ${endOf(endsAt)}`.trim()],
        ["能用的时间", hoursWords(terms) || "每天全天"],
        ["门店", terms.storeIds.length === 0 ? "全部门店" : terms.storeIds.map((id) => names.stores[id] ?? "已停用门店").join("、")],
        ...(things === "" ? [] : ([["商品", things]] as const)),
        ["核销方式", terms.methods.map((one) => redemption.label(one)).join("、")],
        ["出资", `${couponFunder.label(funder)}，${couponFunding.label(funding)}`],
        ...(shared ? ([["承担", borneWords(campaign.providerPercent)]] as const) : []),
        ["领券中心", listed ? "顾客自己领" : "不展示，只由商户发"],
        ["使用说明", terms.note],
      ]}
    >
      <div className="coupon-preview">
        <CouponFace terms={terms} name={campaign.name} perPerson={perPerson} />
      </div>
    </Group>
  );
}
/** Each version of its terms: a coupon keeps the one under which it was received. */
function Versions({ of: { versions } }: { of: Campaign }): ReactNode {
  return (
    <Group title="版本">
      <ol className="coupon-versions">
        {versions.map(({ version, said, by, at }) => (
          <li key={version}>
            <b>第 {version} 版</b>{" "}
            <span className="note">
              {by} · <Time at={at} />
            </span>
            <p>{said}</p>
          </li>
        ))}
      </ol>
    </Group>
  );
}
