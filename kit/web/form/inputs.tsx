import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from "react";
import { Select } from "../select/Select.tsx";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import { centsOf, percent, rateOf, yuan } from "@zhangfang/contract/money.ts";
import type { InputProps } from "./Field.tsx";
import { levelWords } from "../level-names.ts";

type Given<T> = Partial<Omit<InputProps<T>, "onChange">> & { onChange?: (value: T | undefined) => void };
type Rest = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "id">;

/** One line of text. @example <TextInput {...f} maxLength={64} placeholder="如：虹桥天地店" /> */
export function TextInput({ value, onChange, ...rest }: Given<string> & Rest): ReactNode {
  return <input type="text" className="input" {...rest} value={value ?? ""} onChange={(event) => onChange?.(event.target.value)} />;
}

/** Several lines of text, with its count where it has an end. */
export function TextArea({
  value,
  onChange,
  maxLength,
  rows = 3,
  ...rest
}: Given<string> & { maxLength?: number; rows?: number; placeholder?: string }): ReactNode {
  return (
    <>
      <textarea
        className="input"
        {...rest}
        rows={rows}
        maxLength={maxLength}
        value={value ?? ""}
        onChange={(event) => onChange?.(event.target.value)}
      />
      {maxLength !== undefined && (
        <span className="count num" aria-hidden="true">
          {(value ?? "").length} / {maxLength}
        </span>
      )}
    </>
  );
}

/** A whole number. */
export function NumberInput({ value, onChange, unit, ...rest }: Given<number> & Rest & { unit?: string }): ReactNode {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  useEffect(() => {
    if (value !== (text === "" ? undefined : Number(text))) setText(value === undefined ? "" : String(value));
    // Only a value from outside changes what was typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (
    <span className="affixed">
      <input
        inputMode="numeric"
        className="input num"
        {...rest}
        value={text}
        onChange={(event) => {
          const typed = event.target.value.trim();
          setText(typed);
          onChange?.(typed === "" ? undefined : /^-?\d{1,15}$/.test(typed) ? Number(typed) : (Number.NaN as number));
        }}
      />
      {unit && <span className="affix">{unit}</span>}
    </span>
  );
}

/** A number with decimals, such as a latitude. What is no number is kept as typed and refused by the form. @example <DecimalInput {...f} placeholder="30.657401" /> */
export function DecimalInput({ value, onChange, ...rest }: Given<number> & Rest): ReactNode {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  useEffect(() => {
    if (value !== (text === "" ? undefined : Number(text)) && !Number.isNaN(value)) setText(value === undefined ? "" : String(value));
    // Only a value from outside changes what was typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (
    <input
      inputMode="decimal"
      autoComplete="off"
      className="input num"
      {...rest}
      value={text}
      onChange={(event) => {
        const typed = event.target.value.trim();
        setText(typed);
        onChange?.(typed === "" ? undefined : /^-?\d{1,9}(\.\d{1,9})?$/.test(typed) ? Number(typed) : (Number.NaN as number));
      }}
    />
  );
}

/**
 * An amount: typed in yuan, held in cents, right-aligned with ¥ before it. What is no amount is kept as typed and refused by the form.
 * @example <MoneyInput {...f} />
 */
export function MoneyInput({ value, onChange, ...rest }: Given<Cents | number> & Rest): ReactNode {
  const [text, setText] = useState(() => shown(value));
  useEffect(() => {
    if (centsOf(text) !== value && !(Number.isNaN(value) && text !== "")) setText(shown(value));
    // Only a value from outside changes what was typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (
    <span className="affixed">
      <span className="affix">¥</span>
      <input
        inputMode="decimal"
        autoComplete="off"
        className="input num input-money"
        {...rest}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          const cents = centsOf(event.target.value);
          onChange?.(event.target.value.trim() === "" ? undefined : ((cents ?? Number.NaN) as Cents));
        }}
        onBlur={() => {
          const cents = centsOf(text);
          if (cents !== undefined) setText(shown(cents));
        }}
      />
      <span className="affix">元</span>
    </span>
  );
}
const shown = (cents: number | undefined): string => (cents === undefined || Number.isNaN(cents) ? "" : yuan(cents).replaceAll(",", ""));

/** A rate: typed in percent, held in parts per 100,000. @example <RateInput {...f} /> */
export function RateInput({ value, onChange, ...rest }: Given<number> & Rest): ReactNode {
  const words = (rate: number | undefined): string => (rate === undefined || Number.isNaN(rate) ? "" : percent(rate).slice(0, -1));
  const [text, setText] = useState(() => words(value));
  useEffect(() => {
    if (rateOf(text) !== value && !(Number.isNaN(value) && text !== "")) setText(words(value));
    // Only a value from outside changes what was typed.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [value]);
  return (
    <span className="affixed">
      <input
        inputMode="decimal"
        autoComplete="off"
        className="input num"
        {...rest}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onChange?.(event.target.value.trim() === "" ? undefined : (rateOf(event.target.value) ?? Number.NaN));
        }}
      />
      <span className="affix">%</span>
    </span>
  );
}

/** One of a few, all seen at once. @example <Radios {...f} set={refundType} /> */
export function Radios<K extends string | number>({ id, value, onChange, set, ...aria }: Given<K> & { set: Labelled<K> }): ReactNode {
  return (
    <div className="radios" role="radiogroup" id={id} {...aria}>
      {set.options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={id} checked={value === option.value} onChange={() => onChange?.(option.value)} />
          {levelWords(option.label)}
        </label>
      ))}
    </div>
  );
}

/** One of many, in a list that is searched by typing. @example <Pick {...f} set={trade} /> */
export function Pick<K extends string | number>({ set, ...rest }: Given<K> & { set: Labelled<K>; placeholder?: string }): ReactNode {
  return (
    <Select<K>
      className="pick"
      placeholder="请选择"
      showSearch={{ optionFilterProp: "label" }}
      allowClear
      options={set.options.map((option) => ({ ...option, label: levelWords(option.label) }))}
      {...rest}
      value={rest.value ?? null}
    />
  );
}

/** One of many that the server told, searched by typing; left empty it is undefined. @example <PickOne {...f} options={[{ value: id, label: name }]} /> */
export function PickOne({
  options,
  ...rest
}: Given<string> & { options: readonly { readonly value: string; readonly label: string }[]; placeholder?: string }): ReactNode {
  return (
    <Select<string>
      className="pick"
      placeholder="请选择"
      showSearch={{ optionFilterProp: "label" }}
      allowClear
      options={[...options]}
      {...rest}
      value={rest.value ?? null}
    />
  );
}

/** On or off at once. @example <Switch {...f} /> */
export function Switch({ value, onChange, label, ...rest }: Given<boolean> & { label?: string; disabled?: boolean }): ReactNode {
  return (
    <label className="switch">
      <input type="checkbox" role="switch" {...rest} checked={value ?? false} onChange={(event) => onChange?.(event.target.checked)} />
      {label && <span>{label}</span>}
    </label>
  );
}
