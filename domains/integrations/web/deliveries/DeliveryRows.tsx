import { type ReactNode, useEffect, useRef, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { StatusTag, Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { deliveryState, type listPushDeliveries, pushEvent } from "../../contract/index.ts";
import { clockOf, shortOf } from "../push-words.ts";

type Row = RowOf<typeof listPushDeliveries>;

/** The list at the left: what, of what, how it stands, when. */
export function DeliveryRows({
  rows,
  shown,
  whose,
  onOpen,
}: {
  rows: readonly Row[];
  shown: string | undefined;
  whose: boolean;
  onOpen: (id: string) => void;
}): ReactNode {
  const current = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (shown) current.current?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  const [now] = useState(() => new Date().toISOString());
  return (
    <ul className="push-rows">
      {rows.map((row) => (
        <li key={row.id}>
          <button
            ref={row.id === shown ? current : undefined}
            type="button"
            aria-current={row.id === shown ? "true" : undefined}
            onClick={() => onOpen(row.id)}
          >
            <span>
              <b>{pushEvent.label(row.type)}</b>
              <State of={row} />
            </span>
            <span>
              <small>
                {row.type}
                {row.about && ` · ${shortOf(row.about)}`}
                {whose && ` · ${row.endpointName}`}
              </small>
              <small className="num">{clockOf(row.createdAt, now)}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
/** A success that somebody sent again is told as such. */
export function State({ of: { state, replays } }: { of: Pick<Row, "state" | "replays"> }): ReactNode {
  if (state === "succeeded" && replays > 0) return <Tag tone="good">重放成功</Tag>;
  return <StatusTag of={deliveryState} code={state} />;
}
