import type { ReactNode } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";

/**
 * A few ways of looking at the same page, one of them pressed. What is chosen belongs into the address.
 * @example <Segments label="统计范围" set={range} value={chosen} onChange={choose} />
 */
export function Segments<K extends string | number>({
  label,
  set,
  value,
  onChange,
  small = false,
}: {
  label: string;
  set: Labelled<K>;
  value: K;
  onChange: (value: K) => void;
  small?: boolean;
}): ReactNode {
  return (
    <div className={small ? "segments segments-small" : "segments"} role="group" aria-label={label}>
      {set.options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
