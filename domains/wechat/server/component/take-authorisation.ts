import { sql } from "kysely";
import { z } from "zod";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { MOST_APPS, noteOut } from "../apps/find-app.ts";
import { newKeys, openKept, sealKept } from "../apps/app-keys.ts";
import { keepToken } from "../calls/app-token.ts";
import { componentOf } from "../calls/call-component.ts";
import { renewToken } from "../calls/call-wechat.ts";
import { ask, type Facts, factsOf, type Granted, type Not } from "./ask-authorised.ts";

const TAKE = platformScope("take what an official account authorised");
/** Who does not end within it has most likely died; what they bring later still counts. */
const TAKEN_MS = 90_000;
const TRIES = 3;
/** So long after its end a code may still be changed. */
const OVER_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Authorisation {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly app_row: string | null;
  readonly by_name: string;
  readonly code_sealed: string | null;
  readonly state: "open" | "taking" | "done" | "failed";
  readonly why: string;
  /** When who has the turn took it: only they may end it. */
  readonly taken_at: string | null;
  readonly grant_sealed: string | null;
  readonly told_at: string | null;
  readonly came_at: string | null;
  /** When the code went out and no answer came, before this turn. */
  readonly asked_at: string | null;
  readonly ends_at: string;
}
/** What a code was changed for, as it is sealed on its way. */
interface Grant extends Granted {
  readonly at: string;
  /** Its tokens went to an account that was authorised already. */
  readonly kept: boolean;
}
type Taken =
  | { readonly kind: "done"; readonly id: string; readonly name: string }
  | { readonly kind: "failed" | "unknown"; readonly why: string };
const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });

/** What WeChat tells by itself of an account that is authorised. */
export const takeAuthorisation: Job<typeof which> = job({
  name: "take-wechat-authorisation",
  data: which,
  retryLimit: TRIES,
  async run(services, given) {
    const taken = await takeOne(services, given);
    if (taken.kind === "unknown") throw new Error(`an authorisation was not taken: ${taken.why}`);
  },
});

type Which = z.output<typeof which>;
/** Each minute: ways that somebody began and did not end, for their process died or no answer came; also one that WeChat told and nobody took. */
export const lookAfterAuthorisations = lookAfter<Which>({
  name: "look-after-wechat-authorisations",
  due: async (tx, now) =>
    (
      await sql<Which>`select w.service_provider_id, w.id from wx_authorisations w where w.state in ('open', 'taking')
        and (w.code_sealed is not null or w.grant_sealed is not null)
        and coalesce(w.taken_at, w.told_at, w.created_at) <= ${new Date(Date.parse(now) - TAKEN_MS).toISOString()}
        order by coalesce(w.taken_at, w.told_at, w.created_at) limit 20`.execute(tx)
    ).rows,
  one: async (services, given) => void (await takeOne(services, given)),
});

const ANOTHER: Not = { why: "服务商换了第三方平台，请重新授权" };
/** The code went out, and what it was changed for never came: WeChat gives it to nobody a second time. */
const LOST: Not = { why: "换取授权时没有等到微信的应答，授权码只能用一次，这次没有接上。请重新授权" };
const BUSY: Taken = { kind: "unknown", why: "正在处理，请稍后刷新" };
/**
 * Changes the code of an authorisation for the tokens of its account, once. What is unknown can be tried again.
 * @param code as the person came back with it; else the one that WeChat told, which turns no account on
 */
export async function takeOne(services: Services, which_: Which, code?: string): Promise<Taken> {
  const found = await withScope(services.pool, TAKE, (tx) => claim(tx, services, which_, code));
  if ("kind" in found) return found;
  const settle = (not: Not): Promise<Taken> => withScope(services.pool, TAKE, (tx) => fail(tx, services, found, not));
  const component = await componentOf(services, found.service_provider_id);
  if (!component) return settle({ why: "第三方平台已撤掉" });
  if (found.grant_sealed === null) {
    if (found.code_sealed === null) return settle({ why: "没有授权码" });
    const granted = await ask(services, component, openKept(services, "wx_authorisations.code", found, found.code_sealed));
    if ("why" in granted) return notGranted(services, found, granted);
    const sealed = await withScope(services.pool, TAKE, (tx) => keepGrant(tx, services, found, granted));
    if (!sealed) return BUSY;
    Object.assign(found, sealed);
  }
  const grant = JSON.parse(openKept(services, "wx_authorisations.grant", found, found.grant_sealed!)) as Grant;
  if (grant.component !== component.app_id) return settle(ANOTHER);
  const facts = await factsOf(services, component, grant.appId);
  // What nobody can be told of for a day is given up.
  if ("why" in facts)
    return settle(services.clock.now_ms() > Date.parse(found.ends_at) + DAY_MS ? { why: `${facts.why}，请重新授权` } : facts);
  return withScope(services.pool, TAKE, async (tx): Promise<Taken> => {
    const kept = await keep(tx, services, found, { ...grant, ...facts });
    if ("why" in kept) return fail(tx, services, found, kept);
    return { kind: "done", ...kept };
  });
}
/** What a code was not changed for. One that went out before without an answer, and is known no more, was changed by us: nobody has what it brought. */
async function notGranted(services: Services, found: Authorisation, { unasked = false, usedUp = false, ...not }: Not): Promise<Taken> {
  const over = services.clock.now_ms() > Date.parse(found.ends_at) + OVER_MS;
  const lost = found.asked_at !== null && (usedUp || (over && not.unknown === true));
  const ended = lost ? LOST : over && not.unknown === true ? { why: `${not.why}，授权码已过期，请重新授权` } : not;
  const taken = await withScope(services.pool, TAKE, (tx) => fail(tx, services, found, ended, unasked ? found.asked_at : undefined));
  // Its old tokens may be good no more: asking by them tells, and ends what WeChat does not know any more.
  if (lost && taken.kind === "failed" && found.app_row !== null) await renewToken(services, { ...found, id: found.app_row });
  return taken;
}
/**
 * The old tokens may be good no more, and the code is used up: what it was changed for is kept before anything else is asked. Where its account works already
 * it is that account's, whosever the way was. Whoever took the turn meanwhile loses it: they can only have been refused.
 * @returns undefined where it was ended meanwhile
 */
async function keepGrant(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, taken_at }: Authorisation,
  granted: Granted,
): Promise<Pick<Authorisation, "grant_sealed" | "taken_at"> | undefined> {
  const works = await tx
    .selectFrom("wx_apps")
    .select(["service_provider_id", "id"])
    .where("service_provider_id", "=", service_provider_id)
    .where("app_id", "=", granted.appId)
    .where("way", "=", "component")
    .where("auth_state", "=", "on")
    .forUpdate()
    .executeTakeFirst();
  if (works) await keepToken(tx, services, works, granted.minted);
  const grant: Grant = { ...granted, at: taken_at!, kept: works !== undefined };
  const turn = {
    asked_at: null,
    grant_sealed: sealKept(services, "wx_authorisations.grant", { service_provider_id, id }, JSON.stringify(grant)),
    taken_at: new Date(services.clock.now_ms()).toISOString(),
  };
  const done = await tx
    .updateTable("wx_authorisations")
    .set({ ...turn, state: "taking", why: "", ended_at: null })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "<>", "done")
    .executeTakeFirst();
  return done.numUpdatedRows === 1n ? turn : undefined;
}
/** Takes the turn. The code is written down before it goes out: whoever comes after a death knows that it did. @returns how it ended, where somebody was first */
async function claim(
  tx: Transaction,
  services: Services,
  { service_provider_id, id }: Which,
  code: string | undefined,
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
  if (row.state === "taking" && now_ms - Date.parse(row.taken_at!) < TAKEN_MS) return BUSY;
  const taken_at = new Date(now_ms).toISOString();
  const came = code === undefined ? {} : { came_at: taken_at, code_sealed: sealKept(services, "wx_authorisations.code", row, code) };
  await tx
    .updateTable("wx_authorisations")
    .set({ state: "taking", taken_at, ...came, ...(row.grant_sealed === null && { asked_at: taken_at }) })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .execute();
  return { ...row, ...came, taken_at };
}
async function nameOf(tx: Transaction, { service_provider_id, app_row }: Authorisation): Promise<{ id: string; name: string }> {
  return tx
    .selectFrom("wx_apps")
    .select(["id", "name"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", app_row!)
    .executeTakeFirstOrThrow();
}
/** Ends one's own turn. @returns false where somebody else has it by now */
async function end(
  tx: Transaction,
  services: Services,
  { service_provider_id, id, taken_at }: Authorisation,
  to: { state: "open" | "done" | "failed"; why: string; app_row?: string; asked_at?: string | null },
): Promise<boolean> {
  const ended =
    to.state === "open" ? {} : { code_sealed: null, grant_sealed: null, ended_at: new Date(services.clock.now_ms()).toISOString() };
  const done = await tx
    .updateTable("wx_authorisations")
    .set({ ...to, why: to.why.slice(0, 200), ...ended })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "taking")
    .where("taken_at", "=", taken_at)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}
async function fail(
  tx: Transaction,
  services: Services,
  given: Authorisation,
  { why, unknown = false }: Not,
  asked_at?: string | null,
): Promise<Taken> {
  const mine = await end(tx, services, given, { state: unknown ? "open" : "failed", why, ...(asked_at !== undefined && { asked_at }) });
  return mine ? { kind: unknown ? "unknown" : "failed", why } : BUSY;
}

const isAfter = (at: string | null | undefined, than: string): boolean => Date.parse(at ?? "") > Date.parse(than);
/** The account that it is, as it is called from now on. Only the person who came back turns one on. */
async function keep(
  tx: Transaction,
  services: Services,
  given: Authorisation,
  found: Grant & Facts,
): Promise<{ id: string; name: string } | Not> {
  const { service_provider_id, merchant_id } = given;
  const component = await tx
    .selectFrom("wx_components")
    .select("app_id")
    .where("service_provider_id", "=", service_provider_id)
    .forShare()
    .executeTakeFirst();
  if (component?.app_id !== found.component) return ANOTHER;
  const there = await tx
    .selectFrom("wx_apps")
    .select(["id", "merchant_id", "name", "kind", "auth_state", "auth_at", "secret_at"])
    .where("service_provider_id", "=", service_provider_id)
    .where("app_id", "=", found.appId)
    .forUpdate()
    .executeTakeFirst();
  if (there && there.merchant_id !== merchant_id) return { why: "这个公众号已由别的商户添加，请核对" };
  if (given.app_row !== null && there?.id !== given.app_row) return { why: "授权的不是这个公众号，请用它的管理员微信扫码" };
  const on = there?.auth_state === "on";
  // It may be taken long after the person came: what was done with the account meanwhile stays done.
  const since = given.came_at ?? found.at;
  if (!on && isAfter(there?.secret_at, since)) return { why: "公众号刚填了 AppSecret，要扫码授权请重新授权" };
  if (!on && (given.came_at === null || isAfter(there?.auth_at, since))) return { why: "公众号刚取消了授权，请重新授权" };
  const id = there ? await update(tx, services, given, found, there) : await insert(tx, services, given, found);
  if (typeof id !== "string") return id;
  // Tokens that are there already, or newer ones, stay.
  if (!on || (!found.kept && !isAfter(there?.auth_at, found.at))) await keepToken(tx, services, { service_provider_id, id }, found.minted);
  // Somebody else took the turn meanwhile; what they bring stays, and this is undone.
  if (!(await end(tx, services, given, { state: "done", why: "", app_row: id })))
    throw conflict("这次授权正由另一个请求处理，请稍后刷新", "wx-component.twice");
  return { id, name: there?.name ?? found.name };
}
/** What of an account its authorisation says. It began when WeChat says so: what WeChat tells of its end is compared with that. */
function authorisedBy(
  services: Services,
  { told_at }: Authorisation,
  { permissions, granted = permissions, original_id, at }: Grant & Facts,
) {
  const now = new Date(services.clock.now_ms()).toISOString();
  const auth_at = told_at !== null && Date.parse(told_at) < Date.parse(at) ? told_at : at;
  return {
    way: "component",
    auth_state: "on",
    auth_at,
    // As WeChat told it last.
    permissions: [...granted],
    original_id,
    verified_at: now,
    proved_at: now,
    facts_at: now,
    updated_at: now,
  };
}
async function update(
  tx: Transaction,
  services: Services,
  given: Authorisation,
  found: Grant & Facts,
  there: { readonly id: string; readonly kind: number },
): Promise<string> {
  const row = { service_provider_id: given.service_provider_id, id: there.id };
  // The stretch that its quota is counted by stays while a note is out.
  const kind = (await noteOut(tx, row)) ? there.kind : found.kind;
  await tx
    .updateTable("wx_apps")
    .set((of) => ({ ...authorisedBy(services, given, found), kind, revision: of("revision", "+", 1) }))
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .execute();
  return row.id;
}
async function insert(tx: Transaction, services: Services, given: Authorisation, found: Grant & Facts): Promise<string | Not> {
  const { service_provider_id, merchant_id, by_name } = given;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from wx_apps a where a.service_provider_id = ${service_provider_id}
    and a.merchant_id = ${merchant_id}`.execute(tx);
  if (rows[0]!.n >= MOST_APPS) return { why: `最多 ${MOST_APPS} 个公众号` };
  const now_ms = services.clock.now_ms();
  const row = { service_provider_id, id: services.ids.uuid(now_ms) };
  const added = await tx
    .insertInto("wx_apps")
    .values({
      ...row,
      merchant_id,
      app_id: found.appId,
      name: found.name,
      kind: found.kind,
      ...newKeys(services, row),
      ...authorisedBy(services, given, found),
      by_name,
      created_at: new Date(now_ms).toISOString(),
    } as never)
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n ? row.id : { why: "这个公众号刚被添加，请再试一次", unknown: true };
}
