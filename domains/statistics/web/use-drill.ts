import { may, useUser, type Need } from "@zhangfang/web/api/user.ts";
import type { Drill, Span } from "../contract/index.ts";

/** Where the figures of a span are taken apart. */
export const apartDrill = ({ from, to }: Span): Drill => ({
  path: "/dataCentre/payStatistics",
  query: { from, to },
});

/**
 * The address of the list behind a figure; undefined where this account has no such list.
 * @example const to = useDrill(); <Link to={to(row.drill)} />
 */
export function useDrill(): (drill: Drill) => string | undefined {
  const person = useUser();
  return ({ path, query }) => (may(person, [path as Need]) ? `${path}?${new URLSearchParams(query).toString()}` : undefined);
}
