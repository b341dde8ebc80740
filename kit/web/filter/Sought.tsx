import { useQuery } from "@tanstack/react-query";
import { Select } from "../select/Select.tsx";
import { type ReactNode, useState } from "react";
import type { FilterField } from "../list/use-list.ts";
import type { InputProps } from "../form/Field.tsx";
import type { OrgChoice } from "../slots.ts";
import { FilterPart } from "./filter-mode.tsx";
import { useSettled } from "./use-settled.ts";

/** Finds choices by what somebody typed, or the one whose id is known. */
export type Seek = (ask: { readonly search: string; readonly id?: string }, signal: AbortSignal) => Promise<readonly OrgChoice[]>;

/**
 * A filter on something that is searched on the server as one types; a link may have set it, and its name is then asked for.
 * @param within what narrows the search besides, as part of the cache's key
 * @example <Sought of={list.field("cashierId")} label="收银员" seek={seekCashiers({ storeId })} within={[storeId]} />
 */
export function Sought({
  of,
  label,
  seek,
  within,
  placeholder = `全部${label}`,
}: {
  of: FilterField;
  label: string;
  seek: Seek;
  within: readonly (string | undefined)[];
  /** What stands where nothing is chosen; without it, that all are meant. */
  placeholder?: string;
}): ReactNode {
  const { value } = of;
  const known = useQuery({
    queryKey: ["sought", label, "name", value],
    enabled: value !== undefined,
    queryFn: ({ signal }) => seek({ search: "", id: value ?? "" }, signal),
  });
  const name = known.data?.find((choice) => choice.id === value)?.name ?? (known.isSuccess ? "已指定" : undefined);
  return (
    <FilterPart label={label} names={{ [of.name]: value }} shown={value && (name ?? "…")} clear={() => of.set(undefined)}>
      <SoughtSelect
        label={label}
        placeholder={placeholder}
        queryKey={["sought", label, within]}
        seek={(search, signal) => seek({ search }, signal)}
        name={name}
        value={value}
        onChange={of.set}
        className="filter-control"
      />
    </FilterPart>
  );
}

/** What ties an input to the label, the help and the error of its field (kit/web/form/Field.tsx). */
export type FieldParts = Partial<Pick<InputProps<unknown>, "id" | "aria-invalid" | "aria-describedby">>;

/** The select of it: asks when it is opened and as one types. Without `seek` it offers nothing but what is chosen. */
export function SoughtSelect({
  label,
  queryKey,
  seek,
  name,
  value,
  onChange,
  className,
  disabled,
  placeholder = `选择${label}`,
  ...input
}: {
  /** What is chosen; its name where no label stands over it. */
  label: string;
  queryKey: readonly unknown[];
  seek: ((search: string, signal: AbortSignal) => Promise<readonly OrgChoice[]> | readonly OrgChoice[]) | undefined;
  /** What the chosen one is called. */
  name: string | undefined;
  value: string | undefined;
  onChange?: ((id: string | undefined) => void) | undefined;
  className?: string | undefined;
  disabled?: boolean | undefined;
  placeholder?: string | undefined;
} & FieldParts): ReactNode {
  const [typed, setTyped] = useState("");
  const [opened, setOpened] = useState(false);
  const search = useSettled(typed, 200);
  const found = useQuery({
    queryKey: [...queryKey, search],
    enabled: opened && seek !== undefined,
    queryFn: ({ signal }) => seek?.(search, signal) ?? [],
  });
  const options = (found.data ?? []).map((choice) => ({ value: choice.id, label: choice.name }));
  if (value && !options.some((option) => option.value === value)) options.unshift({ value, label: name ?? "…" });
  return (
    <Select
      {...input}
      // A form's own label names it: another name would not be the words that stand there.
      aria-label={input.id === undefined ? label : undefined}
      className={className}
      disabled={disabled}
      allowClear
      placeholder={placeholder}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? "查找中…" : "没有找到"}
      options={options}
      value={value}
      onOpenChange={setOpened}
      onChange={(chosen: string | undefined) => onChange?.(chosen)}
    />
  );
}
