import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TABLE_KINDS } from "@zhangfang/server/database/table-kinds.ts";

const ROOT = join(import.meta.dirname, "..");
/** A source without its doc comments: their examples are no statements. */
const read = (file: string) => readFileSync(join(ROOT, file), "utf8").replaceAll(/\/\*\*[\s\S]*?\*\//g, "");
const SOURCES = globSync("{domains,kit,apps/server}/**/*.ts", { cwd: ROOT })
  .filter((file) => !/node_modules|test|types\.gen/.test(file))
  .toSorted();

/** Tables whose rows are a provider's, from the generated types; of the tenant itself its id is the provider. */
function ownedTables(): Set<string> {
  const types = read("kit/server/database/types.gen.ts");
  const rows = new Map([...types.matchAll(/export interface (\w+) \{([\s\S]*?)\n\}/g)].map((found) => [found[1], found[2] ?? ""]));
  const tables = [...(rows.get("DB") ?? "").matchAll(/^ {2}(\w+): (\w+);/gm)];
  const owned = tables.filter(
    ([, table = "", row]) => !TABLE_KINDS[table] && /service_provider_id: (Generated<)?string>?;/.test(rows.get(row) ?? ""),
  );
  return new Set(owned.map(([, table = ""]) => table).filter((table) => table !== "service_providers"));
}

/** The statements of a source that begin with `sql`, each with what is put into it. */
function templates(text: string): string[] {
  return [...text.matchAll(/sql(?:<[^`]*?>)?`/g)].map((begin) => {
    let depth = 0;
    let at = begin.index + begin[0].length;
    for (; at < text.length; at++) {
      const two = text.slice(at, at + 2);
      if (two[0] === "\\") at++;
      else if (two === "${" || (depth > 0 && two[0] === "{" && text[at - 1] !== "$")) depth++;
      else if (depth > 0 && two[0] === "}") depth--;
      else if (depth === 0 && two[0] === "`") break;
    }
    return text.slice(begin.index, at);
  });
}

const FENCE = /\b(?:i|\w+I)nScope\b|\b(?:\w*[wW]here|inLibrary|seenBy)\((?:[\w.]+, )*(?:\w+\.)?scope\b/;
/** By its name, by the fence, or by a condition that is made of the caller's scope, which the fence is a part of. */
const NAMED = new RegExp(`service_provider_id|${FENCE.source}`);
/** Conditions that a source builds for itself and that name the provider: what is put into a statement by their name is seen through. */
function namedParts(text: string): RegExp | undefined {
  // What is awaited is an answer and no condition.
  const names = [...text.matchAll(/const (\w+) = (?=([^;]*))/g)].flatMap(([, name, made = ""]) =>
    !/\bawait\b/.test(made) && (FENCE.test(made) || templates(made).some((one) => NAMED.test(one))) ? [name] : [],
  );
  return names.length === 0 ? undefined : new RegExp(`\\$\\{(?:${names.join("|")})\\b`);
}
interface Found {
  readonly verb: "read" | "write";
  readonly table: string;
  readonly names: boolean;
}
function statements(text: string, owned: ReadonlySet<string>): Found[] {
  const parts = namedParts(text);
  const built = [...text.matchAll(/\.(updateTable|deleteFrom|selectFrom)\("(\w+)(?: as \w+)?"\)/g)].map((found) => {
    const end = text.indexOf(".execute", found.index);
    const whole = text.slice(found.index, end < 0 ? undefined : end);
    return { verb: found[1] === "selectFrom" ? ("read" as const) : ("write" as const), table: found[2] ?? "", names: NAMED.test(whole) };
  });
  const written = templates(text).flatMap((whole) =>
    [...whole.matchAll(/\b(delete from|from|join|update) (\w+)\b/g)].map((found) => ({
      verb: /from|join/.test(found[1] ?? "") && found[1] !== "delete from" ? ("read" as const) : ("write" as const),
      table: found[2] ?? "",
      names: NAMED.test(whole) || parts?.test(whole) === true,
    })),
  );
  return [...built, ...written].filter(({ table }) => owned.has(table));
}

// Sources with a statement that names no provider in its own text, and why it names none. Each list only gets shorter: lower its number with it.
const MOST = { writes: 9, reads: 17 };
const AGED = "a round over every provider, by an index on the moment alone: what is kept no longer";
const ENDED = "a round over every provider, by an index on the moment alone: what has ended";
const WRITES: Readonly<Record<string, string>> = {
  "domains/devices/server/commands/tend-commands.ts": `${AGED}, and commands that nobody took in time`,
  "domains/mall/server/receive-mall-order.ts": ENDED,
  "domains/members/server/write/close-member.ts": AGED,
  "domains/orders/server/comments/answer-comment.ts": AGED,
  "domains/pay-codes/server/purge-tries.ts": AGED,
  "domains/pricing/server/parts/verify-parts.ts": AGED,
  "domains/reconciliation/server/bills/daily-bills.ts": ENDED,
  "domains/vip/server/end-days.ts": ENDED,
  "domains/wechat/server/calls/purge-calls.ts": AGED,
};
const ADDRESS = "asked by an address that holds an id and nothing else: the row tells whose it is, by an index on the id";
const LAW = "a law that is asked of every row there is, in the scope of whoever asks: naming a provider narrows nothing";
const ROUND = "a round over every provider: the row tells whose it is";
const READS: Readonly<Record<string, string>> = {
  "apps/server/verify-marketing.ts": LAW,
  "domains/applyment/server/files/file-routes.ts": `${ADDRESS}; signed, for a minute`,
  "domains/devices/server/commands/tend-commands.ts": ROUND,
  "domains/level-config/server/config-pictures.ts": "a picture of a configuration is nobody's: any provider's history may hold it",
  "domains/member-cards/server/cards/pictures.ts": ADDRESS,
  "domains/money/server/verify-ledger.ts": LAW,
  "domains/money/server/verify-shares.ts": LAW,
  "domains/orders/server/channel/channel-account.ts": `${ADDRESS}; the channel calls it`,
  "domains/orders/server/comments/write-comment.ts": `${ADDRESS}; signed`,
  "domains/orders/server/pay-orders/pay-order-filter.ts":
    "by the last digits alone, within a statement that is fenced: with more beside them the index on them is lost",
  "domains/organisation/server/providers/brand/get-picture.ts": ADDRESS,
  "domains/products/server/goods/pictures.ts": ADDRESS,
  "domains/reference/server/trades.ts": "the platform's list of trades counts merchants of every provider",
  "domains/store-hardware/server/devices/find-hardware.ts": "one device stands in one store of all providers, by a unique index of its own",
  "domains/stored-value/server/verify-stored.ts": LAW,
  "domains/vip/server/verify-vip.ts": LAW,
  "domains/wechat/server/notes/pictures.ts": ADDRESS,
};

test("a statement on a provider's rows names the provider, but where it is listed", () => {
  const owned = ownedTables();
  const found = SOURCES.map((file) => ({ file, all: statements(read(file), owned) }));
  // A look that finds nothing says nothing.
  expect(owned.size).toBeGreaterThan(100);
  expect(found.flatMap(({ all }) => all).length).toBeGreaterThan(800);
  const silent = (verb: Found["verb"]) =>
    found.filter(({ all }) => all.some((one) => one.verb === verb && !one.names)).map(({ file }) => file);
  expect([Object.keys(WRITES).length, Object.keys(READS).length]).toEqual([MOST.writes, MOST.reads]);
  expect(silent("write")).toEqual(Object.keys(WRITES));
  expect(silent("read")).toEqual(Object.keys(READS));
});

test.each([
  ['tx.updateTable("refunds").set({ status: 2 }).where("id", "=", id).execute()', [{ verb: "write", table: "refunds", names: false }]],
  ["sql`delete from refunds where id = ${id}`", [{ verb: "write", table: "refunds", names: false }]],
  ["sql`select 1 from refunds r where ${inScope(ctx.scope, `r`)}`", [{ verb: "read", table: "refunds", names: true }]],
  ["sql`select 1 from sessions where id = ${id}`", []],
  [
    "const mine = sql`r.service_provider_id = ${provider}`;\nsql`delete from refunds r where ${mine}`",
    [{ verb: "write", table: "refunds", names: true }],
  ],
  ["const mine = sql`r.id = ${id}`;\nsql`delete from refunds r where ${mine}`", [{ verb: "write", table: "refunds", names: false }]],
  [
    "const mine = (as: string) =>\n  all([inScope(scope, as)]);\nsql`select 1 from refunds r where ${mine('r')}`",
    [{ verb: "read", table: "refunds", names: true }],
  ],
  [
    "const id = await sql`select 1 where ${inScope(scope, 'r')}`;\nsql`select 1 from refunds r where r.id = ${id}`",
    [{ verb: "read", table: "refunds", names: false }],
  ],
])("the look sees %s", (text, found) => expect(statements(text, ownedTables())).toEqual(found));

test("no statement leans on where a row lies", () => {
  expect(SOURCES.filter((file) => /\bctid\b/.test(read(file)))).toEqual([]);
});

// Behind row-level security no index takes a comparison with a function of another table's column that might tell what it sees, as `decode` might.
test("hashes are compared as bytes that came as bytes", () => {
  expect(SOURCES.filter((file) => /=\s*decode\([a-z_.]+,/.test(read(file)))).toEqual([]);
});
