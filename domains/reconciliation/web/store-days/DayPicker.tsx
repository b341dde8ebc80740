import { type ReactNode, useLayoutEffect, useRef } from "react";
import { addDays } from "@zhangfang/contract/time.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { useKey } from "@zhangfang/web/window/use-key.ts";

/** The day before, a day, the day after; the arrow keys do the same. */
export function DayPicker({ day, onChange }: { day: string; onChange: (day: string) => void }): ReactNode {
  const before = useKey("arrowleft");
  const after = useKey("arrowright");
  // Keys come faster than a page is drawn: each goes on from the day that was asked for last.
  const asked = useRef(day);
  useLayoutEffect(() => {
    asked.current = day;
  }, [day]);
  const step = (days: number): void => {
    const next = addDays(asked.current, days);
    if (next > today()) return;
    asked.current = next;
    onChange(next);
  };
  return (
    <span className="storeday-picker">
      <button ref={before} type="button" className="icon-button" aria-label="前一天" aria-keyshortcuts="ArrowLeft" onClick={() => step(-1)}>
        <Icon name="left" />
      </button>
      <DayInput
        aria-label="日期"
        value={day}
        max={today()}
        onChange={(given) => {
          if (given && given <= today()) onChange(given);
        }}
      />
      <button
        ref={after}
        type="button"
        className="icon-button"
        aria-label="后一天"
        aria-keyshortcuts="ArrowRight"
        disabled={day >= today()}
        onClick={() => step(1)}
      >
        <Icon name="right" />
      </button>
    </span>
  );
}
