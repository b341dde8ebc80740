import type { ReactNode } from "react";
import { Link } from "react-router";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { priceSource } from "../../../pricing/contract.ts";
import type { PayOrderDetails } from "./pay-order-details.ts";

type Price = NonNullable<PayOrderDetails["price"]>;

/** What came off, by its own name, and what stored value paid; given value is no money and never bold. */
export const offLines = ({ parts, tenders, vouchers }: Price): (readonly [label: string, value: ReactNode])[] => [
  ...vouchers.map(({ attemptId, voucherId, platform, name, offCents, status }): readonly [string, ReactNode] => [
    priceSource.label("voucher"),
    <span key={attemptId}>
      <Money cents={offCents} />{" "}
      <Link className="note" to={`/plat-${platform}/coupon/detail?id=${voucherId}`}>
        {name}
      </Link>
      {status !== 1 && <Tag tone={status === 5 ? "warn" : "ended"}>{status === 5 ? "撤销中" : "已撤销"}</Tag>}
    </span>,
  ]),
  ...parts
    .filter(({ source, ref }) => source !== "stored" && !vouchers.some(({ attemptId }) => source === "voucher" && attemptId === ref))
    .map(({ source, name, offCents, points }): readonly [string, ReactNode] => [
      priceSource.label(source),
      <>
        <Money cents={offCents} /> <span className="note">{points === undefined ? name : `${name}，用 ${points} 积分`}</span>
      </>,
    ]),
  ...tenders.flatMap(({ kind, cents }): (readonly [string, ReactNode])[] =>
    kind === "money"
      ? []
      : [
          kind === "principal"
            ? ["储值本金", <Money cents={cents} />]
            : [
                "储值赠送",
                <>
                  <Money cents={cents} /> <span className="note">赠送，不可退现</span>
                </>,
              ],
        ],
  ),
];

/** The goods as they were rung up, and what each came to in the end. */
export function PriceTable({ price }: { price: Price }): ReactNode {
  const c = columns<Price["lines"][number]>();
  // An amount alone is one line without a name.
  if (price.lines.every(({ name }) => name === "")) return null;
  return (
    <Group title="商品（元）">
      <DataTable
        label="商品"
        density="compact"
        rows={price.lines}
        columns={[
          c.text("name", "商品", (row) => row.name),
          c.text("units", "数量", (row) => (row.leftUnits < row.units ? `${row.units}，已退 ${row.units - row.leftUnits}` : row.units), {
            width: 96,
          }),
          c.money("unitCents", "单价", (row) => row.unitCents, { width: 96 }),
          c.money("netCents", "折后", (row) => row.netCents, { width: 96 }),
        ]}
      />
    </Group>
  );
}

/** 为什么是这个价: what came off step by step, then why what did not; nothing where the price is what was rung up. */
export function WhyPrice({ why: { steps, refused } }: Pick<PayOrderDetails, "why">): ReactNode {
  if (steps.length + refused.length === 0) return null;
  return (
    <Group title="为什么是这个价">
      <ol className="why-price">
        {steps.map(({ source, ref, text }) => (
          <li key={`${source} ${ref}`}>{text}</li>
        ))}
        {refused.map(({ source, ref, text }) => (
          <li key={`${source} ${ref}`} className="note">
            没有用：{text}
          </li>
        ))}
      </ol>
    </Group>
  );
}
