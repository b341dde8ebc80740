import { createContext, type ReactNode, useContext } from "react";
import { Icon } from "../show/icons.tsx";
import { levelWords } from "../level-names.ts";

/** A list draws its filters twice: as fields, and as the chips of those in force. */
export const FilterMode = createContext<{ readonly mode: "field" | "chip"; readonly defaults: Readonly<Record<string, string>> }>({
  mode: "field",
  defaults: {},
});

/** A filter as a field with its label, or as a chip where it is in force and not its default. */
export function FilterPart({
  label,
  names,
  shown,
  clear,
  wide = false,
  children,
}: {
  label: string;
  names: Readonly<Record<string, string | undefined>>;
  /** The value in words; nothing where the filter is not in force. */
  shown: string | undefined;
  clear: () => void;
  wide?: boolean;
  children: ReactNode;
}): ReactNode {
  const { mode, defaults } = useContext(FilterMode);
  const name = levelWords(label);
  if (mode === "field") {
    return (
      <div className={wide ? "filter filter-wide" : "filter"}>
        <span className="filter-label">{name}</span>
        {children}
      </div>
    );
  }
  if (!shown || Object.entries(names).every(([name, value]) => value === defaults[name])) return null;
  return (
    <span className="chip">
      {name} {shown}
      <button type="button" aria-label={`去掉筛选：${name} ${shown}`} onClick={clear}>
        <Icon name="close" size={12} />
      </button>
    </span>
  );
}
