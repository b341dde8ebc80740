import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { getDashboard, type Step } from "../../contract/index.ts";
import type { Span } from "../spans.ts";

export type DashboardData = OutputOf<typeof getDashboard>;

/** A dashboard's answer; `enabled` keeps the span before from being asked where nobody compares. */
export function useDashboard(span: Span, by: Step, enabled = true) {
  return useQuery({
    queryKey: [getDashboard.path, span, by],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getDashboard, { ...span, by }, { signal, quiet: true }),
  });
}
