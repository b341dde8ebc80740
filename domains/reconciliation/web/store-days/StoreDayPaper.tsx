import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime, weekdayName } from "@zhangfang/contract/time.ts";
import {
  changeWords,
  hindranceWords,
  lineName,
  madeOf,
  storeDayBand,
  storeDayColumn,
  storeDayStatus,
  summed,
  type StoreDayAmounts,
} from "../../contract/store-day-words.ts";
import { SHOWN, type StoreDay } from "./store-day-links.ts";

const MOST_CHANGES = 8;
/** The day on one sheet of A4, for the file: the ledger, what it is made of, what was noted, and two signatures. */
export function StoreDayPaper({ data, printedAt }: { data: StoreDay; printedAt: number }): ReactNode {
  const { figures } = data;
  const { ownCents, settledCents, owedCents } = madeOf(figures);
  return (
    <article className="storeday-paper">
      <header>
        <h2>门店日结单</h2>
        <p>
          {data.merchantName} {data.storeName} · {data.day} {weekdayName(data.day)} · {storeDayStatus.label(data.status)}
          {data.closedAt && ` ${shanghaiTime(data.closedAt).slice(0, 16)}`}
        </p>
      </header>
      <table>
        <thead>
          <tr>
            <th>来源</th>
            {SHOWN.map((column) => (
              <th key={column} className="at-right">
                {storeDayColumn.label(column)}
              </th>
            ))}
          </tr>
        </thead>
        {storeDayBand.values.map((band) => {
          const own = figures.lines.filter((line) => line.band === band);
          return (
            <tbody key={band}>
              <tr className="storeday-paper-sum">
                <td>{storeDayBand.label(band)}</td>
                <Amounts of={summed(own)} />
              </tr>
              {own.map((line) => (
                <tr key={line.key}>
                  <td>{lineName(line)}</td>
                  <Amounts of={line} />
                </tr>
              ))}
            </tbody>
          );
        })}
        <tfoot>
          <tr className="storeday-paper-sum">
            <td>当天合计</td>
            <Amounts of={summed(figures.lines)} />
          </tr>
        </tfoot>
      </table>
      <dl>
        <Pair name="已经在账上" value={yuan(ownCents)} />
        <Pair name="平台已出结算单" value={yuan(settledCents)} />
        <Pair name="平台还欠门店" value={yuan(owedCents)} />
        <Pair name="储值消费本金（早已收过）" value={yuan(figures.stored.principalCents)} />
        <Pair name="赠送抵扣（没有收过，不可退）" value={yuan(figures.stored.giftCents)} />
        <Pair name="已开票" value={`${figures.invoices.count} 张 ${yuan(figures.invoices.cents)}`} />
        <Pair name="红冲" value={`${figures.invoices.redCount} 张 ${yuan(figures.invoices.redCents)}`} />
      </dl>
      <Notes data={data} />
      <footer>
        <div className="storeday-paper-signed">
          <span>经手人：{data.proposedBy}</span>
          <span>复核人：{data.closedBy}</span>
          <span>日期：</span>
        </div>
        <p>
          打印时间 {shanghaiTime(printedAt).slice(0, 16)}，数据截至 {shanghaiTime(data.asOf).slice(0, 16)}。金额单位：元
        </p>
      </footer>
    </article>
  );
}
/** What was noted with the day, and what came after it. */
function Notes({ data }: { data: StoreDay }): ReactNode {
  const { hindrances, changes } = data;
  return (
    <>
      {hindrances.length > 0 && (
        <p>
          {data.status === "closed" ? "关账时" : "目前"}：{hindrances.map((one) => hindranceWords(one, data.day)).join("；")}。
        </p>
      )}
      {changes.length > 0 && (
        <p>
          {data.status === "closed" ? "关账后" : "提交后"}变动：{changes.slice(0, MOST_CHANGES).map(changeWords).join("；")}
          {changes.length > MOST_CHANGES && `，共 ${changes.length} 处`}。
        </p>
      )}
      {data.note && <p>说明：{data.note}</p>}
    </>
  );
}
function Amounts({ of }: { of: StoreDayAmounts }): ReactNode {
  return SHOWN.map((column) => (
    <td key={column} className="at-right">
      {column === "count" ? of.count : yuan(of[column])}
    </td>
  ));
}
const Pair = ({ name, value }: { name: string; value: string }): ReactNode => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
