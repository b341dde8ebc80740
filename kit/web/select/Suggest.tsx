import type { AutoCompleteProps } from "antd";
import { lazy, type ReactNode, Suspense } from "react";

/** Stands for it while it travels, and where it does not come: words can be written without being offered. */
const Plain = ({ id, className, placeholder, maxLength, value, onChange }: AutoCompleteProps): ReactNode => (
  <input
    id={id}
    className={`input ${className ?? ""}`}
    placeholder={typeof placeholder === "string" ? placeholder : undefined}
    maxLength={maxLength}
    value={(value as string | undefined) ?? ""}
    onChange={(event) => onChange?.(event.target.value, [])}
  />
);
const Real = lazy(() =>
  import("./AntdSuggest.tsx").then(
    (loaded) => ({ default: loaded.AntdSuggest }),
    () => ({ default: Plain }),
  ),
);

/** Words to write or to take from what was written before. @example <Suggest id={f.id} options={…} value={f.value} onChange={f.onChange} /> */
export const Suggest = (props: AutoCompleteProps): ReactNode => (
  <Suspense fallback={<Plain {...props} />}>
    <Real {...props} />
  </Suspense>
);
