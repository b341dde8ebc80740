import { DatePicker } from "antd";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import { Antd, DeafWhenHidden } from "../../look/Antd.tsx";

const FORMAT = { day: "YYYY-MM-DD", minute: "YYYY-MM-DD HH:mm" } as const;

interface Given {
  readonly id?: string;
  readonly of: keyof typeof FORMAT;
  readonly value: string;
  readonly onPick: (value: string) => void;
  readonly onClose: () => void;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly "aria-label"?: string | undefined;
  readonly "aria-describedby"?: string | undefined;
}

/** The calendar of a `DayInput`, open and with the focus; a chunk of its own, because most days are typed or stand there already. */
export function DayCalendar({ id, of, value, onPick, onClose, min, max, ...aria }: Given): ReactNode {
  return (
    <Antd>
      <DeafWhenHidden>
        <DatePicker
          {...(id !== undefined && { id })}
          aria-label={aria["aria-label"]}
          aria-describedby={aria["aria-describedby"]}
          className="day-calendar"
          autoFocus
          defaultOpen
          format={FORMAT[of]}
          {...(of === "minute" && { showTime: { format: "HH:mm" } })}
          {...(min !== undefined && { minDate: dayjs(min) })}
          {...(max !== undefined && { maxDate: dayjs(max) })}
          value={value === "" ? null : dayjs(value)}
          onChange={(picked) => onPick(picked ? picked.format(FORMAT[of]) : "")}
          onOpenChange={(open) => !open && onClose()}
        />
      </DeafWhenHidden>
    </Antd>
  );
}
