import { type ReactNode, useId } from "react";
import type { FormField } from "./use-form.ts";
import { levelWords, shownWords } from "../level-names.ts";

/** What an input gets from its field. Kit inputs and antd's take it whole: `<MoneyInput {...f} />`, `<Select {...f} />`. */
export interface InputProps<T> {
  readonly id: string;
  readonly value: T | undefined;
  onChange(value: T | undefined): void;
  readonly "aria-invalid": boolean | undefined;
  readonly "aria-describedby": string | undefined;
}

/**
 * A labelled field of a form with its help and its error. Required is the rule: mark what is not with `optional`.
 * @example <Field of={form.field("reason")} label="退款原因" help="将显示在顾客的退款通知中">{(f) => <TextArea {...f} maxLength={80} />}</Field>
 */
export function Field<T>({
  of,
  label,
  help,
  optional = false,
  children,
}: {
  of: FormField<T>;
  label: string;
  help?: ReactNode;
  optional?: boolean;
  children: (input: InputProps<T>) => ReactNode;
}): ReactNode {
  const id = useId();
  const error = named(of.error, label);
  const described = [error && `${id}e`, help && `${id}h`].filter(Boolean).join(" ");
  return (
    <div className={error ? "field field-wrong" : "field"}>
      <label htmlFor={id}>
        {levelWords(label)}
        {optional && <span className="optional">（选填）</span>}
      </label>
      {children({
        id,
        value: of.value,
        onChange: of.set,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": described || undefined,
      })}
      {error && (
        <p id={`${id}e`} className="field-error" role="alert">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}h`} className="field-help">
          {shownWords(help)}
        </p>
      )}
    </div>
  );
}

/** What is missing is called by its own label: 请填写门店名称. */
function named(error: string | undefined, label: string): string | undefined {
  return error === "请填写" || error === "请选择" ? error + levelWords(label).replace(/（[^（）]*）$/, "") : error;
}

/** A part of a longer form: a title and a hairline. */
export function FormSection({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <fieldset className="form-section">
      <legend>{levelWords(title)}</legend>
      {children}
    </fieldset>
  );
}
