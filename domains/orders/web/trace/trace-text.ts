import { yuan } from "@zhangfang/contract/money.ts";
import { traceStation } from "../../contract/index.ts";
import type { Trace } from "./TraceFlow.tsx";

/** The trace as lines of text, for a message to somebody who has no account. */
export function traceText({ orderNo, parts, parties }: Trace): string {
  const rest = parties.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return [
    `订单 ${orderNo} 资金去向（元）`,
    ...parts.flatMap(({ station, lines, sum }) => [
      `【${traceStation.label(station)}】`,
      ...lines.map(({ label, note, amountCents, rounding }) =>
        [label, note && `（${note}）`, amountCents === null ? "" : ` ${yuan(amountCents)}`, rounding && `；${rounding}`]
          .filter(Boolean)
          .join(""),
      ),
      ...(sum ? [`${sum.label} ${yuan(sum.amountCents)}`] : []),
    ]),
    ...(parties.length === 0
      ? []
      : [
          "【各方收支】",
          ...parties.map(({ name, note, amountCents }) => `${name}${note ? `（${note}）` : ""} ${yuan(amountCents)}`),
          `合计 ${yuan(rest)}`,
        ]),
  ].join("\n");
}
