import type { ReactNode } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import { Choice } from "./Choice.tsx";
import { DateRange } from "./DateRange.tsx";
import { OrgFilter } from "./OrgFilter.tsx";
import type { Span } from "../list/address/use-span.ts";

/**
 * The days, the organisation below the user and some choices, over a page of figures.
 * @example <SpanFilter span={span} label="核销日" choices={[{ name: "platform", label: "平台", set: platform }]} />
 */
export function SpanFilter({
  span,
  label,
  choices,
}: {
  span: Span;
  label: string;
  choices: readonly { readonly name: string; readonly label: string; readonly set: Labelled }[];
}): ReactNode {
  const filters = { merchantId: span.get("merchantId"), storeId: span.get("storeId") };
  return (
    <div className="sheet span-filter">
      <DateRange of={{ values: { from: span.from, to: span.to }, set: span.set }} label={label} live />
      {choices.map(({ name, label: title, set }) => (
        <Choice key={name} of={{ name, value: span.get(name), set: (value) => span.set({ [name]: value }) }} label={title} set={set} />
      ))}
      <OrgFilter of={{ filters, setFilters: span.set } as never} levels={["merchantId", "storeId"]} />
    </div>
  );
}
