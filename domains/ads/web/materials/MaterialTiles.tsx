import type { ReactNode } from "react";
import type { Ticks } from "@zhangfang/web/list/table/DataTable.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { auditStatus } from "../../contract/index.ts";
import { type Material, Thumb } from "./MaterialView.tsx";
import { lengthWords, sizeWords } from "./words.ts";

/** Materials as they look: what somebody seeks by eye. */
export function MaterialTiles({
  rows,
  ticks,
  onOpen,
}: {
  rows: readonly Material[];
  ticks: Ticks | undefined;
  onOpen: (row: Material) => void;
}): ReactNode {
  return (
    <ul className="material-tiles" aria-label="广告素材">
      {rows.map((row) => (
        <li key={row.id} className="material-tile">
          <button
            type="button"
            className="material-open"
            aria-label={["查看", row.name, row.durationMs !== null && lengthWords(row.durationMs)].filter(Boolean).join(" ")}
            onClick={() => onOpen(row)}
          >
            <Thumb row={row} />
          </button>
          <div className="material-words">
            {ticks && (
              <input
                type="checkbox"
                aria-label={`选择 ${row.name}`}
                checked={ticks.keys.has(row.id)}
                onChange={(event) => ticks.toggle([row.id], event.target.checked)}
              />
            )}
            <strong title={row.name}>{row.name}</strong>
            <StatusTag of={auditStatus} code={row.audit_status} />
          </div>
          <p className="note num">
            {row.width} × {row.height} · {sizeWords(row.sizeBytes)}
            {row.enabledAds > 0 && ` · ${row.enabledAds} 个广告在用`}
          </p>
        </li>
      ))}
    </ul>
  );
}
