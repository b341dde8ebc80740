import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { answers } from "@zhangfang/web/api/cache.ts";
import { setPreference } from "../../accounts/contract/index.ts";
import { FIRST_STEPS, listFirstSteps, listTodos } from "../contract/index.ts";

type Todos = OutputOf<typeof listTodos>;
/** What waits, asked beside the figures of a home and again whenever somebody comes back to it: what they did is gone. */
export const useTodos = (): UseQueryResult<Todos> =>
  useQuery({
    queryKey: [listTodos.path],
    staleTime: 0,
    refetchInterval: 60_000,
    queryFn: ({ signal }) => call(listTodos, {}, { signal, quiet: true }),
  });

export type Steps = OutputOf<typeof listFirstSteps>;
export const useFirstSteps = (): UseQueryResult<Steps> =>
  useQuery({ queryKey: [listFirstSteps.path], staleTime: 0, queryFn: ({ signal }) => call(listFirstSteps, {}, { signal, quiet: true }) });

/** Puts the list of first steps away for this account, or brings it back; it follows the account to another device. */
export async function keepFirstSteps(value: "hidden" | "shown"): Promise<void> {
  await call(setPreference, { key: FIRST_STEPS, value });
  await answers().invalidateQueries({ queryKey: [listFirstSteps.path] });
}
