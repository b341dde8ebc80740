import { sql } from "kysely";
import { z } from "zod";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { MOST_APPS, noteOut } from "../apps/find-app.ts";
import { newKeys, openKept } from "../apps/app-keys.ts";
import type { WechatJson } from "../calls/answers.ts";
import { keepToken, type Minted, mintedOf } from "../calls/app-token.ts";
import { callComponent, type Component, componentOf } from "../calls/call-component.ts";

const TAKE = platformScope("take what an official account authorised");
/** Longer than whoever takes it may work. */
const TAKEN_MS = 90_000;
const TRIES = 3;

interface Authorisation {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly app_row: string | null;
  readonly by_name: string;
  readonly code_sealed: string | null;
  readonly state: "open" | "taking" | "done" | "failed";
  readonly why: string;
  readonly taken_at: string | null;
  readonly ends_at: string;
}
type Taken =
  | { readonly kind: "done"; readonly id: string; readonly name: string }
  | { readonly kind: "failed" | "unknown"; readonly why: string };
const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });

/** For whoever does not come back from WeChat's page, and for what WeChat tells by itself. */
export const takeAuthorisation: Job<typeof which> = job({
  name: "take-wechat-authorisation",
  data: which,
  retryLimit: TRIES,
  async run(services, given) {
    const taken = await takeOne(services, given);
    if (taken.kind === "unknown") throw new Error(`an authorisation was not taken: ${taken.why}`);
  },
});

/**
 * Changes the code of an authorisation for the tokens of its account, once. What is unknown can be tried again.
 * @param code as the person came back with it; else the one that WeChat told
 */
export async function takeOne(services: Services, which_: z.output<typeof which>, code?: string): Promise<Taken> {
  const found = await withScope(services.pool, TAKE, (tx) => claim(tx, services, which_));
  if ("kind" in found) return found;
  const settle = (to: { state: "open" | "failed"; why: string }) =>
    withScope(services.pool, TAKE, (tx) => end(tx, services, found, to)).then((): Taken => ({
      kind: to.state === "open" ? "unknown" : "failed",
      why: to.why,
    }));
  const used = code ?? (found.code_sealed === null ? "" : openKept(services, "wx_authorisations.code", found, found.code_sealed));
  const component = await componentOf(services, found.service_provider_id);
  if (!component || used === "") return settle({ state: "failed", why: "第三方平台已撤掉，或没有授权码" });
  const granted = await ask(services, component, used);
  if ("why" in granted) return settle({ state: granted.unknown ? "open" : "failed", why: granted.why });
  const facts = await factsOf(services, component, granted.appId);
  return withScope(services.pool, TAKE, async (tx): Promise<Taken> => {
    const kept = "why" in facts ? facts : await keep(tx, services, found, { ...granted, ...facts });
    if (!("why" in kept)) return { kind: "done", ...kept };
    await end(tx, services, found, { state: "failed", why: kept.why });
    return { kind: "failed", why: kept.why };
  });
}
/** Takes the turn. @returns how it ended, where somebody was first */
async function claim(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: z.output<typeof which>,
): Promise<Authorisation | Taken> {
  const now_ms = services.clock.now_ms();
  const row = (await tx
    .selectFrom("wx_authorisations")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst()) as Authorisation | undefined;
  if (!row) return { kind: "failed", why: "没有这次授权" };
  if (row.state === "done") return { kind: "done", ...(await nameOf(tx, row)) };
  if (row.state === "failed") return { kind: "failed", why: row.why };
  if (row.state === "taking" && now_ms - Date.parse(row.taken_at!) < TAKEN_MS) return { kind: "unknown", why: "正在处理，请稍后刷新" };
  await tx
    .updateTable("wx_authorisations")
    .set({ state: "taking", taken_at: new Date(now_ms).toISOString() })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .execute();
  return row;
}
async function nameOf(tx: Transaction, { service_provider_id, app_row }: Authorisation): Promise<{ id: string; name: string }> {
  return tx
    .selectFrom("wx_apps")
    .select(["id", "name"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", app_row!)
    .executeTakeFirstOrThrow();
}
const end = (
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: Authorisation,
  to: { state: string; why: string; app_row?: string },
) =>
  tx
    .updateTable("wx_authorisations")
    .set({
      ...to,
      why: to.why.slice(0, 200),
      ...(to.state !== "open" && { code_sealed: null, ended_at: new Date(services.clock.now_ms()).toISOString() }),
    } as never)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "taking")
    .executeTakeFirst();

interface Granted {
  readonly appId: string;
  readonly minted: Minted;
  readonly permissions: readonly number[];
}
type Not = { readonly why: string; readonly unknown?: boolean };
/** 换取授权信息. */
async function ask(services: Services, component: Component, code: string): Promise<Granted | Not> {
  const answer = await callComponent(services, component, "component/api_query_auth", {
    component_appid: component.app_id,
    authorization_code: code,
  });
  if (answer.kind !== "ok") return answer.kind === "refused" ? { why: answer.message } : { why: answer.reason, unknown: true };
  const info = objectOf(answer.value["authorization_info"]);
  const minted = mintedOf(info, "authorizer_access_token");
  const appId = info["authorizer_appid"];
  if (minted.kind !== "ok" || minted.value.refresh === undefined || typeof appId !== "string" || !/^wx[0-9a-f]{16}$/.test(appId))
    return { why: "微信给出的授权不全，请再授权一次" };
  const list = Array.isArray(info["func_info"]) ? info["func_info"] : [];
  const permissions = list
    .map((one) => Number(objectOf(objectOf(one)["funcscope_category"])["id"]))
    .filter((n) => Number.isSafeInteger(n) && n > 0);
  return { appId, minted: minted.value, permissions: [...new Set(permissions)].toSorted((a, b) => a - b) };
}
const objectOf = (given: unknown): WechatJson => (typeof given === "object" && given !== null ? (given as WechatJson) : {});
interface Facts {
  readonly name: string;
  readonly kind: 1 | 2;
  readonly original_id: string;
}
/** 授权方基本信息: only reading, so it is tried again. */
async function factsOf(services: Services, component: Component, appId: string): Promise<Facts | Not> {
  let why = "";
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
      return { name: typeof name === "string" && name !== "" ? name.slice(0, 30) : appId, kind, original_id };
    }
    why = answer.kind === "refused" ? answer.message : answer.reason;
    if (answer.kind === "refused") break;
  }
  return { why: `问不到授权的公众号是哪一个，请再授权一次${why === "" ? "" : `（${why}）`}` };
}

/** The account that it is, as it is called from now on. */
async function keep(
  tx: Transaction,
  services: Services,
  given: Authorisation,
  found: Granted & Facts,
): Promise<{ id: string; name: string } | Not> {
  const { service_provider_id, merchant_id } = given;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const there = await tx
    .selectFrom("wx_apps")
    .select(["id", "merchant_id", "name", "kind"])
    .where("service_provider_id", "=", service_provider_id)
    .where("app_id", "=", found.appId)
    .forUpdate()
    .executeTakeFirst();
  if (there && there.merchant_id !== merchant_id) return { why: "这个公众号已由别的商户添加，请核对" };
  if (given.app_row !== null && there?.id !== given.app_row) return { why: "授权的不是这个公众号，请用它的管理员微信扫码" };
  const { permissions, original_id } = found;
  const authorised = {
    way: "component",
    auth_state: "on",
    auth_at: now,
    permissions,
    original_id,
    verified_at: now,
    proved_at: now,
    updated_at: now,
  };
  const row = { service_provider_id, id: there?.id ?? services.ids.uuid(now_ms) };
  if (there) {
    // The stretch that its quota is counted by stays while a note is out.
    const kind = (await noteOut(tx, row)) ? there.kind : found.kind;
    await sql`update wx_apps a set kind = ${kind}, way = 'component', auth_state = 'on', auth_at = ${now}, permissions = ${permissions}::int[],
        original_id = ${original_id}, verified_at = ${now}, proved_at = ${now}, updated_at = ${now}, revision = a.revision + 1
      where a.service_provider_id = ${service_provider_id} and a.id = ${row.id}`.execute(tx);
  } else {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from wx_apps a where a.service_provider_id = ${service_provider_id}
      and a.merchant_id = ${merchant_id}`.execute(tx);
    if (rows[0]!.n >= MOST_APPS) return { why: `最多 ${MOST_APPS} 个公众号` };
    await tx
      .insertInto("wx_apps")
      .values({
        ...row,
        merchant_id,
        app_id: found.appId,
        name: found.name,
        kind: found.kind,
        ...newKeys(services, row),
        ...authorised,
        by_name: given.by_name,
        created_at: now,
      } as never)
      .execute();
  }
  await keepToken(tx, services, row, found.minted);
  const done = await end(tx, services, given, { state: "done", why: "", app_row: row.id });
  // Somebody else took the turn meanwhile; what they brought stays.
  mustChange(done, () => conflict("这次授权正由另一个请求处理，请稍后刷新", "wx-component.twice"));
  return { id: row.id, name: there?.name ?? found.name };
}
