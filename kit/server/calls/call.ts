import type { z } from "zod";
import type { Endpoint, ItemPath, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { readOpening, type Together } from "../database/openings.ts";
import { endingWith, runTransaction, withScope, type Transaction, type TransactionOptions } from "../database/db.ts";
import { checkInput } from "./edge.ts";
import { actingReadOnly, forbidden, Refusal, unauthorized } from "./errors.ts";
import { once } from "./idempotency.ts";
import { auditRow, writeAudit } from "./audit.ts";
import type { AuditNote } from "./ctx.ts";
import { parseScope, platformScope } from "../database/scope.ts";
import type { Services } from "../services.ts";
import { oneAtATime } from "../database/turns.ts";
import type { Incoming, Principal, Ctx } from "./ctx.ts";

export type { Incoming, Principal, Ctx } from "./ctx.ts";

/** How callers become known; given by the domains at start. */
export interface Doors {
  /** The select that opens a session for a token and sets its scope, and the reading of its row. */
  readonly sessionSql: (token: string, now_ms: number) => string | undefined;
  readonly readSession: (row: Readonly<Record<string, unknown>>, services: Services) => Principal;
  /** For a service with standbys: the select of the transaction that wrote last in a session's name (`wrote`), and what leaves it there. */
  readonly sessionWrites?: { readonly read: (token: string) => string; readonly leave: (token: string) => string };
  /** Checks a device's signature. @throws Refusal */
  readonly device: (services: Services, incoming: Incoming) => Promise<Principal>;
  /** The select that opens the session of a member's cookie and sets its scope, and the reading of its row. */
  readonly member?: {
    readonly sessionSql: (services: Services, incoming: Incoming) => string | undefined;
    /** The same as one statement for several at once, for calls that do nothing in the session's own transaction. */
    readonly together?: (services: Services, incoming: Incoming) => Together | undefined;
    readonly readSession: (row: Readonly<Record<string, unknown>>) => Principal;
  };
}
/** Who makes something: a call's context, or a job at work for somebody who is not there. */
export type Author = Pick<Ctx, "services" | "principal" | "scope" | "now_ms" | "now" | "audit">;
/**
 * The author of what a job does for a person, as they are now; its audit rows are written under `endpoint`, from where
 * the person asked for it.
 */
export function authorOf(services: Services, principal: Principal, endpoint: Endpoint, asked: { ip: string; traceId: string }): Author {
  const now_ms = services.clock.now_ms();
  const author = { services, principal, scope: principal.scope, now_ms, now: new Date(now_ms).toISOString(), incoming: asked };
  return { ...author, audit: (tx, note) => writeAudit(tx, author, endpoint, note) };
}
export type Handler<E extends Endpoint> = (ctx: Ctx, input: ParsedOf<E>) => Promise<z.input<E["output"]>>;
export interface Route {
  readonly endpoint: Endpoint;
  readonly handler: (ctx: Ctx, input: never) => Promise<unknown>;
}
/** Binds a handler to its endpoint; a domain's door lists what this returns. */
export function implement<E extends Endpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler: handler as Route["handler"] };
}

/**
 * The only way to a handler: who calls, may they, is the input right, one transaction in their scope with the audit row
 * in it, and an answer that holds just what the contract declares.
 * @returns the answer without its envelope
 */
export async function call(services: Services, doors: Doors, route: Route, incoming: Incoming): Promise<unknown> {
  const about =
    route.endpoint.oneAtATime === undefined ? undefined : (incoming.body as Record<string, unknown> | null)?.[route.endpoint.oneAtATime];
  if (typeof about !== "string" || about.length > MOST_OF_A_NAME) return callNow(services, doors, route, incoming);
  return oneAtATime(`${incoming.headers["x-device-sn"] ?? ""}:${about}`, LINE_MS, () => callNow(services, doors, route, incoming));
}
/** How long a call waits for those before it; below the client's 50 s with the call itself. */
const LINE_MS = 30_000;
const MOST_OF_A_NAME = 64;
async function callNow(services: Services, doors: Doors, route: Route, incoming: Incoming): Promise<unknown> {
  const kept: Kept = [];
  try {
    return await callOnce(services, doors, route, incoming, kept);
  } catch (error) {
    for (const keep of kept)
      await keep().catch((failure: unknown) => services.log.error({ err: failure }, "what a refused call leaves behind was not kept"));
    throw error;
  }
}
type Kept = (() => Promise<unknown>)[];
async function callOnce(services: Services, doors: Doors, { endpoint, handler }: Route, incoming: Incoming, kept: Kept): Promise<unknown> {
  const now_ms = services.clock.now_ms();
  const run = async (principal: Principal, tx: Transaction | undefined): Promise<unknown> => {
    const input = parseInput(endpoint, incoming);
    const ctx = makeCtx(services, principal, endpoint, incoming, now_ms, tx, kept);
    const answer = async () => {
      const given = endpoint.output.parse(await handler(ctx, input as never));
      if (tx && endpoint.kind === "write" && !endpoint.silent) await writeAudit(tx, ctx, endpoint, ctx.noted());
      return given;
    };
    // A legacy client that sends none is not heard twice of the same.
    const key = endpoint.idempotent === undefined ? undefined : (input as Record<string, unknown>)[endpoint.idempotent];
    if (key === undefined || !tx) return answer();
    return once(
      tx,
      { actor: `${principal.kind}:${principal.id}`, key: key as string, endpoint: endpoint.path, input, now: ctx.now },
      answer,
    );
  };
  if (endpoint.access === "public" || endpoint.access === "channel") return run(NOBODY, undefined);
  if (endpoint.access === "device") {
    const device = await doors.device(services, incoming);
    return endpoint.outside ? run(device, undefined) : withScope(services.pool, device.scope, (tx) => run(device, tx), options(endpoint));
  }
  if (endpoint.access === "member") return asMember(services, doors, endpoint, incoming, run);
  return asPerson(services, doors, endpoint, bearerOf(incoming), now_ms, run);
}
type Run = (principal: Principal, tx: Transaction | undefined) => Promise<unknown>;
async function asPerson(services: Services, doors: Doors, endpoint: Endpoint, token: string, now_ms: number, run: Run): Promise<unknown> {
  const opening = doors.sessionSql(token, now_ms);
  if (opening === undefined) throw unauthorized();
  const admit = (row: Readonly<Record<string, unknown>> | undefined): Principal => {
    if (!row) throw unauthorized();
    const principal = doors.readSession(row, services);
    if (endpoint.access !== "signed-in" && !principal.holds([endpoint.access].flat() as ItemPath[])) throw forbidden();
    if (endpoint.closedToActing && principal.actorId) throw new Refusal(403, "acting", "代管登录时不能执行此操作");
    // What needs no item is the session's own: leaving, column choices, files of what is seen anyway.
    if (principal.readOnly && endpoint.kind === "write" && endpoint.access !== "signed-in") throw actingReadOnly();
    return principal;
  };
  const here = async () => {
    if (!endpoint.outside) return runTransaction(services.pool, opening, (tx, row) => run(admit(row), tx), options(endpoint));
    return run(admit(await readOpening(services.pool, opening)), undefined);
  };
  const { standbys } = services;
  const writes = doors.sessionWrites;
  if (!standbys || !writes) return here();
  if (endpoint.kind === "write") return endingWith(writes.leave(token), here);
  if (!endpoint.bearsDelay) return here();
  // The session is asked of the primary, where one that was ended holds no longer; both go in one trip.
  const [written, row] = await Promise.all([readOpening(services.pool, writes.read(token)), readOpening(services.pool, opening)]);
  const principal = admit(row);
  const wrote = (written?.["wrote"] as string | null | undefined) ?? null;
  const read = (tx: Transaction) => run(principal, tx);
  const found = await standbys.read({ who: token, scope: principal.scope, wrote }, read, options(endpoint));
  return found ? found.answer : withScope(services.pool, principal.scope, read, options(endpoint));
}
/** A member's cookie is sent by itself, so a write has to come from the page's own site. */
async function asMember(services: Services, { member }: Doors, endpoint: Endpoint, incoming: Incoming, run: Run): Promise<unknown> {
  const site = incoming.headers["sec-fetch-site"];
  if (endpoint.kind === "write" && site !== undefined && site !== "same-origin" && site !== "none")
    throw new Refusal(403, "cross-site", "不接受跨站请求");
  const opening = member?.sessionSql(services, incoming);
  if (!member || opening === undefined) throw unauthorized();
  const admit = (row: Readonly<Record<string, unknown>> | undefined): Principal => {
    if (!row) throw unauthorized();
    return member.readSession(row);
  };
  if (!endpoint.outside) return runTransaction(services.pool, opening, (tx, row) => run(admit(row), tx), options(endpoint));
  return run(admit(await readOpening(services.pool, opening, member.together?.(services, incoming))), undefined);
}
const options = ({ kind, deadline_ms, input }: Endpoint): TransactionOptions => ({
  readOnly: kind === "read",
  deadline_ms,
  planOnce: kind === "read" && "shape" in input && "cursor" in (input.shape as object),
});
const NOBODY: Principal = { kind: "nobody", id: "", name: "", scope: parseScope("AE||||||||"), holds: () => false };

function bearerOf(incoming: Incoming): string {
  const match = /^Bearer ([\w.~+/=-]{20,512})$/.exec(incoming.headers["authorization"] ?? "");
  if (!match?.[1]) throw unauthorized();
  return match[1];
}
/** Fields of one answer that says no: nobody reads more, and a sheet of a hundred thousand lines may have as many. */
const MOST_TOLD = 100;
function parseInput(endpoint: Endpoint, incoming: Incoming): unknown {
  const { _t: _ignored, ...query } = incoming.query;
  const body = incoming.body === undefined || incoming.body === null ? {} : incoming.body;
  if (endpoint.source !== "query" && (typeof body !== "object" || Array.isArray(body)))
    throw new Refusal(400, "invalid", "请求内容须为 JSON 对象");
  const merged =
    endpoint.source === "query"
      ? { ...query, ...incoming.params }
      : endpoint.source === "body"
        ? { ...body, ...incoming.params }
        : { ...query, ...body, ...incoming.params };
  const parsed = endpoint.input.safeParse(checkInput(merged, endpoint.most_keys), { error: issueWords });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues.slice(0, MOST_TOLD)) fields[issue.path.join(".") || "input"] ??= issue.message;
  throw new Refusal(400, "invalid", Object.values(fields)[0] ?? "输入有误", fields);
}
type FullCtx = Ctx & { noted(): AuditNote };
function makeCtx(
  services: Services,
  principal: Principal,
  endpoint: Endpoint,
  incoming: Incoming,
  now_ms: number,
  tx: Transaction | undefined,
  kept: Kept,
): FullCtx {
  let noted: AuditNote = {};
  const ctx: FullCtx = {
    services,
    principal,
    scope: principal.scope,
    incoming,
    now_ms,
    now: new Date(now_ms).toISOString(),
    get tx() {
      if (!tx) throw new Error(`${endpoint.path} has no transaction around it`);
      return tx;
    },
    transaction: (fn, given) => withScope(services.pool, principal.scope, fn, given ?? {}),
    platform: (purpose, fn) => withScope(services.pool, platformScope(purpose), fn),
    afterRefusal: (keep) => void kept.push(keep),
    note: (note) => void (noted = { ...noted, ...note }),
    audit: (own, note) => writeAudit(own, ctx, endpoint, note),
    auditRow: (note) => auditRow(ctx, endpoint, note),
    noted: () => noted,
  };
  return ctx;
}
