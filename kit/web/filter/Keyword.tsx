import { type ReactNode, useState } from "react";
import type { FilterField } from "../list/use-list.ts";
import { FilterPart } from "./filter-mode.tsx";
import { levelWords } from "../level-names.ts";
import { entered } from "../window/entered.ts";
import { isSeen } from "../window/is-seen.ts";

/**
 * A filter on words or numbers that somebody types or pastes. It counts on Enter, on leaving the field, and on 查询.
 * @example <Keyword of={list.field("keyword")} label="订单号" placeholder="支付 / 商户 / 通道单号" />
 */
export function Keyword({
  of,
  label,
  placeholder = "",
  maxLength = 64,
}: {
  of: FilterField;
  label: string;
  placeholder?: string;
  maxLength?: number;
}): ReactNode {
  const [text, setText] = useState(of.value ?? "");
  // Not in an effect: those begin anew when a page is seen again, and would take away what was typed and not sent.
  const [seen, setSeen] = useState(of.value);
  if (seen !== of.value) {
    setSeen(of.value);
    setText(of.value ?? "");
  }
  const apply = (): void => {
    const trimmed = text.trim();
    if (trimmed !== (of.value ?? "")) of.set(trimmed === "" ? undefined : trimmed);
  };
  return (
    <FilterPart label={label} names={{ [of.name]: of.value }} shown={of.value} clear={() => of.set(undefined)}>
      <input
        className="input filter-control"
        type="search"
        aria-label={levelWords(label)}
        placeholder={levelWords(placeholder)}
        maxLength={maxLength}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          if (event.target.value === "" && of.value !== undefined) of.set(undefined);
        }}
        onBlur={(event) => isSeen(event.currentTarget) && apply()}
        onKeyDown={(event) => entered(event) && apply()}
      />
    </FilterPart>
  );
}
