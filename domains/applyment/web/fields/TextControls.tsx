import { type ReactNode, useEffect, useRef, useState } from "react";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { type Field, FOREVER } from "../../contract/rules/dossier.ts";

/** What every control gets of its row. */
export interface Control {
  readonly id: string;
  readonly field: Field;
  readonly value: string;
  readonly wrong: boolean;
  readonly describedBy: string | undefined;
  readonly onChange: (value: string) => void;
  /** Nobody is typing in it any more. */
  readonly onDone: () => void;
}
const aria = ({ wrong, describedBy }: Control) => ({ "aria-invalid": wrong || undefined, "aria-describedby": describedBy });

const CLOSE = new Set<Field["form"]>(["id-number", "credit-code", "card-number", "phone", "mail", "appid", "domain", "rate", "degrees"]);
const NUMERIC = new Set<Field["form"]>(["card-number", "phone", "rate", "degrees"]);
const PLACEHOLDERS: Partial<Record<Field["form"], string>> = {
  "id-number": "照证件填写",
  "credit-code": "18 位，照执照填写",
  "card-number": "只填数字",
  mail: "name@example.com",
  appid: "wx 开头的 18 位",
  domain: "www.example.com",
  rate: "0.20",
};
/** As it stands on paper: numbers without gaps, letters of codes large. */
function tidy({ form }: Field, text: string): string {
  const close = CLOSE.has(form) ? text.replaceAll(/\s/g, "") : text;
  return form === "id-number" || form === "credit-code" ? close.toUpperCase() : close;
}

export function TextControl(control: Control): ReactNode {
  const { id, field, value, onChange, onDone } = control;
  if (field.path === "extra.message")
    return (
      <textarea
        id={id}
        className="input"
        rows={3}
        maxLength={512}
        value={value}
        {...aria(control)}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onDone}
      />
    );
  return (
    <input
      id={id}
      type="text"
      className={CLOSE.has(field.form) ? "input num" : "input"}
      autoComplete="off"
      spellCheck={false}
      inputMode={NUMERIC.has(field.form) ? (field.form === "rate" || field.form === "degrees" ? "decimal" : "tel") : undefined}
      placeholder={PLACEHOLDERS[field.form]}
      maxLength={512}
      value={value}
      {...aria(control)}
      onChange={(event) => onChange(tidy(field, event.target.value))}
      onBlur={onDone}
    />
  );
}

/** A secret that is kept: what tells it from others, and a way to write it anew. */
export function SecretControl({ masked, ...control }: Control & { masked: boolean }): ReactNode {
  const [open, setOpen] = useState(false);
  const row = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (open) row.current?.querySelector("input")?.focus();
  }, [open]);
  // Once it is kept it is not shown any more.
  useEffect(() => {
    if (masked) setOpen(false);
  }, [masked]);
  if (open || !masked)
    return (
      <span
        className="dossier-open"
        ref={row}
        onBlur={(event) => event.target instanceof HTMLInputElement && event.target.value === "" && setOpen(false)}
      >
        <TextControl {...control} value={masked ? "" : control.value} />
      </span>
    );
  return (
    <span className="affixed">
      <input id={control.id} className="input num" readOnly value={control.value} {...aria(control)} />
      <Button tone="link" className="dossier-anew" aria-label={`重填${control.field.label}`} onClick={() => setOpen(true)}>
        重填
      </Button>
    </span>
  );
}

export function DayControl(control: Control): ReactNode {
  const { id, field, value, onChange, onDone } = control;
  const ends = field.form === "end";
  return (
    <div className="dossier-day" onBlur={onDone}>
      <span className="dossier-date">
        <DayInput
          id={id}
          min="1950-01-01"
          max="2100-12-31"
          disabled={value === FOREVER}
          value={value === FOREVER ? "" : value}
          {...aria(control)}
          onChange={(day) => onChange(day ?? "")}
        />
      </span>
      {ends && (
        <label className="dossier-tick">
          <input
            type="checkbox"
            aria-label={`${field.label}：长期`}
            checked={value === FOREVER}
            onChange={(event) => onChange(event.target.checked ? FOREVER : "")}
          />
          长期
        </label>
      )}
    </div>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}
/** All seen at once where they are few. */
const FEW = 3;
export function ChoiceControl({ options, ...control }: Control & { options: readonly Option[] }): ReactNode {
  const { id, field, value, onChange, onDone } = control;
  if (options.length <= FEW || field.path === "owners.count")
    return (
      <div className="radios" role="radiogroup" id={id} aria-label={field.label} {...aria(control)} onBlur={onDone}>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={id} checked={value === option.value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
    );
  return (
    <select id={id} className="input" value={value} {...aria(control)} onChange={(event) => onChange(event.target.value)} onBlur={onDone}>
      <option value="">请选择</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
/** Several of a few. */
export function ChoicesControl({
  options,
  values,
  onValues,
  ...control
}: Omit<Control, "value" | "onChange"> & {
  options: readonly Option[];
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
}): ReactNode {
  const { id, field, onDone, wrong, describedBy } = control;
  return (
    <div
      className="radios"
      role="group"
      id={id}
      aria-label={field.label}
      aria-describedby={describedBy}
      data-wrong={wrong || undefined}
      onBlur={onDone}
    >
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={values.includes(option.value)}
            onChange={(event) =>
              onValues(event.target.checked ? [...values, option.value] : values.filter((value) => value !== option.value))
            }
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
