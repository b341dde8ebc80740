import { type ReactNode, useState } from "react";
import { MoneyInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { codesOf, codesText } from "../words.tsx";
import "../products.css";

/** A spec as a form holds it: of a product with number and prices, of a base good with one bar code. */
export interface Variant {
  readonly id?: string | undefined;
  readonly skuNo?: string | undefined;
  readonly spec: readonly string[];
  readonly priceCents?: number | undefined;
  readonly memberCents?: number | null;
  readonly barcodes: readonly { readonly barcode: string; readonly units: number }[];
}
interface Given {
  readonly attributes: readonly string[];
  readonly rows: readonly Variant[];
  readonly errorAt: (path: string) => string | undefined;
  /** Where the form's errors are: `skus`, `variants`. */
  readonly field: string;
  /** A base good has no numbers and prices. */
  readonly priced?: boolean;
  readonly change: (attributes: readonly string[], rows: readonly Variant[]) => void;
}
const MOST_ATTRIBUTES = 3;
const blank = (attributes: readonly string[]): Variant => ({ spec: attributes.map(() => ""), barcodes: [] });

/** 规格: up to three kinds of it, and a row for each combination that is sold. */
export function VariantRows({ attributes, rows, errorAt, field, priced = false, change }: Given): ReactNode {
  const rename = (at: number, name: string): void => change(attributes.with(at, name), rows);
  const more = (): void =>
    change(
      [...attributes, ""],
      rows.map((row) => ({ ...row, spec: [...row.spec, ""] })),
    );
  const less = (at: number): void =>
    change(
      attributes.toSpliced(at, 1),
      rows.map((row) => ({ ...row, spec: row.spec.toSpliced(at, 1) })),
    );
  const put = (at: number, some: Partial<Variant>): void => change(attributes, rows.with(at, { ...rows[at]!, ...some }));
  return (
    <div className="variant-rows">
      {attributes.map((name, at) => (
        <div className="variant-row" key={at}>
          <label>
            规格名 {at + 1}
            <TextInput
              value={name}
              onChange={(value) => rename(at, value ?? "")}
              maxLength={12}
              placeholder="如：杯型"
              aria-label={`规格名 ${at + 1}`}
            />
          </label>
          <Button small tone="quiet" onClick={() => less(at)} aria-label={`移除规格名 ${name}`}>
            移除
          </Button>
        </div>
      ))}
      {errorAt("attributes") && <p className="field-error variant-wrong">{errorAt("attributes")}</p>}
      {rows.map((row, at) => (
        <Row
          key={row.id ?? `new ${at}`}
          row={row}
          at={at}
          attributes={attributes}
          priced={priced}
          wrong={wrongOf(errorAt, `${field}.${at}`, row)}
          put={(some) => put(at, some)}
          {...(rows.length > 1 && { remove: () => change(attributes, rows.toSpliced(at, 1)) })}
        />
      ))}
      <div>
        {attributes.length < MOST_ATTRIBUTES && (
          <Button small onClick={more}>
            添加规格名
          </Button>
        )}{" "}
        {attributes.length > 0 && (
          <Button small onClick={() => change(attributes, [...rows, blank(attributes)])}>
            添加规格
          </Button>
        )}
      </div>
    </div>
  );
}
/** The first thing that is wrong with a row. */
function wrongOf(errorAt: Given["errorAt"], path: string, row: Variant): string | undefined {
  const at = [
    "",
    ".spec",
    ".skuNo",
    ".priceCents",
    ".memberCents",
    ".barcode",
    ".barcodes",
    ...row.barcodes.flatMap((_code, n) => [`.barcodes.${n}.barcode`, `.barcodes.${n}.units`]),
    ...row.spec.map((_value, n) => `.spec.${n}`),
  ];
  return at.map((part) => errorAt(`${path}${part}`)).find(Boolean);
}

function Prices({ row, n, put }: { row: Variant; n: number; put: (some: Partial<Variant>) => void }): ReactNode {
  const { priceCents, memberCents } = row;
  return (
    <>
      <label>
        售价
        <MoneyInput
          {...(priceCents !== undefined && { value: priceCents })}
          onChange={(value) => put({ priceCents: value })}
          aria-label={`规格 ${n} 售价`}
        />
      </label>
      <label>
        会员价
        <MoneyInput
          {...(memberCents !== undefined && memberCents !== null && { value: memberCents })}
          onChange={(value) => put({ memberCents: value ?? null })}
          aria-label={`规格 ${n} 会员价`}
        />
      </label>
    </>
  );
}
/** 条码 as a text: it is kept as typed, whatever can be read of it. */
function Codes({ row, n, priced, put }: { row: Variant; n: number; priced: boolean; put: (some: Partial<Variant>) => void }): ReactNode {
  const [codes, setCodes] = useState(codesText(row.barcodes));
  return (
    <label>
      条码
      <TextInput
        value={codes}
        onChange={(value) => {
          setCodes(value ?? "");
          put({ barcodes: codesOf(value ?? "") });
        }}
        placeholder={priced ? "多个用逗号，箱码写 条码×24" : "可不填"}
        aria-label={`规格 ${n} 条码`}
      />
    </label>
  );
}
function Row({
  row,
  at,
  attributes,
  priced,
  wrong,
  put,
  remove,
}: {
  row: Variant;
  at: number;
  attributes: readonly string[];
  priced: boolean;
  wrong: string | undefined;
  put: (some: Partial<Variant>) => void;
  remove?: () => void;
}): ReactNode {
  const n = at + 1;
  return (
    <div className="variant-row" role="group" aria-label={`规格 ${n}`}>
      {attributes.map((name, place) => (
        <label key={place}>
          {name || `规格值 ${place + 1}`}
          <TextInput
            value={row.spec[place] ?? ""}
            onChange={(value) => put({ spec: row.spec.with(place, value ?? "") })}
            maxLength={24}
            aria-label={`规格 ${n} ${name}`}
          />
        </label>
      ))}
      {priced && (
        <label>
          编码
          <TextInput
            value={row.skuNo ?? ""}
            disabled={row.id !== undefined}
            onChange={(value) => put({ skuNo: value === "" ? undefined : value })}
            maxLength={32}
            placeholder="留空自动编号"
            aria-label={`规格 ${n} 编码`}
          />
        </label>
      )}
      <Codes row={row} n={n} priced={priced} put={put} />
      {priced && row.id === undefined && <Prices row={row} n={n} put={put} />}
      {remove && (
        <Button small tone="quiet" onClick={remove} aria-label={`移除规格 ${n}`}>
          移除
        </Button>
      )}
      {wrong && (
        <p className="field-error variant-wrong" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
