import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { all, is, narrowed, onDays } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { differenceFilter } from "../../contract/index.ts";
import { ofSource } from "../rows.ts";

export type DifferenceFilter = Partial<z.output<z.ZodObject<typeof differenceFilter>>>;
/** The filter of the list, its counts and its export. What vanished by itself is seen where somebody asks for it. */
export const differencesWhere = (scope: Scope, { keyword, resolution, ...filter }: DifferenceFilter): RawBuilder<boolean> =>
  all([
    inScope(scope, "d", "merchant"),
    narrowed(filter, "d"),
    ofSource(filter),
    // A whole number is found on whatever day.
    keyword
      ? sql`d.number = ${keyword} or d.order_no = ${keyword} or d.channel_no = ${keyword} or split_part(d.number, ':', 2) = ${keyword}`
      : onDays(filter, "d.day"),
    is("d.day_id", filter.dayId),
    is("d.class", filter.class),
    is("d.status", filter.status),
    resolution ? sql`d.resolution = ${resolution}` : sql`d.resolution is distinct from 'vanished'`,
  ]);
