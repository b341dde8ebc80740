import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { campaignPath } from "../campaigns/use-side.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Seek, Sought } from "@zhangfang/web/filter/Sought.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { yuan } from "@zhangfang/contract/money.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getMember } from "../../../members/contract/index.ts";
import {
  couponCause,
  couponKind,
  couponSource,
  couponState,
  couponViews,
  getCampaign,
  getCoupon,
  listCampaigns,
  listCoupons,
  summariseCoupons,
} from "../../contract/index.ts";
import { endOf, minute } from "../campaigns/campaign-words.ts";
import "../coupons.css";

type Row = RowOf<typeof listCoupons>;
const c = columns<Row>();

/** 优惠券明细: each coupon that somebody received, and what became of it. */
export function CouponList(): ReactNode {
  const list = useList(listCoupons, { views: couponViews });
  const sums = useSummary(summariseCoupons, list.filters).data;
  const coupon = useDetail(getCoupon, list.openId && { id: list.openId });
  const mayExport = useAct(["/dataCentre/couponDetail/export"]);
  const mayPrint = useAct(["/dataCentre/couponDetail/pdf"]);
  const mayCampaigns = useAct(listCampaigns);
  const counts = sums && Object.fromEntries(sums.states.map(({ state, count }) => [state, count]));
  return (
    <ListScreen
      title="优惠券明细"
      unit="张"
      list={list}
      tabs={{ of: list.field("state"), set: couponState, counts }}
      filters={
        <>
          <DateRange of={list.range("from", "to")} label="领取时间" />
          <Keyword of={list.field("keyword")} label="券号" placeholder="券号 / 会员号" />
          {mayCampaigns && (
            <Sought of={list.field("campaignId")} label="优惠券" seek={seekCampaigns} within={[]} placeholder="全部优惠券" />
          )}
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
        </>
      }
      moreFilters={<Choice of={list.field("source")} label="来源" set={couponSource} />}
      {...(mayExport && { exportSource: "coupons" })}
      {...(mayPrint && {
        actions: (
          <Button
            disabled={list.rows.length === 0}
            onClick={() => printSheet(<CouponPaper rows={list.rows} more={list.hasNext} printedAt={new Date().toISOString()} />)}
          >
            打印 / 存 PDF
          </Button>
        ),
      })}
      columns={columnsOf(list.open)}
      empty={{ text: "还没有人领过券" }}
    >
      {list.openId && (
        <DetailDrawer title="优惠券明细" of={coupon} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Life of={one} />}
        </DetailDrawer>
      )}
    </ListScreen>
  );
}
/** The page that is shown, on A4. */
function CouponPaper({ rows, more, printedAt }: { rows: readonly Row[]; more: boolean; printedAt: string }): ReactNode {
  return (
    <article className="withdrawal-receipt">
      <h2>优惠券明细</h2>
      <table>
        <thead>
          <tr>
            {["券号后四位", "优惠券", "状态", "会员号", "来源", "领取时间", "用在", "抵扣（元）"].map((head) => (
              <th key={head}>{head}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row" className="num">
                {row.no}
              </th>
              <td>{row.name}</td>
              <td>{couponState.label(row.state)}</td>
              <td className="num">{row.memberNo}</td>
              <td>{couponSource.label(row.source)}</td>
              <td className="num">{minute(row.receivedAt)}</td>
              <td>{[row.usedStoreName, row.orderNo].filter(Boolean).join(" ")}</td>
              <td className="num">{row.offCents === null ? "" : yuan(row.offCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        这一页 {rows.length} 张{more && "，后面还有"}；打印时间 {minute(printedAt as never)}
      </p>
    </article>
  );
}
const seekCampaigns: Seek = async ({ search, id }, signal) => {
  if (id !== undefined) return [await call(getCampaign, { id }, { signal, quiet: true })];
  const { items } = await call(listCampaigns, { pageSize: 20, ...(search && { keyword: search }) } as never, { signal, quiet: true });
  return items;
};

const columnsOf = (open: (id: string) => void) => [
  c.link("no", "券号后四位", (row) => open(row.id), { width: 112, copy: false }),
  c.text("name", "优惠券", { width: 168, note: (row) => row.worth }),
  c.code("kind", "类型", couponKind, { width: 88, hidden: true }),
  c.code("state", "状态", couponState, { width: 88 }),
  c.text("memberNo", "会员号", { width: 112 }),
  c.text("merchantName", "商户", { width: 136, hidden: true }),
  c.code("source", "来源", couponSource, { width: 88 }),
  c.time("receivedAt", "领取时间", { width: 168, sort: "-receivedAt" }),
  c.text("validTo", "到期", (row) => <span className="num">{endOf(row.validTo)}</span>, { width: 152 }),
  c.text("usedStoreName", "用在", { width: 136, note: (row) => row.orderNo }),
  c.money("offCents", "抵扣（元）", { width: 104, main: true }),
  c.time("usedAt", "核销时间", { width: 168, hidden: true }),
  c.text("campaignNo", "优惠券编号", { width: 168, hidden: true }),
];

const TONES = { SENDED: "active", LOCKED: "warn", USED: "good", EXPIRED: "ended", DELETED: "ended", DEACTIVATED: "bad" } as const;
function Life({ of: one }: { of: OutputOf<typeof getCoupon> }): ReactNode {
  const { level } = useUser();
  const [mayMember, mayCampaign] = [useAct(getMember), useAct(getCampaign)];
  return (
    <>
      <HeroLine
        label={`${couponKind.label(one.kind)} · ${one.name}`}
        value={one.worth}
        status={<StatusTag of={couponState} code={one.state} />}
      />
      <p className="coupon-sentence">{one.said}</p>
      <Group
        title="这张券"
        pairs={[
          ["券号", `尾号 ${one.no}`],
          ["优惠券编号", mayCampaign ? <Link to={campaignPath(level, one.campaignId)}>{one.campaignNo}</Link> : one.campaignNo],
          ["会员号", mayMember ? <Link to={`/member/details?id=${one.memberId}`}>{one.memberNo}</Link> : one.memberNo],
          ["商户", one.merchantName],
          ["来源", couponSource.label(one.source)],
          ["能用的时间", `${minute(one.validFrom)} 至 ${endOf(one.validTo)}`.trim()],
          ["用在", one.usedStoreName],
          ["订单", one.orderNo && <OrderLink no={one.orderNo} />],
          ["抵扣", one.offCents === null ? null : <Money cents={one.offCents} symbol />],
          ["核销时间", one.usedAt && <Time at={one.usedAt} />],
          ["使用说明", one.note],
        ]}
      />
      <Group title="每一步">
        <Timeline
          items={one.events.map(({ from, to, cause, orderNo, by, at }) => ({
            title: couponCause.label(cause),
            at,
            tone: TONES[to],
            note: (
              <>
                {from === null ? couponState.label(to) : `${couponState.label(from)} → ${couponState.label(to)}`} · {by}
                {orderNo !== null && (
                  <>
                    {" "}
                    · <OrderLink no={orderNo} />
                  </>
                )}
              </>
            ),
          }))}
        />
      </Group>
    </>
  );
}
const OrderLink = ({ no }: { no: string }): ReactNode => <Link to={`/dataCentre/payOrder?keyword=${no}`}>{no}</Link>;
