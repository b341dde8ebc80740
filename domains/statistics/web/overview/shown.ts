import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getOverview } from "../../contract/index.ts";
import type { Compare, Range } from "../spans.ts";

/** An overview with the choice it answers, so that title and figures always speak of the same days. */
export interface Shown extends OutputOf<typeof getOverview> {
  readonly range: Range;
  readonly compare: Compare;
  /** The day that is today. */
  readonly today: string;
}
