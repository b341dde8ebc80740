import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { listenable } from "../contract/index.ts";
import { openPushWorld, type PushWorld } from "./testing/push-world.ts";

// Each event of platforms.md 7 at the step of its row that it tells of, and at no other. The rows have nothing but what the step needs: their tables lose
// the rules of their rooms here, in a database of this file's own.
let world: PushWorld;
beforeAll(async () => void (world = await openPushWorld()), 60_000);
afterAll(() => world.close());
beforeEach(() => world.clean());

type Row = Readonly<Record<string, string | number | boolean>>;
type Step = readonly [from: Row | undefined, to: Row];
interface Told {
  readonly type: string;
  readonly table: string;
  readonly steps: readonly Step[];
  /** What is told of by nobody, or by another event. */
  readonly silent: readonly Step[];
}
const status = (...codes: readonly (readonly [number, number])[]): readonly Step[] =>
  codes.map(([from, to]) => [{ status: from }, { status: to }] as const);
const of = (type: string, table: string, steps: readonly Step[], silent: readonly Step[]): Told => ({ type, table, steps, silent });
const share = (steps: readonly Step[], kind = "share"): readonly Step[] => steps.map(([from, to]) => [{ ...from, kind }, to] as const);
const at = "2026-11-26T04:00:00Z";

const TOLD: readonly Told[] = [
  of("order.paid", "pay_orders", [...status([0, 2], [1, 2]), [undefined, { status: 2 }]], [...status([3, 3]), [undefined, { status: 0 }]]),
  of("order.closed", "pay_orders", status([0, 1]), status([1, 1])),
  of("order.refunded", "pay_orders", status([2, 3]), status([3, 3])),
  of("refund.succeeded", "refunds", status([1, 2]), status([0, 1])),
  of("refund.failed", "refunds", status([1, 3]), status([0, 1])),
  of("mall_order.shipped", "mall_orders", status([1, 2]), status([0, 1], [2, 3])),
  of("share.done", "sharing_orders", share(status([1, 2])), share(status([1, 2]), "finish")),
  of("share.failed", "sharing_orders", share(status([1, 3])), share(status([1, 3]), "finish")),
  of("withdrawal.paid", "withdrawals", status([2, 3]), status([0, 2], [0, 1], [0, 5])),
  of("withdrawal.failed", "withdrawals", status([2, 4], [3, 6]), status([0, 1])),
  of("voucher.verified", "voucher_verifications", status([0, 1], [3, 1], [4, 1]), status([0, 2], [5, 1], [0, 4])),
  of("voucher.reversed", "voucher_verifications", status([5, 6]), status([1, 5])),
  of("takeaway.completed", "takeaway_orders", [...status([1, 2]), [undefined, { status: 2 }]], status([1, 3])),
  of("invoice.issued", "invoices", status([1, 2]), status([0, 1], [4, 2])),
  of("invoice.reversed", "invoices", status([4, 5]), status([2, 4], [4, 6])),
  of("invoice.failed", "invoices", status([1, 3]), status([3, 7])),
  of("product.changed", "products", [[undefined, { revision: 1, withdrawn: false }]], []),
  of("device.offline", "device_outages", [[undefined, { told_at: at, since: at }]], []),
  of("fan.subscribed", "wx_fans", [[{ following: false }, { following: true }]], [[{ following: true }, { following: false }]]),
  of("recon_day.closed", "recon_days", [[{ status: "matched" }, { status: "closed" }]], [[{ status: "open" }, { status: "matched" }]]),
  of("applyment.changed", "applyments", [[{ state: "AUDITING" }, { state: "REJECTED" }]], [[{ state: "CANCELED" }, { state: "CANCELED" }]]),
];

/** A table of which only the triggers that tell are left. */
const loosen = (table: string) =>
  world.owner(`do $$ declare one record; begin
    for one in select conname from pg_constraint where conrelid = '${table}'::regclass and contype in ('c', 'f') loop
      execute format('alter table ${table} drop constraint %I', one.conname); end loop;
    for one in select attname from pg_attribute a where attrelid = '${table}'::regclass and attnum > 0 and attnotnull and not attisdropped
      and not exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey)) loop
      execute format('alter table ${table} alter column %I drop not null', one.attname); end loop;
    for one in select tgname from pg_trigger where tgrelid = '${table}'::regclass and not tgisinternal and tgname not like 'push %' loop
      execute format('alter table ${table} disable trigger %I', one.tgname); end loop; end $$`);
/** Takes a new row of mch01 by a step. @returns its id */
async function take(table: string, [from, to]: Step): Promise<string> {
  const { serviceProviderId: service_provider_id, id: merchant_id } = world.tree.merchants.mch01;
  const id = randomUUID();
  const of_merchant: Row = table === "withdrawals" ? {} : { merchant_id };
  const key: Row = { service_provider_id, ...of_merchant, ...(table === "device_outages" ? { device_id: id } : { id }) };
  const row = { ...key, ...(from ?? to) };
  const names = Object.keys(row);
  await world.owner(
    `insert into ${table} (${names.join(", ")}) values (${names.map((_name, n) => `$${n + 1}`).join(", ")})`,
    Object.values(row),
  );
  if (from)
    await world.owner(
      `update ${table} set ${Object.keys(to)
        .map((name, n) => `${name} = $${n + 2}`)
        .join(", ")} where id = $1`,
      [id, ...Object.values(to)],
    );
  return id;
}
const events = () => world.owner<{ type: string; object_id: string; body: string }>("select type, object_id, body from push_events");

test.each(TOLD)("$type is told of its step in $table, once each, and of no other", async ({ type, table, steps, silent }) => {
  await loosen(table);
  await world.endpoint({ events: [type as never] });
  const taken: string[] = [];
  for (const step of steps) taken.push(await take(table, step));
  const found = await events();
  expect(found.map((one) => `${one.type} ${one.object_id}`).toSorted()).toEqual(taken.map((id) => `${type} ${id}`).toSorted());
  const { number } = (
    await world.owner<{ number: string }>("select number from merchants where id = $1", [world.tree.merchants.mch01.id])
  )[0]!;
  for (const { body, object_id } of found)
    expect(JSON.parse(body)).toMatchObject({
      type,
      data: { version: 1, id: object_id, ...(table !== "withdrawals" && { merchant_no: number }) },
    });
  for (const step of silent) await take(table, step);
  expect(await events()).toHaveLength(found.length);
});
test("a good that is edited, withdrawn or retired is told of, one whose revision stands is not", async () => {
  const id = await take("products", [undefined, { revision: 1, withdrawn: false }]);
  await world.endpoint({ events: ["product.changed"] });
  for (const change of ["revision = 2", "withdrawn = true", "retired_at = now()", "revision = revision"])
    await world.owner(`update products set ${change} where id = $1`, [id]);
  expect((await events()).map(({ type }) => type)).toEqual(["product.changed", "product.changed", "product.changed"]);
});
test("a merchant and a store are told of when they change; with these every event that an address may listen to is held", async () => {
  const { id, stores } = world.tree.merchants.mch01;
  await world.endpoint({ events: ["merchant.changed", "store.changed"] });
  await world.owner("update merchants set version = version + 1 where id = $1", [id]);
  await world.owner("update stores set version = version + 1 where id = $1", [stores[0]!.id]);
  await world.owner("update stores set number = number where id = $1", [stores[0]!.id]);
  expect((await events()).map(({ type, object_id }) => `${type} ${object_id}`).toSorted()).toEqual([
    `merchant.changed ${id}`,
    `store.changed ${stores[0]!.id}`,
  ]);
  expect([...TOLD.map(({ type }) => type), "merchant.changed", "store.changed"].toSorted()).toEqual([...listenable].toSorted());
});
