import type { ReactNode } from "react";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";
import { partsOfProduct } from "../contract/product-parts.ts";

/** Goods that a figure led here with, by their number; there as long as they are in force. */
export function ProductFilter({ of }: { of: FilterField }): ReactNode {
  if (!of.value) return null;
  const shown = of.value === "all" ? "任意商品" : partsOfProduct(of.value).goodsNo || "运费";
  return (
    <FilterPart label="商品" names={{ [of.name]: of.value }} shown={shown} clear={() => of.set(undefined)}>
      <span className="filter-control">{shown}</span>
    </FilterPart>
  );
}
