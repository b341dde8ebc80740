import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-errors.ts";
import { perSession } from "./session.ts";

/**
 * Everything that calls have answered in this session. One object, thrown away whole when the token changes.
 * Answers are fresh for 30 seconds, so that going back to a tab asks nothing.
 */
export const answers = perSession(
  () =>
    new QueryClient({
      defaultOptions: {
        queries: {
          staleTime: 30_000,
          gcTime: 10 * 60_000,
          refetchOnWindowFocus: false,
          // A refusal stays a refusal; a broken connection, and a server that says it is busy for a moment, are worth one more try.
          retry: (count, failure) => failure instanceof ApiError && (failure.kind === "network" || failure.code === "busy") && count < 1,
        },
      },
    }),
);
