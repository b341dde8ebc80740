import type { ReactNode } from "react";

/** Grey lines where rows will stand; drawn at once. @example <Skeleton rows={6} /> */
export function Skeleton({ rows }: { rows: number }): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label="正在加载">
      {Array.from({ length: rows }, (_row, index) => (
        <span key={index} />
      ))}
    </div>
  );
}
