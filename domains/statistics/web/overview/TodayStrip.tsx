import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { changeText } from "@zhangfang/web/show/figures/StatCards.tsx";
import { changeOf } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import { type Today, useToday, useTodayHeard } from "./use-today.ts";

/** Today as it happens, under the figures of yesterday: one line that never changes its height. */
export function TodayStrip(): ReactNode {
  const today = useToday();
  const to = useDrill();
  const shown = today.data;
  const linked = (address: string | undefined, value: ReactNode): ReactNode =>
    address === undefined ? value : <Link to={address}>{value}</Link>;
  const cells: readonly (readonly [label: string, value: ReactNode])[] = [
    ["实收（元）", shown && linked(to(shown.drill.pay), <Money cents={shown.today.paidCents} />)],
    ["笔数", shown && linked(to(shown.drill.pay), shown.today.payCount.toLocaleString("en-US"))],
    ["退款（元）", shown && linked(to(shown.drill.refund), <Money cents={shown.today.refundCents} />)],
    ["实收较昨日同时", shown && changeText(changeOf(shown.today.paidCents, shown.yesterdaySoFar.paidCents))],
    ["实收较上周同时", shown && changeText(changeOf(shown.today.paidCents, shown.lastWeekSoFar.paidCents))],
  ];
  return (
    <section className="sheet today" aria-label="今日实时" aria-busy={today.isPending}>
      <div className="today-name">
        <strong>今日</strong>
        <LiveMark />
      </div>
      <dl>
        {cells.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value ?? <span className="blank">—</span>}</dd>
          </div>
        ))}
      </dl>
      <Announced today={shown} />
    </section>
  );
}

/** Says whether what is shown lives, and up to when it counts. */
export function LiveMark(): ReactNode {
  const today = useTodayHeard();
  return (
    <p className="live">
      <span className={today.isError ? "tag tag-warn" : "tag tag-good"}>{today.isError ? "重新连接中" : "实时"}</span>
      <span className="note num">{today.data ? `截至 ${shanghaiTime(today.data.asOf).slice(11)}` : "正在获取"}</span>
    </p>
  );
}

/** Between two announcements, so that a busy shop does not talk without end. */
const QUIET_MS = 10_000;

/** What changed, for whoever listens: at once after a pause, else when the pause is over. */
export function Announced({ today }: { today: Today | undefined }): ReactNode {
  const words = today ? `今日实收 ${yuan(today.today.paidCents)} 元，${today.today.payCount} 笔` : "";
  const [said, setSaid] = useState("");
  const last = useRef(0);
  useEffect(() => {
    if (words === said) return;
    const timer = setTimeout(
      () => {
        last.current = Date.now();
        setSaid(words);
      },
      Math.max(0, last.current + QUIET_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [words, said]);
  return (
    <p className="sr-only" aria-live="polite">
      {said}
    </p>
  );
}
