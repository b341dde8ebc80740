import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Field, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { getProducts, getTags } from "../../../../products/contract/index.ts";
import { getVipRules } from "../../../../vip/contract/index.ts";
import { type CampaignForm, termField } from "./campaign-form.ts";
import { At } from "./At.tsx";

/** Which goods the coupon is for: by tag, or by number of the goods. Names are looked up for whoever may see goods; others type codes. */
export function GoodsPicks({ form }: { form: CampaignForm }): ReactNode {
  return (
    <>
      <At field="goodsTags">
        <Field of={termField(form, "goodsTags")} label="商品标签" optional help="有其中一个标签的商品都算；标签和商品至少选一样">
          {(f) => <TagPicks {...f} />}
        </Field>
      </At>
      <At field="skus">
        <Field of={termField(form, "skus")} label="商品" optional>
          {(f) => <SkuPicks {...f} />}
        </Field>
      </At>
    </>
  );
}

type Choices = readonly { readonly value: string; readonly label: string }[];
/** Codes that are searched by name where that may be seen, and typed otherwise. */
function CodePicks({
  value,
  onChange,
  found,
  search,
  fetching,
  ...rest
}: InputProps<string[]> & { found: Choices | undefined; search: (text: string) => void; fetching: boolean }): ReactNode {
  return (
    <Select
      {...rest}
      mode={found === undefined ? "tags" : "multiple"}
      className="pick"
      allowClear
      placeholder={found === undefined ? "写编码，按回车" : "输入名称或编码"}
      showSearch={{ filterOption: false, onSearch: search }}
      maxTagCount={20}
      notFoundContent={fetching ? "查找中…" : "没有找到"}
      options={[...(found ?? [])]}
      value={value ?? []}
      onChange={(all: string[]) => onChange(all)}
    />
  );
}
function TagPicks(input: InputProps<string[]>): ReactNode {
  const may = useAct(getTags);
  const [typed, setTyped] = useState("");
  const keyword = useSettled(typed, 200);
  const tags = useQuery({
    queryKey: [getTags.path, "picks", keyword],
    enabled: may,
    queryFn: ({ signal }) => call(getTags, { pageSize: 20, ...(keyword && { keyword }) } as never, { signal, quiet: true }),
  });
  const found = tags.data?.items.map(({ code, name }) => ({ value: code, label: `${name}（${code}）` }));
  return <CodePicks {...input} found={may ? (found ?? []) : undefined} search={setTyped} fetching={tags.isFetching} />;
}
function SkuPicks(input: InputProps<string[]>): ReactNode {
  const may = useAct(getProducts);
  const [typed, setTyped] = useState("");
  const keyword = useSettled(typed, 200);
  const goods = useQuery({
    queryKey: [getProducts.path, "picks", keyword],
    enabled: may,
    queryFn: ({ signal }) => call(getProducts, { pageSize: 20, ...(keyword && { keyword }) } as never, { signal, quiet: true }),
  });
  const found = goods.data?.items.map((one) => ({ value: one.skuNo, label: `${goodsName(one)}（${one.skuNo}）` }));
  return <CodePicks {...input} found={may ? (found ?? []) : undefined} search={setTyped} fetching={goods.isFetching} />;
}

const RANKS = Array.from({ length: 10 }, (_none, at) => at + 1);
/** The merchant's levels by name, for whoever may see them; by number otherwise. */
export function useLevelNames(): Readonly<Record<number, string>> {
  const may = useAct(getVipRules);
  const rules = useQuery({
    queryKey: [getVipRules.path, "detail", {}],
    enabled: may,
    queryFn: ({ signal }) => call(getVipRules, {}, { signal, quiet: true }),
  });
  return Object.fromEntries((rules.data?.levels ?? []).map(({ rank, name }) => [rank, name]));
}
/** Who may receive it, by level. */
export function LevelPicks({ value, onChange, ...rest }: InputProps<number[]>): ReactNode {
  const names = useLevelNames();
  const known = Object.keys(names).map(Number);
  return (
    <Select
      {...rest}
      mode="multiple"
      className="pick"
      allowClear
      placeholder="所有会员"
      options={(known.length > 0 ? known : RANKS).map((rank) => ({ value: rank, label: names[rank] ?? `${rank} 级会员` }))}
      value={value ?? []}
      onChange={(all: number[]) => onChange(all)}
    />
  );
}
/** A few words, each ended with Enter. */
export function TagWords({ value, onChange, ...rest }: InputProps<string[]>): ReactNode {
  return (
    <Select
      {...rest}
      mode="tags"
      className="pick"
      open={false}
      suffixIcon={null}
      tokenSeparators={["、", "，", ","]}
      placeholder="所有会员"
      value={value ?? []}
      onChange={(all: string[]) => onChange(all)}
    />
  );
}

const goodsName = ({ name, spec }: { readonly name: string; readonly spec: string }): string => (spec ? `${name} ${spec}` : name);
/** Names of the tags and goods that were looked up so far, by their codes. */
export function useGoodsNames(): Readonly<Record<string, string>> {
  const client = useQueryClient();
  const tags = client.getQueriesData<OutputOf<typeof getTags>>({ queryKey: [getTags.path, "picks"] });
  const goods = client.getQueriesData<OutputOf<typeof getProducts>>({ queryKey: [getProducts.path, "picks"] });
  return Object.fromEntries([
    ...tags.flatMap(([, found]) => (found?.items ?? []).map(({ code, name }) => [code, name])),
    ...goods.flatMap(([, found]) => (found?.items ?? []).map((one) => [one.skuNo, goodsName(one)])),
  ]);
}
