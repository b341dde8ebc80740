import type { ReactNode } from "react";
import { shanghaiTime } from "@zhangfang/contract/time.ts";

/**
 * A moment in Asia/Shanghai, YYYY-MM-DD HH:mm:ss (spec.md section 9); a 10-digit number is seconds.
 * @example <Time at={row.paidAt} />
 */
export function Time({ at }: { at: string | number | null | undefined }): ReactNode {
  if (at === null || at === undefined || at === "") return <span className="blank">—</span>;
  const text = shanghaiTime(at);
  return (
    <time className="num" dateTime={text}>
      {text}
    </time>
  );
}
