import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { members } from "../../members/server/index.ts";
import { verifyValue } from "../../value-book/server/index.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { checkLines, getImport, listImportRows, runImport, startImport } from "../contract.ts";
import { importsOver } from "./index.ts";

/** A sheet of 1,000 each time, of the most that a sheet may have in `npm run proofs`; the sums of each by hand. */
const [LINES, BAD, POINTS, GIFT, WAITING] =
  process.env["IMPORT_MEMBERS"] === "all" ? [5_000, 50, 200_040, 1_500_000, 500] : [1_000, 10, 39_960, 300_000, 100];
const AT_ONCE = 200;
type Cells = Record<string, string>;

let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld(importsOver(members.imports).routes);
  token = await world.signIn("mch01");
});
afterAll(() => world.close());

/** Each third brings points, each fifth a gift, each tenth principal that waits. */
const right = (line: number, storeNumber: string): Cells => ({
  phone: `139${String(20_000_000 + line)}`,
  name: "文新",
  storeNumber,
  ...(line % 3 === 0 && { points: "120" }),
  ...(line % 5 === 0 && line % 10 !== 0 && { gift: "30.00" }),
  ...(line % 10 === 0 && { principal: "200.00" }),
});
/** One line in a hundred is wrong, in one of five ways. */
const isBad = (line: number): boolean => line % 100 === 57;
const WRONG: readonly (readonly [column: string, spoil: (cells: Cells) => Cells])[] = [
  ["phone", (cells) => ({ ...cells, phone: "1390000" })],
  ["storeNumber", (cells) => ({ ...cells, storeNumber: "6000000000" })],
  ["birthday", (cells) => ({ ...cells, birthday: "2990-01-01" })],
  ["points", (cells) => ({ ...cells, points: "一百" })],
  ["principal", (cells) => ({ ...cells, principal: "5000.00", gift: "0.01" })],
];
const wrongOf = (line: number) => WRONG[Math.floor(line / 100) % WRONG.length]!;

test("of a sheet of members the right ones come, one in a hundred says why not and comes once it is repaired where it stands", async () => {
  const [store] = await world.truth<{ number: string }>("select number from stores where id = $1", [
    world.tree.merchants.mch01.stores[0]!.id,
  ]);
  const lines = Array.from({ length: LINES }, (_none, at) => at + 2);
  const { id } = await world.call(startImport, token, { requestId: randomUUID(), source: "members", fileName: "会员.xlsx" });
  const send = async (some: readonly number[], cellsOf: (line: number) => Cells) => {
    for (let at = 0; at < some.length; at += AT_ONCE)
      await world.call(checkLines, token, {
        id,
        lines: some.slice(at, at + AT_ONCE).map((line) => ({ line, cells: JSON.stringify(cellsOf(line)) })),
      });
  };
  const counts = async () => (await world.call(getImport, token, { id })).counts;
  const run = async () => {
    await world.call(runImport, token, { id });
    await world.services.runJobs();
    return counts();
  };
  const many = async () =>
    (await world.truth<{ n: number }>("select count(*)::int as n from members where source = 3 and name_sealed is not null", []))[0]!.n;

  await send(lines, (line) => (isBad(line) ? wrongOf(line)[1](right(line, store!.number)) : right(line, store!.number)));
  expect(await counts()).toEqual({ bad: BAD, ready: LINES - BAD, made: 0, there: 0, total: LINES });
  const { items } = await world.call(listImportRows, token, { importId: id, status: 0, pageSize: 100 });
  expect(items.map(({ line, errors }) => [line, Object.keys(errors)])).toEqual(
    lines.filter(isBad).map((line) => [line, [wrongOf(line)[0]]]),
  );
  expect(await many()).toBe(0);

  expect(await run()).toEqual({ bad: BAD, ready: 0, made: LINES - BAD, there: 0, total: LINES });
  expect(await many()).toBe(LINES - BAD);
  await send(lines.filter(isBad), (line) => right(line, store!.number));
  expect(await run()).toEqual({ bad: 0, ready: 0, made: LINES, there: 0, total: LINES });
  expect(await many()).toBe(LINES);

  // A third has 120 points, each tenth a gift of 30.00, each tenth a principal of 200.00 that waits for another person.
  const held = await world.truth(
    "select kind, sum(balance)::int as all from value_accounts where kind in ('points', 'gift', 'principal') group by 1 order by 1",
    [],
  );
  expect(held).toEqual([
    { kind: "gift", all: GIFT },
    { kind: "points", all: POINTS },
  ]);
  expect(
    await world.truth("select count(*)::int as n, sum(principal_cents)::int as cents from member_openings where status = 0", []),
  ).toEqual([{ n: WAITING, cents: WAITING * 20_000 }]);
  expect(await withScope(world.services.pool, platformScope("read the book"), (tx) => verifyValue(tx))).toEqual([]);
}, 900_000);
