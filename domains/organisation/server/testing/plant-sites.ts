import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A site of each provider at its first domain name, and a second name without one. */
async function addSites({ till }: Soil): Promise<Record<"sp01" | "sp02", string>> {
  const made = { sp01: "", sp02: "" };
  for (const provider of ["sp01", "sp02"] as const) {
    const id = till.services.ids.uuid(till.services.clock.now_ms());
    const owner = till.tree.providers[provider];
    const [found] = await till.owner<{ host: string }>("select hosts[1] as host from service_providers where id = $1", [owner]);
    await till.owner("update service_providers set hosts = hosts || ('www.' || hosts[1]) where id = $1", [owner]);
    await till.owner(
      "insert into official_sites (service_provider_id, id, host, draft, created_at, updated_at) values ($1, $2, $3, $4, now(), now())",
      [
        owner,
        id,
        found!.host,
        JSON.stringify({ title: "官网", tagline: "", bannerUrl: null, sections: [], phone: "", email: "", address: "", icpNumber: "" }),
      ],
    );
    made[provider] = id;
  }
  return made;
}
/** The official site of each provider, unpublished. */
export const siteFacts = plant(addSites);
