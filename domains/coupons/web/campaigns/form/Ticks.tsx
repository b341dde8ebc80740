import type { ReactNode } from "react";

/** Several of a few, all seen at once. */
export function Ticks({
  id,
  value = [],
  onChange,
  options,
  ...aria
}: {
  id: string;
  value: readonly string[] | undefined;
  onChange(value: readonly string[]): void;
  options: readonly { readonly value: string; readonly label: string }[];
  "aria-invalid"?: boolean | undefined;
  "aria-describedby"?: string | undefined;
}): ReactNode {
  return (
    <div className="radios" role="group">
      {options.map((option, at) => (
        <label key={option.value}>
          <input
            {...(at === 0 && { id, ...aria })}
            aria-label={option.label}
            type="checkbox"
            checked={value.includes(option.value)}
            onChange={(event) => onChange(event.target.checked ? [...value, option.value] : value.filter((one) => one !== option.value))}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
