import { plantMaterial } from "../ads-for-tests.ts";
import { PLATFORM_ID } from "../../../level-config/contract/index.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Place } from "../../../../apps/server/testing/matrix/people.ts";
import { type HttpWorld, plant, type Soil } from "../../../../apps/server/testing/world.ts";

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
async function plantAds({ till: { tree }, services, send, owner }: Soil): Promise<AdFact[]> {
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
export const adFacts = plant(plantAds);
