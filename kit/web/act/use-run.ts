import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "../api/api-errors.ts";

/**
 * What a button does: busy while it runs. A refused call has already said why; what it changes is read anew then too,
 * for what stands on the screen is old.
 * @param reads whose answers change by it
 * @example
 * const [busy, run] = useRun([getStore, listStores]);
 * const close = () => run(async () => {
 *   await call(closeStore, { id });
 *   success("已停用");
 * });
 */
export function useRun(
  reads: readonly Pick<Endpoint, "path">[] = [],
): [busy: boolean, run: (act: () => Promise<unknown>) => Promise<void>] {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const run = async (act: () => Promise<unknown>): Promise<void> => {
    setBusy(true);
    try {
      await act();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
      for (const { path } of reads) void client.invalidateQueries({ queryKey: [path] });
    }
  };
  return [busy, run];
}
