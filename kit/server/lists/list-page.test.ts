import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { all, is } from "./conditions.ts";
import { withScope } from "../database/db.ts";
import { type Listed, listPage, oneRow } from "./list-page.ts";
import { parseScope, platformScope } from "../database/scope.ts";
import { testServices, type TestServices } from "../testing.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly openedAt: string;
  readonly provider: string;
}
const idOf = (n: number) => `0190b0a0-0000-7000-8000-${String(n).padStart(12, "0")}`;
const [A, B] = [idOf(101), idOf(102)];
const COUNT = 25;
let services: TestServices;
beforeAll(async () => {
  services = await testServices();
  await withScope(services.pool, platformScope("test"), async (tx) => {
    for (const id of [A, B])
      await tx
        .insertInto("service_providers")
        .values({ id, number: id, name: id, short_name: id.slice(-3) })
        .execute();
    for (let n = 1; n <= COUNT + 1; n++)
      await tx
        .insertInto("merchants")
        .values({
          id: idOf(n),
          // One of another tenant, at the same moment as others.
          service_provider_id: n > COUNT ? B : A,
          number: String(n),
          name: `商户${n}`,
          short_name: n % 2 ? "单" : "双",
          // Three at each moment: their ids decide.
          opened_at: new Date(Date.parse("2026-11-01T00:00:00.000Z") + Math.floor(n / 3) * 60_000).toISOString(),
        })
        .execute();
  });
});
afterAll(() => services.close());

interface Asking {
  readonly sort?: "-openedAt" | "openedAt";
  readonly name?: string;
  readonly late?: boolean;
  readonly most?: number;
}
const provider = sql`join service_providers p on p.id = m.service_provider_id`;
const listed = ({ name, late = false, most }: Asking): Listed => ({
  columns: sql`m.id, m.name, m.opened_at as "openedAt", p.short_name as provider`,
  from: late ? sql`merchants m` : sql`merchants m ${provider}`,
  ...(late && { names: provider }),
  counted: sql`merchants m`,
  where: all([is("m.short_name", name)]),
  order: "m.opened_at",
  ...(most !== undefined && { most }),
});
const scope = parseScope(`SP|${A}|||||||`);
/** A page as the provider A sees it, with the number of statements it took. */
const pageOf = (cursor: string | undefined, { sort = "-openedAt", ...asking }: Asking = {}, withTotal = false) =>
  withScope(services.pool, scope, (tx) => listPage<Row>(tx, { cursor, pageSize: 10, sort, withTotal }, listed(asking)));
async function everyPage(asking: Asking): Promise<Row[][]> {
  const pages: Row[][] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await pageOf(cursor, asking);
    pages.push(items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

test("the pages hold every row of the scope once and in order, also where many share a moment", async () => {
  const expected = Array.from({ length: COUNT }, (_none, n) => idOf(COUNT - n));
  for (const late of [false, true]) {
    const down = await everyPage({ late });
    expect(down.map((rows) => rows.length)).toEqual([10, 10, 5]);
    expect(down.flat().map(({ id }) => id)).toEqual(expected);
    expect(new Set(down.flat().map(({ provider }) => provider))).toEqual(new Set(["101"]));
    const up = await everyPage({ late, sort: "openedAt" });
    expect(up.flat().map(({ id }) => id)).toEqual(expected.toReversed());
  }
});
test("the filter narrows page and total alike; a total is there where it is asked for, up to where it is counted", async () => {
  const found = await pageOf(undefined, { name: "双" }, true);
  expect([found.items.length, found.total]).toEqual([10, { count: 12, more: false }]);
  expect((await pageOf(found.next!, { name: "双" }, true)).total).toEqual({ count: 12, more: false });
  expect(await pageOf(undefined, { name: "双" })).not.toHaveProperty("total");
  expect((await pageOf(undefined, { most: 20 }, true)).total).toEqual({ count: 20, more: true });
  expect((await pageOf(undefined, { most: COUNT }, true)).total).toEqual({ count: COUNT, more: false });
  expect((await pageOf(undefined, { most: Infinity }, true)).total).toEqual({ count: COUNT, more: false });
});
test("a page that is jumped to is the one that is walked to, and the next one follows it", async () => {
  const walked = await everyPage({ sort: "openedAt" });
  for (const late of [false, true]) {
    const third = await pageOf(".20", { sort: "openedAt", late });
    expect(third.items.map(({ id }) => id)).toEqual(walked[2]!.map(({ id }) => id));
    const second = await pageOf(".10", { sort: "openedAt", late });
    expect((await pageOf(second.next!, { sort: "openedAt", late })).items.map(({ id }) => id)).toEqual(walked[2]!.map(({ id }) => id));
  }
  expect((await pageOf(".9990")).items).toEqual([]);
  await expect(pageOf(".10001")).rejects.toThrow(/最多跳到第 10,000 条/);
});
test("one row is read as its list shows it; one that the list does not have is not there", async () => {
  for (const late of [false, true]) {
    const one = (n: number, name?: string) =>
      withScope(services.pool, scope, (tx) => oneRow<Row>(tx, "商户", idOf(n), listed({ late, ...(name && { name }) })));
    expect(await one(3)).toEqual((await everyPage({ late })).flat().find(({ id }) => id === idOf(3)));
    await expect(one(COUNT + 1)).rejects.toMatchObject({ status: 404 });
    await expect(one(3, "双")).rejects.toMatchObject({ status: 404 });
  }
});
test("a place that is none is refused at its field", async () => {
  await expect(pageOf("nowhere")).rejects.toThrow(/翻页位置无效/);
});
