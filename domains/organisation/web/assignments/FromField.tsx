import type { ReactNode } from "react";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { FURTHEST_DAYS } from "../../contract/index.ts";

export const today = (): string => shanghaiDay(Date.now());
/** When a hand-over holds, in words. */
export const startText = (from: string | undefined): string => (from === undefined || from <= today() ? "立即生效" : `${from} 0 点起生效`);

/** From which day a hand-over holds: today is at once. */
export function FromField({ of }: { of: FormField<string | undefined> }): ReactNode {
  return (
    <Field of={of} label="生效日期" help="今天即立即生效；以后的日期到当天 0 点生效，生效前可取消">
      {(f) => <DayInput {...f} min={today()} max={addDays(today(), FURTHEST_DAYS)} onChange={(day) => f.onChange(day ?? undefined)} />}
    </Field>
  );
}
