import { useQuery } from "@tanstack/react-query";
import { call } from "@zhangfang/web/api/api.ts";
import { type ExportRow, listExports } from "../contract.ts";

const EVERY_MS = 1500;
const AFTER_A_FAILURE_MS = 3000;
/** More than a tenant may have at work and waiting. */
const ALL_OF_THEM = 30;
const SHOWN = 10;

/**
 * The caller's exports at work. Asked every 1.5 seconds while there are any, and not at all otherwise.
 * @param poll only the tray asks by itself: it is on every page, and others read what it brought
 */
export function useRunning(poll: boolean): readonly ExportRow[] | undefined {
  return useQuery<readonly ExportRow[]>({
    queryKey: [listExports.path, "running"],
    staleTime: poll ? 0 : Number.POSITIVE_INFINITY,
    // An export may have been started on another device.
    refetchOnWindowFocus: poll,
    refetchInterval: ({ state }) => (!poll || state.data?.length === 0 ? false : state.error ? AFTER_A_FAILURE_MS : EVERY_MS),
    queryFn: async ({ signal }) => (await call(listExports, { status: 0, pageSize: ALL_OF_THEM }, { signal, quiet: true })).items,
  }).data;
}

/** The caller's latest exports, whatever became of them. */
export function useRecent() {
  return useQuery({
    queryKey: [listExports.path, "recent"],
    queryFn: async ({ signal }) => (await call(listExports, { pageSize: SHOWN }, { signal, quiet: true })).items,
  });
}
