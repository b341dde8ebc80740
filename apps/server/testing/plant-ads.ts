import type pg from "pg";
import { plantMaterial } from "@zhangfang/domains/ads/server/ads-for-tests.ts";
import { PLATFORM_ID } from "@zhangfang/domains/level-config/contract/index.ts";
import type { TillWorld } from "@zhangfang/domains/orders/server/testing/till-world.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Place } from "./people.ts";
import type { HttpWorld } from "./world.ts";

/** An ad and what it shows: a provider's, or the platform's, which is for its own account alone. */
export interface AdFact extends Place {
  readonly id: string;
  readonly material: string;
}
/** What an ad is besides its materials and targets. */
export const adDraft = ({ services }: Pick<HttpWorld, "services">) => {
  const today = shanghaiDay(services.clock.now_ms());
  return { name: "新品上市", starts_on: today, ends_on: addDays(today, 30), weekdays: [1, 2, 3, 4, 5, 6, 7], periods: [[0, 1_440]] };
};
/** An ad of each provider in its own tree, and one of the platform's everywhere; all enabled. */
export async function plantAds({ tree, services }: TillWorld, send: HttpWorld["send"], owner: pg.Pool): Promise<AdFact[]> {
  const truth = async <R>(text: string, values?: unknown[]): Promise<R[]> => (await owner.query(text, values)).rows as R[];
  const made: AdFact[] = [];
  for (const login of ["sp01", "sp02", "admin"] as const) {
    const provider = login === "admin" ? undefined : login;
    const id = provider && tree.providers[provider];
    const material = await plantMaterial({ services, tree, truth } as never, id ? { owner: id } : {});
    const targets = [id ? { item_type: 3, item_id: id } : { item_type: 4, item_id: PLATFORM_ID }];
    const body = { ...adDraft({ services }), materials: [{ material_id: material }], targets, status: 1 };
    const answer = await send(login, { verb: "POST", path: "/ad/api/Ad/create_ad", body });
    made.push({ id: (answer.body as { ad_id: string }).ad_id, material, ...(provider ? { provider } : { user: "admin" }) });
  }
  return made;
}
