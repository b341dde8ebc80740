import type { Services } from "@zhangfang/server/services.ts";

/** Runs `one` over all, eight at a time; what fails is logged and comes round again, and does not hold up the rest. */
export async function inBatches<T>(services: Services, all: readonly T[], one: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += 8) {
    const settled = await Promise.allSettled(all.slice(from, from + 8).map(one));
    for (const result of settled)
      if (result.status === "rejected") services.log.error({ err: result.reason as unknown }, "will be looked at again");
  }
}
