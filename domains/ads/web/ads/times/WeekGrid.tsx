import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { minutesIn, withoutPeriod, withPeriod } from "./periods.ts";
import "../ads.css";
import { type Periods, weekdayWord } from "../../../contract/index.ts";

export interface WeekPlan {
  readonly weekdays: readonly number[];
  readonly periods: Periods;
}
/** What is known of an hour besides that the ad is in its period. */
export interface CellNote {
  readonly tone: "alone" | "shares" | "displaced" | "closed" | "none";
  /** Shown in the cell, where there is room. */
  readonly text: string;
  /** Said of the cell. */
  readonly said: string;
}
interface Spot {
  readonly weekday: number;
  readonly hour: number;
}
interface Stroke {
  readonly from: Spot;
  readonly to: Spot;
  /** It takes away instead of adding: it began where something was. */
  readonly erases: boolean;
}
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_none, hour) => hour);
const inside = ({ from, to }: Stroke, { weekday, hour }: Spot): boolean =>
  Math.min(from.weekday, to.weekday) <= weekday &&
  weekday <= Math.max(from.weekday, to.weekday) &&
  Math.min(from.hour, to.hour) <= hour &&
  hour <= Math.max(from.hour, to.hour);
const isOn = ({ weekdays, periods }: WeekPlan, { weekday, hour }: Spot): boolean =>
  weekdays.includes(weekday) && minutesIn(periods, hour) > 0;
/** A stroke adds its days and its hours; every day has the same hours, so that taking away takes the hours from all. */
function painted({ weekdays, periods }: WeekPlan, stroke: Stroke): WeekPlan {
  const [first, last] = [Math.min(stroke.from.hour, stroke.to.hour), Math.max(stroke.from.hour, stroke.to.hour)];
  const hours = [first * 60, (last + 1) * 60] as const;
  if (stroke.erases) return { weekdays, periods: withoutPeriod(periods, hours) };
  const days = WEEKDAYS.filter((weekday) => weekdays.includes(weekday) || inside(stroke, { weekday, hour: first }));
  return { weekdays: days, periods: withPeriod(periods, hours) };
}

/**
 * A week by hours. Painted with mouse or finger by drawing over it, with arrow keys and the space bar; without `onChange` it is read.
 * On a phone the days stand beside each other and the hours below each other.
 */
export function WeekGrid({
  label,
  plan,
  notes,
  onChange,
}: {
  label: string;
  plan: WeekPlan;
  notes?: ReadonlyMap<string, CellNote> | undefined;
  onChange?: ((plan: WeekPlan) => void) | undefined;
}): ReactNode {
  const narrow = useNarrow();
  const grid = useRef<HTMLDivElement>(null);
  const [stroke, setStroke] = useState<Stroke>();
  const [at, setAt] = useState<Spot>({ weekday: 1, hour: 9 });
  const shown = stroke ? painted(plan, stroke) : plan;
  const press = (event: PointerEvent): void => {
    const spot = spotAt(event);
    if (!onChange || !spot || event.button !== 0) return;
    event.preventDefault();
    grid.current?.setPointerCapture(event.pointerId);
    setAt(spot);
    setStroke({ from: spot, to: spot, erases: isOn(plan, spot) });
  };
  const draw = (event: PointerEvent): void => {
    const spot = stroke && spotAt(event);
    if (stroke && spot) setStroke({ ...stroke, to: spot });
  };
  const end = (): void => {
    if (stroke) onChange?.(painted(plan, stroke));
    setStroke(undefined);
  };
  const key = (event: KeyboardEvent): void => {
    const to = nextTo(at, steps(narrow)[event.key]);
    if (to) {
      // With Shift what is walked over becomes as the cell that one came from.
      if (event.shiftKey && onChange) onChange(painted(plan, { from: at, to, erases: !isOn(plan, at) }));
      setAt(to);
      grid.current?.querySelector<HTMLElement>(`[data-spot="${to.weekday}:${to.hour}"]`)?.focus();
    } else if (event.key === " " && onChange) onChange(painted(plan, { from: at, to: at, erases: isOn(plan, at) }));
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={label}
      aria-readonly={!onChange}
      className={onChange ? "week week-painted" : "week"}
      onPointerDown={press}
      onPointerMove={draw}
      onPointerUp={end}
      onPointerCancel={() => setStroke(undefined)}
      onKeyDown={key}
      // Whoever is set on a cell by other means goes on from there.
      onFocus={(event) => setAt(spotOf(event.target) ?? at)}
    >
      <Hours />
      {WEEKDAYS.map((weekday) => (
        <div key={weekday} role="row" className="week-row">
          <DayHead weekday={weekday} plan={plan} onChange={onChange} />
          <Day weekday={weekday} plan={shown} notes={stroke ? undefined : notes} at={at} />
        </div>
      ))}
    </div>
  );
}
/** The hours over the days. */
const Hours = (): ReactNode => (
  <div role="row" className="week-row">
    <span role="columnheader" className="week-corner">
      <span className="sr-only">星期</span>
    </span>
    {HOURS.map((hour) => (
      <span key={hour} role="columnheader" className="week-hour num" style={{ "--h": hour } as object}>
        <span className="sr-only">{hour} 点</span>
        {hour % 2 === 0 && <span aria-hidden="true">{hour}</span>}
      </span>
    ))}
  </div>
);
const nextTo = (at: Spot, step: Spot | undefined): Spot | undefined =>
  step && { weekday: clamp(at.weekday + step.weekday, 1, 7), hour: clamp(at.hour + step.hour, 0, 23) };
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));
const steps = (narrow: boolean): Readonly<Record<string, Spot>> => {
  const [day, hour] = [narrow ? "Right" : "Down", narrow ? "Down" : "Right"];
  const [before, earlier] = [narrow ? "Left" : "Up", narrow ? "Up" : "Left"];
  return {
    [`Arrow${day}`]: { weekday: 1, hour: 0 },
    [`Arrow${before}`]: { weekday: -1, hour: 0 },
    [`Arrow${hour}`]: { weekday: 0, hour: 1 },
    [`Arrow${earlier}`]: { weekday: 0, hour: -1 },
  };
};
/** The cell under a finger that may have come from another one. */
const spotAt = ({ clientX, clientY }: PointerEvent): Spot | undefined => spotOf(document.elementFromPoint(clientX, clientY));
function spotOf(element: Element | null): Spot | undefined {
  const spot = element?.closest<HTMLElement>("[data-spot]")?.dataset["spot"];
  const [weekday, hour] = (spot ?? "").split(":").map(Number);
  return weekday === undefined || hour === undefined ? undefined : { weekday, hour };
}

function DayHead({
  weekday,
  plan,
  onChange,
}: {
  weekday: number;
  plan: WeekPlan;
  onChange: ((plan: WeekPlan) => void) | undefined;
}): ReactNode {
  const on = plan.weekdays.includes(weekday);
  const turn = (): void =>
    onChange?.({
      ...plan,
      weekdays: on ? plan.weekdays.filter((one) => one !== weekday) : [...plan.weekdays, weekday].toSorted((a, b) => a - b),
    });
  return (
    <span role="rowheader" className="week-day" style={{ "--d": weekday - 1 } as object}>
      {onChange ? (
        <button
          type="button"
          aria-pressed={on}
          onClick={turn}
          onPointerDown={(event) => event.stopPropagation()}
          onKeyDown={(event) => event.stopPropagation()}
        >
          {weekdayWord(weekday)}
        </button>
      ) : (
        weekdayWord(weekday)
      )}
    </span>
  );
}

type Notes = ReadonlyMap<string, CellNote> | undefined;
const Day = ({ weekday, plan, notes, at }: { weekday: number; plan: WeekPlan; notes: Notes; at: Spot }): ReactNode =>
  HOURS.map((hour) => (
    <Cell
      key={hour}
      spot={{ weekday, hour }}
      minutes={plan.weekdays.includes(weekday) ? minutesIn(plan.periods, hour) : 0}
      note={notes?.get(`${weekday}:${hour}`)}
      first={at.weekday === weekday && at.hour === hour}
    />
  ));

function Cell({
  spot: { weekday, hour },
  minutes,
  note,
  first,
}: {
  spot: Spot;
  minutes: number;
  note: CellNote | undefined;
  first: boolean;
}): ReactNode {
  const on = minutes > 0;
  const tone = on ? (note?.tone ?? "plan") : "blank";
  const part = minutes === 60 ? "投放" : minutes === 0 ? "不投放" : `投放 ${minutes} 分钟`;
  const said = `${weekdayWord(weekday)} ${hour} 点，${part}${on && note ? `，${note.said}` : ""}`;
  return (
    <span
      role="gridcell"
      tabIndex={first ? 0 : -1}
      aria-selected={on}
      aria-label={said}
      title={said}
      // Drawn by the style: it is told in the name in words.
      data-text={on ? note?.text : undefined}
      data-spot={`${weekday}:${hour}`}
      className={`week-cell week-${tone}${on && minutes < 60 ? " week-part" : ""} num`}
      style={{ "--d": weekday - 1, "--h": hour } as object}
    />
  );
}
