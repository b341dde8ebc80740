import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { all, is, narrowed, onDays } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { dayFilter } from "../../contract/index.ts";
import { stateOf } from "../rows.ts";

export type DayFilter = Partial<z.output<z.ZodObject<typeof dayFilter>>>;
/** The filter of the list, its sums and its export. */
export const daysWhere = (scope: Scope, { source, state, ...filter }: DayFilter): RawBuilder<boolean> =>
  all([
    inScope(scope, "d", "merchant"),
    narrowed(filter, "d"),
    is("d.source", source),
    onDays(filter, "d.day"),
    state && sql`${stateOf} = ${state}`,
  ]);
