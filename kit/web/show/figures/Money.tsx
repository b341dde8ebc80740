import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";

/**
 * An amount: two decimals, thousands, digits of one width; below zero with a true minus and in red.
 * @param sign also a plus above zero, for changes of a balance
 * @example <Money cents={row.paid} /> // 1,234.50
 */
export function Money({
  cents,
  sign = false,
  symbol = false,
}: {
  cents: Cents | null | undefined;
  sign?: boolean;
  symbol?: boolean;
}): ReactNode {
  if (cents === null || cents === undefined) return <span className="blank">—</span>;
  const text = yuan(cents);
  const shown = symbol ? text.replace(/^(−?)/, "$1¥") : text;
  return <span className={cents < 0 ? "num money-out" : "num"}>{sign && cents > 0 ? `+${shown}` : shown}</span>;
}
