import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type AppKeys, openKept, openKeys } from "../apps/app-keys.ts";
import type { WechatAnswer, WechatJson } from "./answers.ts";
import { mintedOf, tokenOf } from "./app-token.ts";
import { sendWechat, underToken } from "./send-wechat.ts";

const COMPONENT = platformScope("call WeChat for a component");
/** A ticket is good for twelve hours (platforms.md 6); WeChat sends the next one every ten minutes. */
export const TICKET_MS = 12 * 3_600_000;

/** A provider's 第三方平台. */
export interface Component extends AppKeys {
  readonly service_provider_id: string;
  readonly id: string;
  readonly app_id: string;
  readonly secret: string;
  readonly revision: number;
  /** The last that WeChat sent; null where there is none that is young enough. */
  readonly ticket: string | null;
}
/** The component of a provider, in a transaction of its own. */
export async function componentOf(services: Services, service_provider_id: string): Promise<Component | undefined> {
  return withScope(
    services.pool,
    COMPONENT,
    (tx) => tx.selectFrom("wx_components").selectAll().where("service_provider_id", "=", service_provider_id).executeTakeFirst(),
    {
      readOnly: true,
    },
  ).then((row) => row && openComponent(services, row));
}
interface ComponentRow {
  readonly service_provider_id: string;
  readonly id: string;
  readonly app_id: string;
  readonly secret_sealed: string;
  readonly token_sealed: string;
  readonly aes_key_sealed: string;
  readonly ticket_sealed: string | null;
  readonly ticket_at: string | null;
  readonly revision: number;
}
export function openComponent(services: Services, row: ComponentRow): Component {
  const { service_provider_id, id, app_id, secret_sealed, ticket_sealed, ticket_at, revision } = row;
  const young = ticket_sealed !== null && services.clock.now_ms() - Date.parse(ticket_at!) < TICKET_MS;
  return {
    service_provider_id,
    id,
    app_id,
    revision,
    ...openKeys(services, row),
    secret: openKept(services, "wx_components.secret", row, secret_sealed),
    ticket: young ? openKept(services, "wx_components.ticket", row, ticket_sealed) : null,
  };
}
const callerOf = ({ service_provider_id }: Component) => ({ service_provider_id, merchant_id: null, app_row: null });

/** Calls WeChat in the name of a component, under its own token: the same record and the same answers as `callWechat`. */
export function callComponent(services: Services, component: Component, path: string, body: object): Promise<WechatAnswer<WechatJson>> {
  return underToken(
    async (dead) => {
      const token = await tokenOf(services, component, () => mint(services, component), dead);
      return token.kind === "refused" ? { ...token, unasked: true } : token;
    },
    (component_access_token) => sendWechat(services, callerOf(component), path, { component_access_token }, body),
  );
}
async function mint(services: Services, component: Component) {
  if (component.ticket === null)
    return {
      kind: "refused" as const,
      code: null,
      message: "微信还没有推来验证票据，或 12 小时没有推了：请服务商到 微信应用 → 第三方平台 查看",
    };
  const answer = await sendWechat(
    services,
    callerOf(component),
    "component/api_component_token",
    {},
    {
      component_appid: component.app_id,
      component_appsecret: component.secret,
      component_verify_ticket: component.ticket,
    },
  );
  return answer.kind === "ok" ? mintedOf(answer.value, "component_access_token") : answer;
}
/** Asks WeChat to send tickets; it needs no token. */
export const askForTicket = (services: Services, component: Component): Promise<WechatAnswer<WechatJson>> =>
  sendWechat(
    services,
    callerOf(component),
    "component/api_start_push_ticket",
    {},
    { component_appid: component.app_id, component_secret: component.secret },
  );
