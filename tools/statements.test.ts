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

/** By its name, by the fence, or by a condition that is made of the caller's scope, which the fence is a part of. */
const NAMED = /service_provider_id|\b(?:i|\w+I)nScope\b|\b(?:\w*[wW]here|inLibrary|seenBy)\((?:[\w.]+, )*(?:\w+\.)?scope\b/;
/** Conditions that a source builds for itself and that name the provider: what is put into a statement by their name is seen through. */
function namedParts(text: string): RegExp | undefined {
  const names = [...text.matchAll(/const (\w+) = (?:\([^()]*\)(?:: [\w<>]+)? => )?\s*sql(?:<[^`]*?>)?`/g)].flatMap((found) =>
    NAMED.test(templates(text.slice(found.index))[0] ?? "") ? [found[1]] : [],
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

// Sources with a statement that names no provider in its own text. Each list only gets shorter: lower its number with it.
const MOST = { writes: 9, reads: 31 };
// Writes: the platform's own rounds over everybody, by an index on the moment alone (what has ended, what is kept no longer).
const WRITES: readonly string[] = [
  "domains/devices/server/commands/tend-commands.ts",
  "domains/mall/server/receive-mall-order.ts",
  "domains/members/server/write/close-member.ts",
  "domains/orders/server/comments/answer-comment.ts",
  "domains/pay-codes/server/purge-tries.ts",
  "domains/pricing/server/parts/verify-parts.ts",
  "domains/reconciliation/server/bills/daily-bills.ts",
  "domains/vip/server/end-days.ts",
  "domains/wechat/server/calls/purge-calls.ts",
];
// Reads: a row found by an id of its own that is signed or held already, or the platform asks everybody.
const READS: readonly string[] = [
  "apps/server/verify-marketing.ts",
  "domains/accounts/server/staff/update-staff.ts",
  "domains/accounts/server/users/check-stores.ts",
  "domains/applyment/server/files/file-routes.ts",
  "domains/applyment/server/index.ts",
  "domains/commissions/server/payouts/read-withdrawals.ts",
  "domains/commissions/server/profit/profit-filter.ts",
  "domains/coupons/server/received/coupon-figures.ts",
  "domains/coupons/server/subsidies/statement-routes.ts",
  "domains/devices/server/commands/tend-commands.ts",
  "domains/devices/server/list/read-devices.ts",
  "domains/invoices/server/index.ts",
  "domains/member-cards/server/cards/pictures.ts",
  "domains/members/server/write/merge-members.ts",
  "domains/money/server/verify-ledger.ts",
  "domains/money/server/verify-shares.ts",
  "domains/orders/server/channel/channel-account.ts",
  "domains/orders/server/comments/write-comment.ts",
  "domains/orders/server/pay-orders/pay-order-filter.ts",
  "domains/orders/server/refunds/list/refund-filter.ts",
  "domains/organisation/server/merchants/list/summarise-merchants.ts",
  "domains/organisation/server/providers/brand/get-picture.ts",
  "domains/points/server/clears/clear-points.ts",
  "domains/products/server/goods/pictures.ts",
  "domains/reconciliation/server/days/match-voucher-day.ts",
  "domains/reconciliation/server/index.ts",
  "domains/reference/server/trades.ts",
  "domains/store-hardware/server/devices/find-hardware.ts",
  "domains/stored-value/server/verify-stored.ts",
  "domains/vip/server/verify-vip.ts",
  "domains/wechat/server/notes/pictures.ts",
];

test("a statement on a provider's rows names the provider, but where it is listed", () => {
  const owned = ownedTables();
  const found = SOURCES.map((file) => ({ file, all: statements(read(file), owned) }));
  // A look that finds nothing says nothing.
  expect(owned.size).toBeGreaterThan(100);
  expect(found.flatMap(({ all }) => all).length).toBeGreaterThan(800);
  const silent = (verb: Found["verb"]) =>
    found.filter(({ all }) => all.some((one) => one.verb === verb && !one.names)).map(({ file }) => file);
  expect([WRITES.length, READS.length]).toEqual([MOST.writes, MOST.reads]);
  expect(silent("write")).toEqual(WRITES);
  expect(silent("read")).toEqual(READS);
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
])("the look sees %s", (text, found) => expect(statements(text, ownedTables())).toEqual(found));

test("no statement leans on where a row lies", () => {
  expect(SOURCES.filter((file) => /\bctid\b/.test(read(file)))).toEqual([]);
});

// Behind row-level security no index takes a comparison with a function of another table's column that might tell what it sees, as `decode` might.
test("hashes are compared as bytes that came as bytes", () => {
  expect(SOURCES.filter((file) => /=\s*decode\([a-z_.]+,/.test(read(file)))).toEqual([]);
});
