import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { getToday } from "../../contract/index.ts";

export type Today = OutputOf<typeof getToday>;

/** A payment shows within two seconds: half a second is for the way. */
const EVERY_MS = 1500;
const AFTER_A_FAILURE_MS = 3000;
const live = {
  queryKey: [getToday.path],
  retry: false,
  queryFn: ({ signal }: { signal: AbortSignal }): Promise<Today> => call(getToday, {}, { signal, quiet: true }),
};

/** Today so far, asked again and again while the page is seen; a failure stays quiet and is asked again. One part of a page calls it. */
export function useToday() {
  return useQuery({ ...live, staleTime: 0, refetchInterval: ({ state }) => (state.error ? AFTER_A_FAILURE_MS : EVERY_MS) });
}

/** Today so far as `useToday` last heard it, for the other parts of the page. */
export function useTodayHeard() {
  return useQuery({ ...live, staleTime: Number.POSITIVE_INFINITY });
}

/** The day that the server calls today, as `useToday` last heard it; the component is drawn again at midnight and not before. */
export function useTodayDay(): string | undefined {
  return useQuery({ ...live, staleTime: Number.POSITIVE_INFINITY, select: ({ day }) => day }).data;
}
