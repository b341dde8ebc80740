import { useQuery } from "@tanstack/react-query";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import { findStores } from "../find-stores.ts";

/** Several stores of one's own merchant, searched by name, pinyin or number as one types. */
export function StorePicks({ value, onChange, ...rest }: InputProps<string[]>): ReactNode {
  const [typed, setTyped] = useState("");
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const search = useSettled(typed, 200);
  const found = useQuery({
    queryKey: ["stores", "picks", search],
    queryFn: ({ signal }) => findStores({ search, within: {} }, signal),
  });
  const chosen = value ?? [];
  const options = (found.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const kept = chosen
    .filter((id) => !options.some((option) => option.value === id))
    .map((id) => ({ value: id, label: names.get(id) ?? "已选门店" }));
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
        setNames(new Map([...names, ...options.map(({ value: id, label }) => [id, label] as const)]));
        onChange(ids);
      }}
    />
  );
}
