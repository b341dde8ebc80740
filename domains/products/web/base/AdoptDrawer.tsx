import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { adoptBaseGood, getBaseGood, getBaseGoods, getProducts } from "../../contract/index.ts";
import "../products.css";

interface Row {
  readonly variantId: string;
  readonly skuNo?: string | undefined;
  readonly priceCents?: number | undefined;
  readonly memberCents?: number | null;
}

/** 转为销售商品: a price for each spec that is to be sold; the others are left out. */
export function AdoptDrawer({ good, onClose }: { good: OutputOf<typeof getBaseGood>; onClose: () => void }): ReactNode {
  const [rows, setRows] = useState<readonly Row[]>(good.variants.map(({ id }) => ({ variantId: id })));
  const form = useForm(adoptBaseGood, {
    initial: { id: good.id, skus: [] },
    draft: false,
    done: "已转为销售商品",
    refreshes: [getBaseGood, getBaseGoods, getProducts],
    onDone: onClose,
  });
  const put = (at: number, some: Partial<Row>): void => {
    const next = rows.with(at, { ...rows[at]!, ...some });
    setRows(next);
    form.set({ skus: next.filter(({ priceCents }) => priceCents !== undefined) as never });
  };
  const priced = rows.flatMap((row, at) => (row.priceCents === undefined ? [] : [at]));
  const wrongOf = (at: number): string | undefined =>
    ["skuNo", "priceCents", "memberCents", "variantId"].map((name) => form.errorAt(`skus.${priced.indexOf(at)}.${name}`)).find(Boolean);
  return (
    <FormDrawer form={form} title={`销售 ${good.name}`} submit={`销售 ${priced.length} 个规格`} wide onClose={onClose}>
      <p className="hint">填了售价的规格开始销售；名称、图片、单位和税务跟着基础商品变。</p>
      <div className="variant-rows">
        {good.variants.map(({ id, spec, barcode }, at) => (
          <Variant
            key={id}
            name={spec.join(" / ") || "默认"}
            barcode={barcode}
            row={rows[at]!}
            wrong={wrongOf(at)}
            put={(some) => put(at, some)}
          />
        ))}
      </div>
      {form.errorAt("skus") && <p className="field-error">{form.errorAt("skus")}</p>}
    </FormDrawer>
  );
}

function Variant({
  name,
  barcode,
  row: { skuNo, priceCents, memberCents },
  wrong,
  put,
}: {
  name: string;
  barcode: string | null;
  row: Row;
  wrong: string | undefined;
  put: (some: Partial<Row>) => void;
}): ReactNode {
  return (
    <div className="variant-row" role="group" aria-label={name}>
      <span>
        {name}
        <br />
        <span className="hint">{barcode ?? "无条码"}</span>
      </span>
      <label>
        编码
        <TextInput
          value={skuNo ?? ""}
          onChange={(value) => put({ skuNo: value === "" ? undefined : value })}
          maxLength={32}
          placeholder="留空自动编号"
          aria-label={`${name} 编码`}
        />
      </label>
      <label>
        售价
        <MoneyInput
          onChange={(value) => put({ priceCents: value })}
          {...(priceCents !== undefined && { value: priceCents })}
          aria-label={`${name} 售价`}
        />
      </label>
      <label>
        会员价
        <MoneyInput
          onChange={(value) => put({ memberCents: value ?? null })}
          {...(typeof memberCents === "number" && { value: memberCents })}
          aria-label={`${name} 会员价`}
        />
      </label>
      {wrong && (
        <p className="field-error variant-wrong" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
