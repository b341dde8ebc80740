import { useQuery } from "@tanstack/react-query";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import { warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getStoreGroup, listStoreChoices } from "../../contract/index.ts";
import { findStores } from "../find-stores.ts";
import "../stores.css";

/** Several stores of one's own merchant, searched by name, pinyin or number as one types, or all that are in one of its groups now. */
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
    <>
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
      <Groups
        onPick={(stores) => {
          setNames(new Map([...names, ...stores.map(({ id, name }) => [id, name] as const)]));
          onChange([...new Set([...chosen, ...stores.map(({ id }) => id)])]);
        }}
      />
    </>
  );
}

/** The merchant's groups of stores: one puts in those that it has now. What is saved are the stores, so that terms stay what they were. */
function Groups({ onPick }: { onPick: (stores: readonly { readonly id: string; readonly name: string }[]) => void }): ReactNode {
  const mayList = useAct(listStoreChoices);
  const mayRead = useAct(getStoreGroup);
  const [busy, run] = useRun();
  const choices = useQuery({
    queryKey: [listStoreChoices.path, "detail", {}],
    enabled: mayList && mayRead,
    queryFn: ({ signal }) => call(listStoreChoices, {}, { signal, quiet: true }),
  });
  const groups = choices.data?.groups ?? [];
  if (groups.length === 0) return null;
  const pick = (id: string, name: string): void =>
    void run(async () => {
      const { stores, storeCount } = await call(getStoreGroup, { id });
      onPick(stores.filter(({ state }) => state === "active"));
      if (storeCount > stores.length) warning(`「${name}」有 ${storeCount} 家，选入了前 ${stores.length} 家，其余请逐家加`);
    });
  return (
    <details className="store-groups">
      <summary>按分组选</summary>
      <div>
        {groups.map(({ id, name }) => (
          <Button key={id} small busy={busy} onClick={() => pick(id, name)}>
            {name}
          </Button>
        ))}
      </div>
      <p className="note">选入这一组现在的门店；以后这组加减门店，这里不跟着变。</p>
    </details>
  );
}
