import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FilterName, List } from "../list/use-list.ts";
import { ORG_LEVELS, type OrgLevel, slots } from "../slots.ts";
import { type Level, useUser } from "../api/user.ts";
import { FilterPart } from "./filter-mode.tsx";
import { type FieldParts, SoughtSelect } from "./Sought.tsx";
import { levelWords } from "../level-names.ts";

const LEVELS = Object.keys(ORG_LEVELS) as OrgLevel[];
/** The levels below each account level, widest first (spec.md section 6). */
const BELOW: Readonly<Record<Level, readonly OrgLevel[]>> = {
  ADMIN: LEVELS,
  SP: ["agentId", "businessTeamId", "merchantId", "storeId"],
  AG: ["merchantId", "storeId"],
  GP: ["businessTeamId", "merchantId", "storeId"],
  TM: ["merchantId", "storeId"],
  MCH: ["storeId"],
  AE: ["storeId"],
};

/** Whose something is, and who sold it: two parts of the filter where a screen folds the second away. */
export const OWNERS: readonly OrgLevel[] = ["serviceProviderId", "merchantId", "storeId"];
export const SELLERS: readonly OrgLevel[] = ["agentId", "businessTeamId"];

/** Takes away the narrower choices when a wider one changes: they might lie outside it. */
export function narrowed(level: OrgLevel, value: string | undefined): Partial<Record<OrgLevel, string | undefined>> {
  const below = LEVELS.slice(LEVELS.indexOf(level) + 1).filter((narrower) => !(level === "agentId" && narrower === "businessTeamId"));
  return { ...Object.fromEntries(below.map((narrower) => [narrower, undefined])), [level]: value };
}

/**
 * Narrows a list to levels below the user: 服务商 → 代理商/团队 → 商户 → 门店, each searched on the server within the wider ones.
 * @param levels only these, where the endpoint does not take all of `scopeFilter`
 * @example <OrgFilter of={list} levels={["merchantId", "storeId"]} />
 */
export function OrgFilter({ of: list, levels }: { of: Pick<List, "filters" | "setFilters">; levels?: readonly OrgLevel[] }): ReactNode {
  const { level } = useUser();
  const offered = level === undefined ? [] : BELOW[level].filter((one) => (levels ?? LEVELS).includes(one) && slots.org[one] !== undefined);
  return offered.map((one) => <LevelFilter key={one} level={one} list={list} />);
}

function LevelFilter({ level, list }: { level: OrgLevel; list: Pick<List, "filters" | "setFilters"> }): ReactNode {
  const value = list.filters[level];
  const within = Object.fromEntries(
    LEVELS.slice(0, LEVELS.indexOf(level)).flatMap((wider) => (list.filters[wider] ? [[wider, list.filters[wider]]] : [])),
  );
  const set = (chosen: string | undefined): void =>
    list.setFilters(narrowed(level, chosen) as Partial<Record<FilterName<List["endpoint"]>, string>>);
  const name = useOrgName(level, value);
  const label = ORG_LEVELS[level];
  return (
    <FilterPart label={label} names={{ [level]: value }} shown={value && (name ?? "…")} clear={() => set(undefined)}>
      <OrgPicker
        level={level}
        value={value}
        within={within}
        onChange={set}
        className="filter-control"
        placeholder={`全部${levelWords(label)}`}
      />
    </FilterPart>
  );
}

/** The name of a known member of a level. */
function useOrgName(level: OrgLevel, id: string | undefined): string | undefined {
  const known = useQuery({
    queryKey: ["org", level, "name", id],
    enabled: id !== undefined && slots.org[level] !== undefined,
    queryFn: ({ signal }) => slots.org[level]?.({ search: "", within: {}, ids: [id ?? ""] }, signal) ?? [],
  });
  return known.data?.find((choice) => choice.id === id)?.name;
}

/**
 * Picks one member of a level by searching on the server; for filters and for forms.
 * @example <Field name="storeId" label="门店">{(f) => <OrgPicker {...f} level="storeId" />}</Field>
 */
export function OrgPicker({
  level,
  value,
  within = {},
  onChange,
  ...more
}: {
  level: OrgLevel;
  value?: string | undefined;
  within?: Partial<Record<OrgLevel, string>>;
  onChange?: (id: string | undefined) => void;
  className?: string;
  disabled?: boolean;
  /** What stands where nothing is chosen; without it, that one is to be. */
  placeholder?: string;
} & FieldParts): ReactNode {
  const name = useOrgName(level, value ?? undefined);
  const lookup = slots.org[level];
  return (
    <SoughtSelect
      label={levelWords(ORG_LEVELS[level])}
      queryKey={["org", level, within]}
      seek={lookup && ((search, signal) => lookup({ search, within }, signal))}
      name={name}
      value={value}
      onChange={onChange}
      {...more}
    />
  );
}
