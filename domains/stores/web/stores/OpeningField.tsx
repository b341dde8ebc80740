import type { ReactNode } from "react";
import { ClockInput } from "@zhangfang/web/form/days/DayInput.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { everyDay, WEEKDAYS } from "../../contract/opening.ts";

type Hours = { from: string; to: string } | null;
const USUAL = { from: "09:00", to: "22:00" };

/** 营业时间 of each weekday; a closing before the opening is on the next day. Nothing told is an empty field. */
export function OpeningField({
  of,
  errorAt,
}: {
  of: FormField<Hours[] | undefined>;
  errorAt: (path: string) => string | undefined;
}): ReactNode {
  const week = of.value;
  if (week === undefined)
    return (
      <fieldset className="field opening">
        <legend>
          营业时间<span className="optional">（选填）</span>
        </legend>
        <div>
          <Button onClick={() => of.set(everyDay(USUAL.from, USUAL.to))}>填写营业时间</Button>
        </div>
      </fieldset>
    );
  const set = (day: number, hours: Hours): void => of.set(week.map((one, n) => (n === day ? hours : one)));
  const wrong = of.error ?? WEEKDAYS.map((_, n) => errorAt(`opening.${n}.from`) ?? errorAt(`opening.${n}.to`)).find(Boolean);
  const first = week.find((hours) => hours !== null) ?? USUAL;
  return (
    <fieldset className={wrong ? "field opening field-wrong" : "field opening"}>
      <legend>
        营业时间<span className="optional">（选填）</span>
      </legend>
      {WEEKDAYS.map((name, day) => (
        <Day key={name} name={name} hours={week[day] ?? null} usual={first} onChange={(hours) => set(day, hours)} />
      ))}
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <div className="opening-acts">
        <Button tone="link" onClick={() => of.set(everyDay(first.from, first.to))}>
          每天都按 {first.from}–{first.to}
        </Button>
        <Button tone="link" onClick={() => of.set(undefined)}>
          不填写
        </Button>
      </div>
      <p className="field-help">打烊早于开门即次日打烊；两个时间相同即全天营业。</p>
    </fieldset>
  );
}

function Day({
  name,
  hours,
  usual,
  onChange,
}: {
  name: string;
  hours: Hours;
  usual: { from: string; to: string };
  onChange: (hours: Hours) => void;
}): ReactNode {
  const at = (part: "from" | "to", label: string): ReactNode => (
    <ClockInput
      className="input num opening-clock"
      aria-label={`${name}${label}`}
      value={hours?.[part] ?? ""}
      disabled={hours === null}
      onChange={(time) => hours && onChange({ ...hours, [part]: time })}
    />
  );
  return (
    <div className="opening-day">
      <label>
        <input
          type="checkbox"
          aria-label={`${name}营业`}
          checked={hours !== null}
          onChange={(event) => onChange(event.target.checked ? { ...usual } : null)}
        />
        {name}
      </label>
      {at("from", "开门")}
      <span aria-hidden="true">–</span>
      {at("to", "打烊")}
    </div>
  );
}
