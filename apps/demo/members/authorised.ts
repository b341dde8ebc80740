import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { componentOf } from "@zhangfang/domains/wechat/server/index.ts";
import { openWire } from "../live.ts";
import { signIn, type DemoTree } from "../tree/tree.ts";

const COMPONENT = "wxc5a68616e67666e6";
const SECRET = "5a68616e6766616e6764656d6f000002";
const ACCOUNT = "wx5a68616e67666e68";
const FOLLOWERS = 48;
const openPlatform = (services: Services): string => `http://127.0.0.1:${services.config.simulator_port + 2}`;

/** WeChat's side of a provider's component: it is told what a person types there, and sends a ticket. @returns whether that arrived */
async function introduce(services: Services, provider: string): Promise<boolean> {
  const component = await componentOf(services, provider);
  if (!component) return false;
  const { id, app_id: appId, secret, token, aesKey } = component;
  const eventUrl = `${services.config.public_url}/notify/wechat-component/${id}`;
  const answer = await fetch(`${openPlatform(services)}/wechat-component`, {
    method: "POST",
    body: JSON.stringify({ act: "set", appId, secret, token, aesKey, eventUrl, messageUrl: `${eventUrl}/$APPID$` }),
  });
  return ((await answer.json()) as { told?: number }).told === 200;
}
/** After a start of its own the simulator knows no component any more. */
export async function introduceAll(services: Services): Promise<void> {
  const rows = await withScope(services.pool, platformScope("demo components"), (tx) =>
    tx.selectFrom("wx_components").select("service_provider_id").execute(),
  );
  for (const { service_provider_id } of rows) await introduce(services, service_provider_id);
}

/** The first provider's 第三方平台, and the account that another merchant of it authorised by scanning, with its followers. */
export async function fillAuthorised(services: Services, tree: DemoTree): Promise<void> {
  const { wire, api } = openWire(services);
  const headersOf = async (login: string) => ({ authorization: `Bearer ${await signIn(services, login)}` });
  await wire.post(`${api}/api/wx-components/save`, { revision: 0, appId: COMPONENT, secret: SECRET }, await headersOf("sp01"));
  // Where PUBLIC_URL is another machine's no ticket comes, and nothing can be authorised.
  if (!(await introduce(services, tree.providers.sp01))) return;
  const headers = await headersOf("mch03");
  const post = (path: string, body: object) => wire.post(`${api}/api/${path}`, body, headers);
  const { url } = await post("wx-apps/authorise", {});
  const form = new URLSearchParams(new URL(String(url)).searchParams);
  for (const [name, value] of Object.entries({ appId: ACCOUNT, name: "晨光便利服务号", kind: "2" })) form.set(name, value);
  // Without 自定义菜单, so that the screen has something to say.
  for (const permission of ["1", "2", "3", "4", "7", "11"]) form.append("permission", permission);
  const said = await fetch(`${openPlatform(services)}/cgi-bin/componentloginpage`, { method: "POST", body: form, redirect: "manual" });
  const back = new URL(said.headers.get("location")!);
  const { id } = await post("wx-apps/authorised", {
    state: back.pathname.split("/").at(-1)!,
    code: back.searchParams.get("auth_code")!,
  });
  await fetch(`${openPlatform(services)}/wechat-followers`, {
    method: "POST",
    body: JSON.stringify({ appId: ACCOUNT, plant: FOLLOWERS }),
  });
  await post("wx-fans/sync", { id });
}
