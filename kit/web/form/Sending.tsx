import type { ReactNode } from "react";
import { Button } from "../show/Button.tsx";

/** Something that goes to the server in pieces. */
export interface Sent {
  /** How much arrived, of how much; undefined while nothing is on its way. */
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  /** Why it stands still; going on sends the rest. */
  readonly failure: string | undefined;
  goOn(): void;
  cancel(): void;
}

/**
 * How far it is, and what is done where it stands still.
 * @param props.children how far it is, in words
 * @example <Sending of={upload} label="上传进度" cancel="取消上传">正在上传 {percent}%</Sending>
 */
export function Sending({ of, label, cancel, children }: { of: Sent; label: string; cancel: string; children: ReactNode }): ReactNode {
  return (
    <div className="sending">
      <p>{children}</p>
      <progress aria-label={label} max={of.progress?.of ?? 1} value={of.progress?.done ?? 0} />
      {of.failure && (
        <p role="alert" className="form-failure">
          {of.failure}
        </p>
      )}
      <p className="screen-acts">
        {of.failure && (
          <Button tone="primary" onClick={of.goOn}>
            继续
          </Button>
        )}
        <Button onClick={of.cancel}>{cancel}</Button>
      </p>
    </div>
  );
}
