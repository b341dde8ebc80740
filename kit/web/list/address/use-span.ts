import { useLocation, useNavigate } from "react-router";
import { daysAgo, today } from "../../filter/day-shortcuts.ts";

/** The days and choices of a page of figures, as they stand in the address; nothing else keeps them. */
export interface Span {
  readonly from: string;
  readonly to: string;
  /** What the address says besides; undefined where it says nothing. */
  get(name: string): string | undefined;
  /** Sets some things, or takes them away: one step back in the browser undoes all of them. */
  set(values: Readonly<Record<string, string | undefined>>): void;
  /** This page with other words, for the rows behind a figure. */
  path(words: Readonly<Record<string, string | undefined>>): string;
}
/**
 * The days of a page of figures; the last 30 where the address names none.
 * @example const span = useSpan(); const input = { from: span.from, to: span.to, platform: span.get("platform") };
 */
export function useSpan(): Span {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const query = new URLSearchParams(search);
  const [from, to] = [query.get("from") ?? daysAgo(29), query.get("to") ?? today()];
  return {
    from,
    to,
    get: (name) => query.get(name) ?? undefined,
    set(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined) query.delete(name);
        else query.set(name, value);
      }
      void navigate({ pathname, search: `?${query}` });
    },
    path(words) {
      const next = new URLSearchParams({ from, to });
      for (const [name, value] of Object.entries(words)) if (value !== undefined) next.set(name, value);
      return `${pathname}?${next}`;
    },
  };
}
