import type { ReactNode } from "react";
import { ApiError } from "../api/api-errors.ts";
import { Button } from "./Button.tsx";
import { Copy } from "./Copy.tsx";

/** Drawings of one stroke, for the three ways of having nothing to show, and for a failure. */
const drawings = {
  ledger: "M14 8h30l8 8v40H14zM44 8v8h8M22 24h20M22 32h20M22 40h12",
  search: "M28 12a16 16 0 1 0 0 32 16 16 0 0 0 0-32zM40 40l14 14M20 28h16",
  seal: "M24 10h16v12l6 6v8H18v-8l6-6zM14 44h36v10H14z",
  broken: "M12 14h40v28H36l-8 10v-10H12zM28 22l6 6-6 6",
} as const;

/**
 * Nothing to show: a drawing, one sentence, and the one thing to do about it.
 * @example <Empty drawing="ledger" text="还没有门店" action={<Button tone="primary" onClick={add}>新增门店</Button>} />
 */
export function Empty({
  drawing = "ledger",
  text,
  action,
}: {
  drawing?: keyof typeof drawings;
  text: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <svg
        width="64"
        height="64"
        viewBox="0 0 64 64"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d={drawings[drawing]} />
      </svg>
      <p>{text}</p>
      {action}
    </div>
  );
}

/** A failure where content should stand: the cause, what to do, and the number that support asks for. */
export function Failure({ error, retry, more }: { error: ApiError; retry?: () => void; more?: ReactNode }): ReactNode {
  return (
    <div role="alert">
      <Empty
        drawing={error.kind === "not-found" ? "seal" : "broken"}
        text={
          <>
            {error instanceof ApiError ? error.message : "数据无法显示，请重试"}
            {error.traceId && (
              <small className="error-trace">
                追踪编号 <Copy text={error.traceId} />
              </small>
            )}
          </>
        }
        action={
          (retry || more) && (
            <div className="empty-acts">
              {retry && <Button onClick={retry}>重试</Button>}
              {more}
            </div>
          )
        }
      />
    </div>
  );
}
