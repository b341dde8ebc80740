import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { type BankEntry, type BankList, type ChannelAccount, applymentChannelOf } from "../../../channels/server/index.ts";
import { placeOfCode } from "../../../reference/server/index.ts";
import { findBanks, findBranches } from "../../contract/index.ts";
import { accountOf } from "../account/account-of.ts";

/** So long a list is good (platforms.md 5); one that is older still serves where WeChat Pay does not answer. */
const LIFE_MS = 30 * 86_400_000;
/** An empty one may be a mistake of the moment, and everybody would have it. */
const EMPTY_MS = 10 * 60_000;
/** So long one that did not come is not asked for again: whoever wants it types, and does not wait. */
const DOWN_MS = 60_000;
const SHOWN = 20;
/** So long somebody waits for a list that is on its way; a long one may take WeChat Pay half a minute. */
const PATIENCE_MS = 2_000;
const DOWN = "微信支付的银行名录暂时查不到，请手填";
const NONE = "微信支付的名录里一家也没有，请手填";

/** It is on its way. */
const FETCHING = Symbol("fetching");
/** What may be picked, or why nothing may yet, or at all. */
type Found = readonly BankEntry[] | string | typeof FETCHING;
const keyOf = (list: BankList): string => Object.values(list).join(":");

/** Who looks into the lists, and with whose keys they are asked for. */
export interface Asker extends Pick<Ctx, "services" | "now" | "now_ms"> {
  readonly provider: string | undefined;
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** Until when they wait for what is on its way, however many lists that is. */
  readonly patience: Promise<typeof FETCHING>;
}
export const patienceOf = (): Asker["patience"] => setTimeout(PATIENCE_MS, FETCHING, { ref: false });
const askerOf = (ctx: Ctx): Asker => ({
  services: ctx.services,
  now: ctx.now,
  now_ms: ctx.now_ms,
  provider: ctx.scope.provider,
  run: (work) => ctx.transaction(work),
  patience: patienceOf(),
});
/** A list as it is kept, or asked anew where it is too old; what takes long is fetched on for whoever asks again. */
async function listOf(asker: Asker, list: BankList): Promise<Found> {
  const { services, now_ms, provider } = asker;
  const key = keyOf(list);
  const { kept, account } = await asker.run(async (tx) => {
    const { rows } = await sql<{ entries: readonly BankEntry[]; fetched_at: string }>`
      select b.entries, b.fetched_at from bank_lists b where b.key = ${key}`.execute(tx);
    const [kept] = rows;
    if (kept && Date.parse(kept.fetched_at) > now_ms - LIFE_MS) return { kept: kept.entries, account: undefined };
    // An agent or a team asks with keys that it may not see.
    const account = provider === undefined ? undefined : await asPlatform(tx, () => accountOf(tx, services, provider));
    return account ? { kept: kept?.entries, account } : { kept: kept?.entries ?? "还没有设置进件账户，开户支行请手填", account };
  });
  if (!account) return kept ?? DOWN;
  const entries = await Promise.race([askOnce(services, `${provider} ${key}`, () => ask(asker, account, list)), asker.patience]);
  if (entries === FETCHING) return kept ?? FETCHING;
  if (!entries) return kept ?? DOWN;
  return entries.length > 0 ? entries : (kept ?? entries);
}
/** Undefined: WeChat Pay did not give it. */
type Given = readonly BankEntry[] | undefined;
/** What is being asked, and until when what did not come is not asked for again. */
const asking = new WeakMap<Ctx["services"], { readonly running: Map<string, Promise<Given>>; readonly down: Map<string, number> }>();
/** One call for all who want the same meanwhile, and none for a while after one that brought nothing. @param key whose keys, and which list */
async function askOnce(services: Ctx["services"], key: string, call: () => Promise<Given>): Promise<Given> {
  const { running, down } = asking.get(services) ?? { running: new Map<string, Promise<Given>>(), down: new Map<string, number>() };
  asking.set(services, { running, down });
  const now_ms = services.clock.now_ms();
  for (const [one, until_ms] of down) if (until_ms <= now_ms) down.delete(one);
  if (down.has(key)) return undefined;
  const answer =
    running.get(key) ??
    call()
      .then((given) => {
        if (!given) down.set(key, services.clock.now_ms() + DOWN_MS);
        return given;
      })
      .finally(() => running.delete(key));
  running.set(key, answer);
  // Whoever still waits hears of a fault; where nobody does, it is over.
  answer.catch(() => undefined);
  return answer;
}
/** Asks WeChat Pay, and keeps what came. */
async function ask({ services, now, now_ms }: Asker, account: ChannelAccount, list: BankList): Promise<Given> {
  const key = keyOf(list);
  const outcome = await applymentChannelOf(services).bankList(account, list);
  services.metrics.channelCalls.inc({ operation: "bank-list", outcome: outcome.kind });
  if (outcome.kind === "unknown" || (outcome.kind === "refused" && outcome.code !== "NOT_FOUND")) return undefined;
  const entries = outcome.kind === "ok" ? outcome.value : [];
  // One that is there is never written over by nothing.
  const fetched_at = entries.length > 0 ? now : new Date(now_ms - LIFE_MS + EMPTY_MS).toISOString();
  await withScope(services.pool, platformScope("keep a list of banks"), (tx) =>
    sql`insert into bank_lists as b (key, entries, fetched_at) values (${key}, ${JSON.stringify(entries)}::jsonb, ${fetched_at})
      on conflict (key) do update set entries = case excluded.entries when '[]' then b.entries else excluded.entries end, fetched_at = excluded.fetched_at
      where b.fetched_at < excluded.fetched_at`.execute(tx),
  );
  return entries;
}
const nothing = (why: string, fetching = false) => ({ why, items: [], more: 0, fetching });
function picksOf(found: Found, q: string) {
  if (found === FETCHING) return nothing("", true);
  if (typeof found === "string") return nothing(found);
  if (found.length === 0) return nothing(NONE);
  const words = q.split(/\s+/).filter((word) => word !== "");
  const fit = found.filter(({ name }) => words.every((word) => name.includes(word)));
  return {
    why: "",
    items: fit.slice(0, SHOWN).map(({ code, name }) => ({ code, name })),
    more: Math.max(0, fit.length - SHOWN),
    fetching: false,
  };
}

export async function banksFor(asker: Asker, { kind, q }: { kind: "personal" | "corporate"; q: string }) {
  const found = await listOf(asker, { kind: "banks", of: kind });
  return picksOf(Array.isArray(found) ? (found as readonly BankEntry[]).filter(({ needsBranch }) => needsBranch) : found, q);
}
/** WeChat Pay has numbers of its own for provinces and cities, found by their names. */
export async function branchesFor(asker: Asker, { bank, area, q }: { bank: string; area: string; q: string }) {
  const { place, known } = await asker.run(async (tx) => ({ place: await placeOfCode(tx, area), known: await isBank(tx, bank) }));
  if (!place) return nothing("请先选开户银行省市");
  if (!known) return nothing("名录里没有这家银行，请重新选或手填");
  const province = one(await listOf(asker, { kind: "provinces" }), place.province);
  if (typeof province !== "object") return picksOf(province, q);
  const city = one(await listOf(asker, { kind: "cities", province: province.code }), place.city);
  if (typeof city !== "object") return picksOf(city, q);
  return picksOf(await listOf(asker, { kind: "branches", bank, city: city.code }), q);
}
/** 查找开户银行. */
export const findBanksRoute = implement(findBanks, (ctx, given) => banksFor(askerOf(ctx), given));
/** 查找开户支行. */
export const findBranchesRoute = implement(findBranches, (ctx, given) => branchesFor(askerOf(ctx), given));
/** Only what was picked is asked about and kept: a list of every number that somebody makes up would be a row for everybody. */
async function isBank(tx: Transaction, code: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from bank_lists b where b.key in (${keyOf({ kind: "banks", of: "personal" })}, ${keyOf({ kind: "banks", of: "corporate" })})
    and b.entries @> ${JSON.stringify([{ code }])}::jsonb`.execute(tx);
  return rows.length > 0;
}
const one = (found: Found, short: string): BankEntry | string | typeof FETCHING =>
  typeof found !== "object" ? found : (found.find(({ name }) => name.startsWith(short)) ?? "微信支付的名录里没有这个城市，请手填");
