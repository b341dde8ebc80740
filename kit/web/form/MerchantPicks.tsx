import { useQuery } from "@tanstack/react-query";
import { Select } from "../select/Select.tsx";
import { type ReactNode, useState } from "react";
import { useSettled } from "../filter/use-settled.ts";
import type { InputProps } from "./Field.tsx";
import { slots } from "../slots.ts";

/**
 * Several of a provider's merchants, searched by name, pinyin or number as one types.
 * @example <Field of={form.field("merchantIds")} label="商户">{(f) => <MerchantPicks {...f} known={names} />}</Field>
 */
export function MerchantPicks({
  value,
  onChange,
  known = {},
  ...rest
}: InputProps<string[]> & { known?: Readonly<Record<string, string>> | undefined }): ReactNode {
  const [typed, setTyped] = useState("");
  const [names, setNames] = useState<Readonly<Record<string, string>>>(known);
  const search = useSettled(typed, 200);
  const found = useQuery({
    queryKey: ["org", "merchantId", "picks", search],
    queryFn: ({ signal }) => slots.org.merchantId?.({ search, within: {} }, signal) ?? [],
  });
  const chosen = value ?? [];
  const options = (found.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const kept = chosen
    .filter((id) => !options.some((option) => option.value === id))
    .map((id) => ({ value: id, label: names[id] ?? "已选商户" }));
  return (
    <Select
      {...rest}
      mode="multiple"
      className="pick"
      allowClear
      placeholder="输入名称、拼音或编号"
      showSearch={{ filterOption: false, onSearch: setTyped }}
      maxTagCount={20}
      notFoundContent={found.isFetching ? "查找中…" : "没有找到"}
      options={[...kept, ...options]}
      value={chosen}
      onChange={(ids: string[]) => {
        setNames({ ...names, ...Object.fromEntries(options.map(({ value: id, label }) => [id, label])) });
        onChange(ids);
      }}
    />
  );
}
