import type { ReactNode } from "react";
import type { Tone } from "@zhangfang/contract/labelled.ts";
import { Time } from "./Time.tsx";

/** One thing that happened, or that will. */
export interface TimelineItem {
  readonly title: ReactNode;
  /** Missing for what has not happened yet. */
  readonly at?: string | null;
  readonly note?: ReactNode;
  readonly tone?: Tone;
}

/**
 * What happened to an object, oldest first.
 * @example <Timeline items={[{ title: "下单", at: order.createdAt }, { title: "支付成功", at: order.paidAt, tone: "good" }]} />
 */
export function Timeline({ items }: { items: readonly TimelineItem[] }): ReactNode {
  return (
    <ol className="timeline">
      {items.map((item, index) => (
        <li key={index} className={`timeline-${item.tone ?? "ended"}${item.at ? "" : " timeline-ahead"}`}>
          <span className="timeline-title">{item.title}</span>
          {item.at && <Time at={item.at} />}
          {item.note && <div className="note">{item.note}</div>}
        </li>
      ))}
    </ol>
  );
}
