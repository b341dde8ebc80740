import { type ReactNode, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { entered } from "@zhangfang/web/window/entered.ts";
import { minuteOfClock, withoutPeriod, withPeriod } from "./periods.ts";
import { clock, type Periods } from "../../../contract/index.ts";

type Pair = [number, number];

/** The periods as times, to the minute. */
export function PeriodTimes({ value, onChange }: { value: Periods; onChange: (periods: Pair[]) => void }): ReactNode {
  const all = value.map(([from, to]): Pair => [from, to]);
  return (
    <div className="periods">
      {all.map(([from, to], at) => (
        <div key={`${from}-${to}`} className="period">
          <Time
            label={`第 ${at + 1} 段开始`}
            minute={from}
            onChange={(minute) => minute < to && onChange(withPeriod(withoutPeriod(all, [from, to]), [minute, to]))}
          />
          <span aria-hidden="true">至</span>
          <Time
            label={`第 ${at + 1} 段结束`}
            minute={to}
            onChange={(minute) => minute > from && onChange(withPeriod(withoutPeriod(all, [from, to]), [from, minute]))}
          />
          <Button small onClick={() => onChange(withoutPeriod(all, [from, to]))}>
            删除
          </Button>
        </div>
      ))}
      <div className="period">
        <Button small onClick={() => onChange([[0, 1_440]])}>
          全天
        </Button>
        <Button small onClick={() => onChange(withPeriod(all, [540, 1_260]))}>
          加 09:00–21:00
        </Button>
        {all.length > 0 && (
          <Button small onClick={() => onChange([])}>
            清空
          </Button>
        )}
      </div>
    </div>
  );
}
/** One time; taken over when it is left or Enter is pressed, and put back where it is none. */
function Time({ label, minute, onChange }: { label: string; minute: number; onChange: (minute: number) => void }): ReactNode {
  const [text, setText] = useState(clock(minute));
  // Not in an effect, which begins anew when a page is seen again (kit/web/filter/Keyword.tsx).
  const [seen, setSeen] = useState(minute);
  if (seen !== minute) {
    setSeen(minute);
    setText(clock(minute));
  }
  const take = (): void => {
    const typed = minuteOfClock(text);
    if (Number.isNaN(typed) || typed === minute) setText(clock(minute));
    else {
      setText(clock(minute));
      onChange(typed);
    }
  };
  return (
    <input
      className="input num"
      aria-label={label}
      inputMode="numeric"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (!entered(event)) return;
        event.preventDefault();
        take();
      }}
    />
  );
}
