import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { type traceOrder, traceStation } from "../../contract/index.ts";
import "./money-trace.css";

export type Trace = OutputOf<typeof traceOrder>;
type Part = Trace["parts"][number];

/** The stations one under the other, what each came to, and at the end every party, which sum to zero. */
export function TraceFlow({ trace, title }: { trace: Trace; title?: string }): ReactNode {
  const rest = trace.parties.reduce((sum, { amountCents }) => sum + amountCents, 0) as Cents;
  return (
    <div className="trace">
      {title && <h2>{title}</h2>}
      <ol className="trace-flow">
        {trace.parts.map((part) => (
          <Station key={part.station} part={part} />
        ))}
      </ol>
      {trace.parties.length > 0 && (
        <table className="trace-parties">
          <caption>各方收支</caption>
          <tbody>
            {trace.parties.map(({ name, note, amountCents }) => (
              <tr key={`${name}${note}`}>
                <th scope="row">
                  {levelWords(name)} {note && <small className="note">{note}</small>}
                </th>
                <td>
                  <Money cents={amountCents} sign />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">合计{rest === 0 && <small className="note">收支相抵，分文不差</small>}</th>
              <td>
                <Money cents={rest} />
              </td>
            </tr>
          </tfoot>
        </table>
      )}
    </div>
  );
}

function Station({ part: { station, lines, sum } }: { part: Part }): ReactNode {
  return (
    <li>
      <h4>{levelWords(traceStation.label(station))}</h4>
      <dl>
        {lines.map((line, index) => (
          <div key={index}>
            <dt>
              {levelWords(line.label)}
              {line.note && <small className="note">{line.note}</small>}
              {line.at && (
                <small className="note">
                  <Time at={line.at} />
                </small>
              )}
              {line.rounding && <small className="note trace-rounding">{line.rounding}</small>}
            </dt>
            <dd>{line.amountCents !== null && <Money cents={line.amountCents} />}</dd>
          </div>
        ))}
        {sum && (
          <div className="trace-sum">
            <dt>{levelWords(sum.label)}</dt>
            <dd>
              <Money cents={sum.amountCents} />
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}
