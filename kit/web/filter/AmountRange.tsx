import { type ReactNode, useState } from "react";
import { centsOf, yuan } from "@zhangfang/contract/money.ts";
import type { FilterGroup } from "../list/use-list.ts";
import { FilterPart } from "./filter-mode.tsx";
import { entered } from "../window/entered.ts";
import { isSeen } from "../window/is-seen.ts";

const plain = (cents: string | undefined): string => (cents === undefined ? "" : yuan(Number(cents)).replaceAll(",", ""));
const symbol = (cents: string | undefined): string => `¥${yuan(Number(cents))}`;

/**
 * A filter on an amount from one to another: typed in yuan, held in cents. The first name of the group is the least, the
 * second the most; both count on Enter and on leaving a field, and change places where they were typed the wrong way round.
 * @example <AmountRange of={list.range("minCents", "maxCents")} label="实收金额" />
 */
export function AmountRange({ of, label }: { of: FilterGroup; label: string }): ReactNode {
  const [least = "", most = ""] = Object.keys(of.values);
  const [min, max] = [of.values[least], of.values[most]];
  const [typed, setTyped] = useState([plain(min), plain(max)] as const);
  // Not in an effect, which begins anew when a page is seen again (Keyword.tsx).
  const [seen, setSeen] = useState([min, max] as const);
  if (seen[0] !== min || seen[1] !== max) {
    setSeen([min, max]);
    setTyped([plain(min), plain(max)]);
  }
  const apply = (): void => {
    const given = typed
      .map((text) => (text.trim() === "" ? undefined : centsOf(text)))
      .map((cents) => (cents !== undefined && cents >= 0 ? cents : undefined));
    const [low, high] = given[0] !== undefined && given[1] !== undefined && given[0] > given[1] ? [given[1], given[0]] : given;
    setTyped([plain(low === undefined ? undefined : String(low)), plain(high === undefined ? undefined : String(high))]);
    if (String(low ?? "") !== (min ?? "") || String(high ?? "") !== (max ?? ""))
      of.set({ [least]: low?.toString(), [most]: high?.toString() });
  };
  const field = (at: 0 | 1, name: string): ReactNode => (
    <input
      className="input num"
      inputMode="decimal"
      autoComplete="off"
      aria-label={`${label}${name}（元）`}
      placeholder={name}
      value={typed[at]}
      onChange={(event) => setTyped(at === 0 ? [event.target.value, typed[1]] : [typed[0], event.target.value])}
      onBlur={(event) => isSeen(event.currentTarget) && apply()}
      onKeyDown={(event) => entered(event) && apply()}
    />
  );
  const shown =
    min !== undefined && max !== undefined
      ? `${symbol(min)} 至 ${symbol(max)}`
      : min !== undefined
        ? `不低于 ${symbol(min)}`
        : max !== undefined
          ? `不高于 ${symbol(max)}`
          : undefined;
  return (
    <FilterPart label={label} names={of.values} shown={shown} clear={() => of.set({ [least]: undefined, [most]: undefined })}>
      <span className="filter-amounts" role="group" aria-label={label}>
        {field(0, "最低")}
        <span aria-hidden="true">–</span>
        {field(1, "最高")}
      </span>
    </FilterPart>
  );
}
