import { useQuery } from "@tanstack/react-query";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { accountLevel, type Level, listAccountNodes } from "../../contract/index.ts";

/** Picks the node that an account is opened for, found by name on the server. */
export function NodePick({
  level,
  value,
  onChange,
  ...rest
}: {
  level: Level;
  id: string;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  "aria-invalid": boolean | undefined;
  "aria-describedby": string | undefined;
}): ReactNode {
  const [typed, setTyped] = useState("");
  const keyword = useSettled(typed.trim(), 200);
  const found = useQuery({
    queryKey: [listAccountNodes.path, level, keyword],
    queryFn: ({ signal }) => call(listAccountNodes, { level, ...(keyword && { keyword: keyword.slice(0, 32) }) }, { signal, quiet: true }),
  });
  return (
    <Select
      {...rest}
      className="pick"
      allowClear
      placeholder={`请选择${accountLevel.label(level)}`}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? "查找中…" : "没有找到"}
      options={(found.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(chosen: string | null | undefined) => onChange(chosen ?? undefined)}
    />
  );
}
