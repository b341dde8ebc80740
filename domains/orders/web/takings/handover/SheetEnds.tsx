import type { ReactNode } from "react";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { beforehandOf } from "../shift-sums.ts";
import type { Sheet } from "./sheet.ts";

/** Whose sheet it is and which stretch of time it covers. */
export function SheetHead({ sheet }: { sheet: Sheet }): ReactNode {
  return (
    <header>
      <h2>{sheet.handed ? "交班单" : "收款明细（未交班）"}</h2>
      <p>
        {sheet.storeName} · {sheet.cashierName}
      </p>
      <p>
        {sheet.fromAt === null ? "开业" : <Time at={sheet.fromAt} />} 至 <Time at={sheet.toAt} />
      </p>
    </header>
  );
}

/** Who handed over, what was said, and where both sign. */
export function SheetFoot({ sheet }: { sheet: Sheet }): ReactNode {
  return (
    <footer>
      {beforehandOf(sheet.total).map(([name, cents]) => (
        <p key={name}>
          {name} <Money cents={cents} symbol />
        </p>
      ))}
      {sheet.outside.map(({ name, count, cents }) => (
        <p key={name}>
          另收{name} {count} 笔 <Money cents={cents} symbol />
        </p>
      ))}
      {sheet.note && <p>说明：{sheet.note}</p>}
      {sheet.handed && (
        <>
          <p>
            交班人：{sheet.handed.by}　<Time at={sheet.handed.at} />
          </p>
          <p className="signatures">
            <span>交班人签字</span>
            <span>接班人签字</span>
          </p>
        </>
      )}
    </footer>
  );
}
