import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { weekdayName } from "@zhangfang/contract/time.ts";
import { type getDeviceAds, clock } from "../../contract/index.ts";

type Found = OutputOf<typeof getDeviceAds>;
const DAY = 1_440;
/** As many as the sheet has; beyond them they come again. */
const COLOURS = 6;
const HOURS = [0, 6, 12, 18, 24];
const at = (minute: number): string => `${(minute / DAY) * 100}%`;

/** The coming days as strips: what plays from when to when; the same ads have the same colour in all of them. */
export function Strips({ found: { slots, ads, now } }: { found: Found }): ReactNode {
  const days = [...new Set(slots.map(({ day }) => day))];
  const nameOf = (id: string): string => ads.find((ad) => ad.id === id)?.name ?? "";
  const sets = [...new Set(slots.filter(({ playing }) => playing.length > 0).map(({ playing }) => playing.join(" ")))];
  return (
    <div className="strips" role="list" aria-label="这一周播放">
      {days.map((day) => (
        <div key={day} className="strip-row" role="listitem">
          <span className="note">
            {day.slice(5)} {weekdayName(day)}
          </span>
          <div className="strip">
            {slots
              .filter((slot) => slot.day === day && slot.playing.length > 0)
              .map((slot) => {
                const names = slot.playing.map(nameOf).join("、");
                const said = `${clock(slot.from)}–${clock(slot.to)} ${names}`;
                return (
                  <span
                    key={slot.from}
                    className={`strip-part strip-${sets.indexOf(slot.playing.join(" ")) % COLOURS}`}
                    style={{ insetInlineStart: at(slot.from), width: at(slot.to - slot.from) }}
                    title={said}
                  >
                    <span className="sr-only">{said}</span>
                    <span className="strip-name" aria-hidden="true">
                      {names}
                    </span>
                  </span>
                );
              })}
            {day === now.day && <span className="strip-now" style={{ insetInlineStart: at(now.minute) }} aria-hidden="true" />}
          </div>
        </div>
      ))}
      <div className="strip-row" aria-hidden="true">
        <span className="strip-hours-lead" />
        <span className="strip-hours num">
          {HOURS.map((hour) => (
            <span key={hour} style={{ insetInlineStart: at(hour * 60) }}>
              {hour}
            </span>
          ))}
        </span>
      </div>
      {sets.length > 0 && (
        <ul className="strip-keys note" aria-hidden="true">
          {sets.map((set, place) => (
            <li key={set}>
              <span className={`strip-key strip-${place % COLOURS}`} />
              {set.split(" ").map(nameOf).join("、")}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
