import { day, id, line, queryCents } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** Members by what they are now: whoever sends something to many freezes them into rows. Nothing filled in is everybody. */
export const audienceFilter = z.object({
  tag: line(20).optional(),
  spentFromCents: queryCents.optional(),
  lastVisitBefore: day.optional(),
  storeId: id.optional(),
});
export type AudienceFilter = z.output<typeof audienceFilter>;
