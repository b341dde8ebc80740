import type { InputHTMLAttributes, ReactNode } from "react";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { InputProps } from "../Field.tsx";
import { clockOf, dayOf, minuteOf } from "./day-text.ts";
import { TypedTime } from "./TypedTime.tsx";

type Given<T> = Partial<Omit<InputProps<T>, "onChange">> & { onChange?: (value: T | undefined) => void };
type Rest = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "id">;

/** A calendar day; null where it was cleared, or none is meant yet. @example <DayInput {...f} /> */
export function DayInput({ value, onChange, ...rest }: Given<string | null> & Rest): ReactNode {
  return <TypedTime {...rest} picks="day" read={dayOf} value={value ?? ""} onChange={(day) => onChange?.(day || null)} />;
}
/** A moment in Shanghai, to the minute. @example <MomentInput {...f} /> */
export function MomentInput({ value, onChange, ...rest }: Given<string | null> & Rest): ReactNode {
  const shown = value ? shanghaiTime(value).slice(0, 16) : "";
  const take = (text: string): void => onChange?.(text === "" ? undefined : new Date(`${text.replace(" ", "T")}:00+08:00`).toISOString());
  return <TypedTime {...rest} picks="minute" read={minuteOf} value={shown} onChange={take} />;
}
/** A time of day, HH:mm; "" where it was cleared. @example <ClockInput aria-label="开门" value={from} onChange={setFrom} /> */
export function ClockInput({ value, onChange, ...rest }: Given<string> & Rest): ReactNode {
  return <TypedTime placeholder="09:00" {...rest} read={clockOf} value={value ?? ""} onChange={(clock) => onChange?.(clock)} />;
}
