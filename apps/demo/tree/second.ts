import type { Services } from "@zhangfang/server/services.ts";
import { openWire } from "../live.ts";
import { DEMO_PASSWORD } from "./tree-plan.ts";
import { signIn } from "./tree.ts";

/** Somebody else of a provider or a merchant, who proposes coupons, a 粉丝券 and group notes for its root to approve. */
export interface Second {
  readonly headers: Readonly<Record<string, string>>;
}
const WHO = {
  sp01: { level: "SP", items: ["/ticket/list", "/ticket/new", "/ticket/details", "/ticket/list/steer"] },
  mch01: {
    level: "MCH",
    items: [
      "/merchantTicket/list",
      "/merchantTicket/new",
      "/merchantTicket/details",
      "/merchantTicket/list/steer",
      "/dataCentre/couponDetail",
      "/wxCRM/groupNote",
      "/wxCRM/groupNote/detail",
      "/wxCRM/groupNote/edit",
      "/wxCRM/fansCoupon",
      "/activity/centre/edit",
    ],
  },
} as const;

/** Makes the account `coupon.<root>`, with the password of the demo, as its root would. */
export async function makeSecond(services: Services, root: keyof typeof WHO): Promise<Second> {
  const { wire, api } = openWire(services);
  const headers = { authorization: `Bearer ${await signIn(services, root)}` };
  const requestId = services.ids.uuid(services.clock.now_ms());
  const { level, items } = WHO[root];
  const { id: positionId } = await wire.post(`${api}/api/positions/add?_t=1`, { requestId, name: "优惠券运营", items }, headers);
  const login = `coupon.${root}`;
  const { password } = await wire.post(`${api}/api/users/add?_t=1`, { login, firstName: "陈券", level, positionId }, headers);
  await wire.post(`${api}/api/authenticateNew?_t=1`, { username: login, password, newPassword: DEMO_PASSWORD });
  return { headers: { authorization: `Bearer ${await signIn(services, login)}` } };
}
