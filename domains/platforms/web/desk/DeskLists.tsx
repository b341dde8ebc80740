import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { reverseTimesUse } from "../../../vip/contract/index.ts";
import {
  attemptStatus,
  type AttemptView,
  cancelVoucher,
  noteVoucherFound,
  type OwnUse,
  ownVoucher,
  voucherPlatform,
} from "../../contract/index.ts";
import { cancelLeft, clock, left, minute, orderOf } from "../platform-words.ts";

interface Acts {
  readonly now_ms: number;
  readonly onFound: (attempt: AttemptView) => void;
  readonly onCancel: (attempt: AttemptView) => void;
}
/** 还没有结果的: the order to the clerk first. */
export function OpenAttempts({ rows, now_ms, onFound }: { rows: readonly AttemptView[] } & Omit<Acts, "onCancel">): ReactNode {
  const mayFind = useAct(noteVoucherFound);
  if (rows.length === 0) return null;
  return (
    <section className="desk-card" aria-label="还没有结果的">
      <h2>还没有结果的 {rows.length} 张</h2>
      <ul className="desk-open">
        {rows.map((row) => {
          const { order, bad, why } = orderOf(row);
          return (
            <li key={row.id}>
              <div>
                <b>
                  {row.title} {row.tail && `尾号 ${row.tail}`}
                </b>
                <p className="note">{why}</p>
                {row.found && <p className="note">{row.found.byName} 已核对，等另一人确认。</p>}
                {row.needsPerson && mayFind && (
                  <Button small onClick={() => onFound(row)}>
                    {row.found ? "确认核对" : "人工核对"}
                  </Button>
                )}
              </div>
              <div className="desk-order">
                <strong className={bad ? "is-bad" : "is-warn"}>{order}</strong>
                {row.nextAt && <small>{askedWords(row, now_ms)}</small>}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
function askedWords({ nextAt, tries }: AttemptView, now_ms: number): string {
  const wait = Math.max(0, Math.ceil((Date.parse(nextAt!) - now_ms) / 1_000));
  return wait > 90 ? `下次问 ${clock(nextAt!)}` : `第 ${tries + 1} 次问，${wait} 秒后`;
}

const shown = labelled({ all: "全部", open: "待处理" });
/** 今天: what was used here, of platforms and of one's own, with what is left to take it back. */
export function TodayAttempts({
  rows,
  own,
  now_ms,
  onCancel,
  onFound,
  onReverse,
}: { rows: readonly AttemptView[]; own: readonly OwnUse[]; onReverse: (use: OwnUse) => void } & Acts): ReactNode {
  const [which, setWhich] = useState<"all" | "open">("all");
  const isOpen = ({ status }: AttemptView): boolean => [0, 3, 4, 5].includes(status);
  const some = [
    ...(which === "open" ? rows.filter(isOpen) : rows).map((row) => ({
      at: row.startedAt,
      line: <TodayRow key={row.id} row={row} now_ms={now_ms} onCancel={onCancel} onFound={onFound} />,
    })),
    ...(which === "open" ? [] : own).map((use) => ({ at: use.startedAt, line: <OwnRow key={use.id} use={use} onReverse={onReverse} /> })),
  ].toSorted((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <section className="desk-card desk-today" aria-label="今天">
      <header>
        <h2>今天</h2>
        <Segments small label="看哪些" set={shown} value={which} onChange={setWhich} />
      </header>
      {some.length === 0 && <p className="note">{which === "open" ? "没有要处理的。" : "今天还没有核销，扫一张试试。"}</p>}
      <ul>{some.map(({ line }) => line)}</ul>
    </section>
  );
}
function TodayRow({ row, now_ms, onCancel, onFound }: { row: AttemptView } & Acts): ReactNode {
  const mayCancel = useAct(cancelVoucher);
  const ms = cancelLeft(row, now_ms);
  return (
    <li>
      <div>
        <span>{row.title}</span>
        <small>
          {voucherPlatform.label(row.platform)} · {clock(row.startedAt)} · {row.byName}
          {row.tail && ` · 尾号 ${row.tail}`}
        </small>
      </div>
      <div>
        <StatusTag of={attemptStatus} code={row.status} />
        <small>
          {row.status === 1 && ms > 0 && mayCancel ? (
            <button type="button" className="link desk-link" onClick={() => onCancel(row)}>
              撤销，还剩 {left(ms)}
            </button>
          ) : row.needsPerson ? (
            <button type="button" className="link desk-link" onClick={() => onFound(row)}>
              人工核对
            </button>
          ) : (
            rowWords(row, ms)
          )}
        </small>
      </div>
    </li>
  );
}
/** 次卡 and 商家券, in the same shape. */
function OwnRow({ use, onReverse }: { use: OwnUse; onReverse: (use: OwnUse) => void }): ReactNode {
  const mayReverse = useAct(reverseTimesUse);
  return (
    <li>
      <div>
        <span>
          {use.title}
          {use.times > 1 && ` ${use.times} 次`}
        </span>
        <small>
          {ownVoucher.label(use.source)} · {clock(use.startedAt)} · {use.byName} · 尾号 {use.tail}
        </small>
      </div>
      <div>
        <StatusTag of={attemptStatus} code={use.status} />
        <small>
          {use.cancelUntil !== null && mayReverse ? (
            <button type="button" className="link desk-link" onClick={() => onReverse(use)}>
              撤销，{minute(use.cancelUntil)} 前
            </button>
          ) : use.reversedAt === null ? (
            use.source === "coupon" && "不能撤销"
          ) : (
            minute(use.reversedAt)
          )}
        </small>
      </div>
    </li>
  );
}
function rowWords(row: AttemptView, ms: number): ReactNode {
  if (row.status === 1 && row.order)
    return (
      <>
        在订单 <Link to={`/dataCentre/payOrder?id=${row.order.id}`}>{row.order.orderNo}</Link> 里
      </>
    );
  if (row.status === 1) return row.cancelMessage || (ms > 0 ? `可撤销，还剩 ${left(ms)}` : "撤销时限已过");
  if (row.status === 6) return row.cancelReason || (row.reversedAt && minute(row.reversedAt));
  if (row.status === 2) return row.message;
  const { order, bad } = orderOf(row);
  return <b className={bad ? "is-bad" : "is-warn"}>{order}</b>;
}
