import { may, useUser, type Need } from "@zhangfang/web/user.ts";
import type { Drill } from "../contract/index.ts";

/**
 * The address of the list behind a figure; undefined where this account has no such list.
 * @example const to = useDrill(); <Link to={to(row.drill)} />
 */
export function useDrill(): (drill: Drill) => string | undefined {
  const person = useUser();
  return ({ path, query }) => (may(person, [path as Need]) ? `${path}?${new URLSearchParams(query).toString()}` : undefined);
}
