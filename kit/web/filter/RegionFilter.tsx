import { useQuery } from "@tanstack/react-query";
import { Select } from "../select/Select.tsx";
import type { ReactNode } from "react";
import type { FilterGroup } from "../list/use-list.ts";
import { slots } from "../slots.ts";
import { FilterPart } from "./filter-mode.tsx";

/**
 * A filter on province and city, the city within the province.
 * @example <RegionFilter of={list.range("province", "city")} />
 */
export function RegionFilter({ of: { values, set } }: { of: FilterGroup }): ReactNode {
  const [provinceName = "province", cityName = "city"] = Object.keys(values);
  const [province, city] = [values[provinceName], values[cityName]];
  const { data: regions = [] } = useQuery({ queryKey: ["regions"], queryFn: () => slots.regions?.() ?? [], staleTime: Infinity });
  const cities = regions.find(({ name }) => name === province)?.cities ?? [];
  const clear = (): void => set({ [provinceName]: undefined, [cityName]: undefined });
  const select = (label: string, value: string | undefined, names: readonly string[], choose: (name: string | undefined) => void) => (
    <Select
      aria-label={label}
      className="filter-control"
      allowClear
      showSearch
      placeholder={`全部${label}`}
      options={names.map((name) => ({ value: name, label: name }))}
      value={value}
      onChange={choose}
    />
  );
  return (
    <FilterPart
      label="地区"
      wide
      names={{ [provinceName]: province, [cityName]: city }}
      shown={[province, city].filter(Boolean).join(" ") || undefined}
      clear={clear}
    >
      <span className="region-filter">
        {select(
          "省份",
          province,
          regions.map(({ name }) => name),
          (name) => set({ [provinceName]: name, [cityName]: undefined }),
        )}
        {select(
          "城市",
          city,
          cities.map(({ name }) => name),
          (name) => set({ [cityName]: name }),
        )}
      </span>
    </FilterPart>
  );
}
