import { type Login, LOGINS } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** What a view of the payments says. */
export const ofPayments = {
  path: "/dataCentre/payOrder",
  list: "/api/orders/pay-orders",
  filters: { status: "2" },
  days: "yesterday",
  sort: null,
  columns: null,
};
/** A view of each login's own, shown to nobody else. */
async function saveViews({ services, send }: Soil): Promise<Map<Login, string>> {
  const made = new Map<Login, string>();
  for (const login of LOGINS) {
    const body = { requestId: services.ids.uuid(services.clock.now_ms()), name: `view of ${login}`, ...ofPayments };
    const answer = await send(login, { verb: "POST", path: "/api/views", body });
    if (answer.status !== 200) throw new Error(`${login} could not save a view: ${answer.text}`);
    made.set(login, (answer.body as { id: string }).id);
  }
  return made;
}
export const viewsByLogin = plant(saveViews);
