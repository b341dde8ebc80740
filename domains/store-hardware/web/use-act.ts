import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "@zhangfang/web/api.ts";
import { listOutputs, listPrinters, listSpeakers } from "../contract/index.ts";

const READS: readonly Pick<Endpoint, "path">[] = [listOutputs, listPrinters, listSpeakers];

/** Runs an act once at a time and has the lists asked again; a refused call has already said why. */
export function useQuickAct(): { busy: boolean; run(act: () => Promise<void>): void } {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const go = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await act();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
      for (const { path } of READS) void client.invalidateQueries({ queryKey: [path] });
    }
  };
  return { busy, run: (act) => void go(act) };
}
