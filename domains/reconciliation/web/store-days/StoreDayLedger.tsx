import type { ReactNode } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import {
  billDue,
  lineName,
  madeOf,
  sourceOf,
  storeDayBand,
  storeDayColumn,
  summed,
  type StoreDayAmounts,
  type StoreDayBand,
  type StoreDayColumn,
  type StoreDayLine,
} from "../../contract/store-day-words.ts";
import { rowsOf, SCREEN_OF } from "./store-day-links.ts";
import { SHOWN, type StoreDay } from "./store-day-links.ts";

const HINTS: Partial<Record<StoreDayColumn, string>> = {
  paidCents: "自收是实收，团购和外卖是用户实付",
  shopOffCents: "商家自己承担的优惠，已经从顾客付里减掉了",
  subsidyCents: "平台补给门店的钱",
  feeCents: "自收的手续费减退回的；团购没出结算单的是预计佣金",
  backCents: "退款按到账日，撤销核销按撤销日；外卖退款里平台承担的不减收入",
  incomeCents: "自收净额；团购出了结算单的按结算单，其余是预计收入；外卖净收入",
};

/** Three bands with the same columns, and one total. Each figure opens the rows that it is made of. */
export function Ledger({ data }: { data: StoreDay }): ReactNode {
  const { lines } = data.figures;
  const bands = storeDayBand.values
    .map((band) => [band, lines.filter((line) => line.band === band)] as const)
    .filter(([, own]) => own.length > 0);
  if (useNarrow()) return <Cards data={data} bands={bands} />;
  return (
    <div className="table-scroll">
      <table className="table storeday-table" aria-label={`${data.storeName} ${data.day} 各来源`}>
        <thead>
          <tr>
            <th scope="col">来源</th>
            {SHOWN.map((column) => (
              <th key={column} scope="col" className="at-right">
                {storeDayColumn.label(column)}
                {HINTS[column] && <Hint of={storeDayColumn.label(column)} text={HINTS[column]} />}
              </th>
            ))}
            <th scope="col">对账</th>
          </tr>
        </thead>
        {bands.map(([band, own]) => (
          <tbody key={band}>
            <tr className="storeday-band">
              <th scope="row">{storeDayBand.label(band)}</th>
              <Sums of={summed(own)} />
              <td />
            </tr>
            {own.map((line) => (
              <tr key={line.key}>
                <th scope="row">{lineName(line)}</th>
                {SHOWN.map((column) => (
                  <td key={column} className="at-right">
                    <Figure data={data} line={line} column={column} />
                  </td>
                ))}
                <td>
                  <BillTag data={data} line={line} />
                </td>
              </tr>
            ))}
          </tbody>
        ))}
        <tfoot>
          <tr className="storeday-total">
            <th scope="row">当天合计</th>
            <Sums of={summed(lines)} />
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
function Sums({ of }: { of: StoreDayAmounts }): ReactNode {
  return SHOWN.map((column) => (
    <td key={column} className="at-right">
      {column === "count" ? <span className="num">{of.count}</span> : <Money cents={of[column] as never} />}
    </td>
  ));
}
function Figure({ data, line, column }: { data: StoreDay; line: StoreDayLine; column: StoreDayColumn }): ReactNode {
  const may = useAct([SCREEN_OF[line.band]]);
  const value = line[column];
  const shown = column === "count" ? <span className="num">{value}</span> : <Money cents={value as never} />;
  if (value === 0 || !may) return <span className={value === 0 ? "note" : undefined}>{shown}</span>;
  return <Link to={rowsOf(data, line, column)}>{shown}</Link>;
}

/** What the bill says of where a line's money comes from. A missing bill is waited for, with its day, and is never 0. */
function BillTag({ data, line }: { data: StoreDay; line: StoreDayLine }): ReactNode {
  const source = sourceOf(line);
  const bill = data.bills.find((one) => one.source === source);
  if (!bill) return line.settled && line.band !== "own" ? <Tag tone="good">已结算</Tag> : <span className="note">没有账单</span>;
  const open = data.hindrances.find((one) => one.kind === "difference" && one.source === bill.source);
  if (open) return <Tag tone="bad">{`${open.count} 条差异`}</Tag>;
  if (bill.state === "none" || bill.state === "partial")
    return <Tag tone="warn">{`等结算单 ${billDue(bill.source, data.day).slice(5)}`}</Tag>;
  return <Tag tone="good">{bill.state === "closed" ? "账单已关账" : "账单一致"}</Tag>;
}

/** On a phone: what a line came to, and the rest in words. */
function Cards({ data, bands }: { data: StoreDay; bands: readonly (readonly [StoreDayBand, readonly StoreDayLine[]])[] }): ReactNode {
  return (
    <div className="storeday-cards">
      {bands.map(([band, own]) => (
        <section key={band} aria-label={storeDayBand.label(band)}>
          <h2 className="storeday-card-band">
            {storeDayBand.label(band)}
            <Money cents={summed(own).incomeCents as never} />
          </h2>
          <ul>
            {own.map((line) => (
              <li key={line.key}>
                <span className="storeday-card-name">
                  {lineName(line)} <BillTag data={data} line={line} />
                </span>
                <Figure data={data} line={line} column="incomeCents" />
                <span className="storeday-card-words num">{wordsOf(line)}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="storeday-card-band storeday-total">
        当天合计 <Money cents={summed(data.figures.lines).incomeCents as never} />
      </p>
    </div>
  );
}
const wordsOf = (line: StoreDayLine): string =>
  [
    `${line.count} 笔`,
    ...(["paidCents", "shopOffCents", "subsidyCents", "feeCents", "backCents"] as const).flatMap((column) =>
      line[column] === 0 ? [] : [`${storeDayColumn.label(column)} ${yuan(line[column])}`],
    ),
  ].join(" · ");

/** What the total is made of: money that is there, what platforms owe, and what was taken long ago, apart. */
export function MadeOf({ data }: { data: StoreDay }): ReactNode {
  const { figures, storeId, day } = data;
  const { ownCents, settledCents, owedCents } = madeOf(figures);
  const { stored, invoices, rechargeCents } = figures;
  const [mayStored, mayInvoices] = [useAct(["/dataCentre/cardConsumption"]), useAct(["/invoice/merchant"])];
  const days = `from=${day}&to=${day}`;
  return (
    <StatCards
      stats={[
        {
          label: "已经在账上（元）",
          value: <Money cents={ownCents as never} />,
          more: rechargeCents === 0 ? "自收净额" : `自收净额，其中充值 ${yuan(rechargeCents)}`,
        },
        ...(settledCents === 0
          ? []
          : [{ label: "平台已出结算单（元）", value: <Money cents={settledCents as never} />, more: "按结算单，平台打款" }]),
        { label: "平台还欠门店（元）", value: <Money cents={owedCents as never} />, more: "团购、外卖，平台按约结算，不在账上" },
        {
          label: "储值消费本金（元）",
          value: <Money cents={stored.principalCents as never} />,
          more: "早已收过，不算今天的钱",
          ...(mayStored && { to: `/dataCentre/cardConsumption?${days}&storeId=${storeId}` }),
        },
        ...(stored.giftCents === 0
          ? []
          : [{ label: "赠送抵扣（元）", value: <Money cents={stored.giftCents as never} />, more: "本店送的，没有收过，不可退" }]),
        {
          label: `已开票（元），${invoices.count} 张`,
          value: <Money cents={invoices.cents as never} />,
          more: invoices.redCount === 0 ? "当天没有红冲" : `当天红冲 ${invoices.redCount} 张 ${yuan(invoices.redCents)}`,
          ...(mayInvoices && { to: `/invoice/merchant?view=invoices&${days}&storeId=${storeId}` }),
        },
      ]}
    />
  );
}
