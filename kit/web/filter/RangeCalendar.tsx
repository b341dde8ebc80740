import { DatePicker } from "antd";
import { Antd, DeafWhenHidden } from "../look/Antd.tsx";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import type { Days } from "./day-shortcuts.ts";

const WITHOUT_THEM = "(min-width: 768px) and (max-width: 1439.98px)";

/** The calendar of `DateRange`, open and with the focus; a chunk of its own, because most days are chosen without it. */
export function RangeCalendar({
  label,
  days,
  set,
  more,
}: {
  label: string;
  days: Days | undefined;
  set: (days: Days | undefined) => void;
  /** Shortcuts that give way beside the filter where the window is narrow (narrow.css); then they stand in here. */
  more: readonly { readonly label: string; readonly days: Days }[];
}): ReactNode {
  return (
    <Antd>
      <DeafWhenHidden>
        <DatePicker.RangePicker
          aria-label={label}
          className="filter-range"
          autoFocus
          defaultOpen
          presets={(matchMedia(WITHOUT_THEM).matches ? more : []).map((one) => ({
            label: one.label,
            value: [dayjs(one.days[0]), dayjs(one.days[1])],
          }))}
          value={days ? [dayjs(days[0]), dayjs(days[1])] : null}
          onChange={(picked) =>
            set(picked?.[0] && picked[1] ? [picked[0].format("YYYY-MM-DD"), picked[1].format("YYYY-MM-DD")] : undefined)
          }
        />
      </DeafWhenHidden>
    </Antd>
  );
}
