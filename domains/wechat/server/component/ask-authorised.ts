import type { Services } from "@zhangfang/server/services.ts";
import type { WechatJson } from "../calls/answers.ts";
import { type Minted, mintedOf } from "../calls/app-token.ts";
import { callComponent, type Component } from "../calls/call-component.ts";

const TRIES = 3;
/** 授权码不对, 授权码过期: also what a code is that was changed already. */
const USED_UP: readonly number[] = [61_009, 61_010];
/** The account is authorised to this component no more. */
const TAKEN_BACK = 61_003;

/** What a code was changed for. */
export interface Granted {
  /** The component that it was granted to. */
  readonly component: string;
  readonly appId: string;
  readonly minted: Minted;
  readonly permissions: readonly number[];
}
/** Why not; unknown: it can be tried again. */
export interface Not {
  readonly why: string;
  readonly unknown?: boolean;
  /** The code never went out. */
  readonly unasked?: boolean;
  /** WeChat knows the code no more. */
  readonly usedUp?: boolean;
  /** The account took its authorisation back. */
  readonly takenBack?: boolean;
}
/** 换取授权信息. */
export async function ask(services: Services, component: Component, code: string): Promise<Granted | Not> {
  const answer = await callComponent(services, component, "component/api_query_auth", {
    component_appid: component.app_id,
    authorization_code: code,
  });
  if (answer.kind === "unknown") return { why: answer.reason, unknown: true };
  // The component can't ask for now: no ticket, a wrong secret, an address that WeChat does not know.
  if (answer.kind === "refused" && answer.unasked === true) return { why: answer.message, unknown: true, unasked: true };
  if (answer.kind === "refused") return { why: answer.message, usedUp: USED_UP.includes(answer.code!) };
  const info = objectOf(answer.value["authorization_info"]);
  const minted = mintedOf(info, "authorizer_access_token");
  const appId = info["authorizer_appid"];
  if (minted.kind !== "ok" || minted.value.refresh === undefined || typeof appId !== "string" || !/^wx[0-9a-f]{16}$/.test(appId))
    return { why: "微信给出的授权不全，请再授权一次" };
  return { component: component.app_id, appId, minted: minted.value, permissions: permissionsIn(info) ?? [] };
}
/** 权限集 in an answer; undefined where it tells none. */
function permissionsIn({ func_info: list }: WechatJson): readonly number[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const ids = list
    .map((one) => Number(objectOf(objectOf(one)["funcscope_category"])["id"]))
    .filter((n) => Number.isSafeInteger(n) && n > 0);
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
const objectOf = (given: unknown): WechatJson => (typeof given === "object" && given !== null ? (given as WechatJson) : {});
export interface Facts {
  readonly name: string;
  readonly kind: 1 | 2;
  readonly original_id: string;
  /** What is granted by now; undefined where WeChat does not tell. */
  readonly granted: readonly number[] | undefined;
}
/** 授权方基本信息: only reading, so it is tried again; later too. */
export async function factsOf(services: Services, component: Component, appId: string): Promise<Facts | Not> {
  let why = "";
  let takenBack = false;
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await callComponent(services, component, "component/api_get_authorizer_info", {
      component_appid: component.app_id,
      authorizer_appid: appId,
    });
    if (answer.kind === "ok") {
      const info = objectOf(answer.value["authorizer_info"]);
      const { nick_name: name, user_name: original_id } = info;
      if ("MiniProgramInfo" in info) return { why: "授权的是小程序，这里只接公众号" };
      if (typeof original_id !== "string" || original_id === "" || original_id.length > 64) break;
      const kind = objectOf(info["service_type_info"])["id"] === 2 ? 1 : 2;
      const granted = permissionsIn(objectOf(answer.value["authorization_info"]));
      return { name: typeof name === "string" && name !== "" ? name.slice(0, 30) : appId, kind, original_id, granted };
    }
    why = answer.kind === "refused" ? answer.message : answer.reason;
    takenBack = answer.kind === "refused" && answer.code === TAKEN_BACK;
    if (answer.kind === "refused") break;
  }
  return { why: `问不到授权的公众号是哪一个，请稍后再试一次${why === "" ? "" : `（${why}）`}`, unknown: true, takenBack };
}
