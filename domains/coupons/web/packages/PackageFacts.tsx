import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { campaignState, couponState, getCampaign, type getPackage, listPackageGets, packageGetStatus } from "../../contract/index.ts";
import { counted, endOf, minute } from "../campaigns/campaign-words.ts";
import { sayPackage, shareWords } from "./package-words.ts";

type Package = OutputOf<typeof getPackage>;

/** Where it stands and whose turn it is, in one line. */
function stateWords({ state, madeBy, createdAt, decidedBy, decidedAt, stoppedAt, endsAt, mayDecide }: Package): string {
  if (state === "UNAUDIT") return `${madeBy} 于 ${minute(createdAt)} 提交，要由另一人审核${mayDecide ? "，现在等你" : ""}`;
  const decided = decidedBy && decidedAt ? `${decidedBy} 于 ${minute(decidedAt)} 审核` : "";
  if (state === "STOPED") return [decided, stoppedAt ? `${minute(stoppedAt)} 停止，已领的照常能用` : ""].filter(Boolean).join("；");
  return `${decided}；${state === "PAUSED" ? "现在不发，已领的照常能用" : `发到 ${endOf(endsAt)}`.trim()}`;
}
/** What a package says, what it brought, and what became of its coupons. */
export function PackageFacts({ of: pack, acts }: { of: Package; acts: ReactNode }): ReactNode {
  const { id, name, state, priceCents, received, sold, incomeCents, refundedCents, coupons, used, valueCents, eachCents } = pack;
  const mayGets = useAct(listPackageGets);
  const figures: readonly (readonly [string, ReactNode, string])[] = [
    ["收入（元）", <Money key="in" cents={incomeCents} />, refundedCents > 0 ? `已减退款 ${yuan(refundedCents)}` : "顾客付的，减去退掉的"],
    ["领取 / 售出", `${counted(received)} / ${counted(sold)}`, "份，免费领的和付钱买的"],
    ["使用率", shareWords(used, coupons) ?? "—", coupons > 0 ? `${counted(used)} / ${counted(coupons)} 张` : "还没有发出券"],
    ["最高负债（元）", <Money key="most" cents={valueCents} />, `每份最多减 ${yuan(eachCents)}`],
  ];
  return (
    <>
      <HeroLine
        label={priceCents === null ? "免费券包" : `付费券包 · ¥${yuan(priceCents)}`}
        value={name}
        status={<StatusTag of={campaignState} code={state} />}
      />
      <p className="note">{stateWords(pack)}</p>
      {acts && <div className="coupon-line package-acts">{acts}</div>}
      <p className="coupon-sentence">{sayPackage(pack)}</p>
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
      </dl>
      <Items of={pack} />
      <Group title={`发出的券（${counted(coupons)}）`}>
        <States of={pack.states} set={couponState} none="还没有发出券" />
      </Group>
      <Group title="领取记录">
        <States
          of={pack.gets.map(({ status, count }) => ({ state: status, count }))}
          set={packageGetStatus}
          none="还没有人领"
          {...(mayGets && { to: (status) => `/ticket/groupRecord?packageId=${id}&status=${status}` })}
        />
      </Group>
      <Group
        title="其他"
        pairs={[
          ["编号", pack.no],
          ["说明", pack.note],
          ["创建人", pack.madeBy],
        ]}
      />
    </>
  );
}
function States<K extends string | number>({
  of,
  set,
  none,
  to,
}: {
  of: readonly { readonly state: K; readonly count: number }[];
  set: Parameters<typeof StatusTag<K>>[0]["of"];
  none: string;
  to?: (state: K) => string;
}): ReactNode {
  if (of.length === 0) return <p className="hint">{none}</p>;
  return (
    <ul className="coupon-states">
      {of.map(({ state, count }) => (
        <li key={state}>
          <StatusTag of={set} code={state} />
          <b className="num">{counted(count)}</b>
          {to && (
            <Link to={to(state)} aria-label={`${set.label(state)}的领取明细`}>
              明细
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
function Items({ of: { items } }: { of: Package }): ReactNode {
  const mayCampaign = useAct(getCampaign);
  const c = columns<Package["items"][number]>();
  return (
    <Group title="里面有什么">
      <DataTable
        label="里面有什么"
        density="compact"
        rows={items}
        rowKey={({ campaignId }) => campaignId}
        columns={[
          mayCampaign
            ? c.link(
                "name",
                "优惠券",
                { to: (row) => `/merchantTicket/details?id=${row.campaignId}` },
                { width: 168, copy: false, note: (row) => row.worth },
              )
            : c.text("name", "优惠券", { width: 168, note: (row) => row.worth }),
          c.number("count", "张", { width: 56 }),
          c.money("valueCents", "每张最多减（元）", { width: 128 }),
          c.text("left", "库存", (row) => <span className="num">{counted(row.left)}</span>, { width: 88 }),
          c.code("state", "状态", campaignState, { width: 88 }),
        ]}
      />
    </Group>
  );
}
