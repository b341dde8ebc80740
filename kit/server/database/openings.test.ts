import { afterAll, beforeAll, expect, test } from "vitest";
import { readOpening } from "./openings.ts";
import { testServices, type TestServices } from "../testing.ts";

let services: TestServices;
beforeAll(async () => {
  services = await testServices();
});
afterAll(() => services.close());

test("of many that ask at once each gets their own row, and what fails fails alone", async () => {
  const asked = Array.from({ length: 130 }, (_none, n) => {
    if (n % 40 === 7) return "select 1 / 0 as n";
    return n % 10 === 3 ? "select 1 as n where false" : `select ${n} as n`;
  });
  const answers = await Promise.allSettled(asked.map((opening) => readOpening(services.pool, opening)));
  for (const [n, answer] of answers.entries()) {
    if (n % 40 === 7) expect(answer).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    else expect(answer).toEqual({ status: "fulfilled", value: n % 10 === 3 ? undefined : { n } });
  }
  // Nothing of a trip stays on its connection.
  expect(await readOpening(services.pool, "select nullif(current_setting('app.scope', true), '') as scope")).toEqual({ scope: null });
});
test("one statement answers for several: each gets their own row, whoever has none gets none, and other kinds go their own way", async () => {
  const text =
    "select k.at, k.name || '!' as said, current_setting('app.scope') as scope from jsonb_to_recordset($1::jsonb) as k(at int, name text) where k.name <> 'nobody' order by k.name desc";
  const asked = Array.from({ length: 120 }, (_none, n) => {
    const name = n % 10 === 3 ? "nobody" : `n${n}`;
    if (n % 10 === 5) return readOpening(services.pool, `select 'alone ${n}' as said`);
    // A statement that fails for one is asked for each alone.
    const own = n % 40 === 7 ? text.replace("k.at,", "k.at / 0 as at,") : text;
    return readOpening(services.pool, `select '${name}?' as said where '${name}' <> 'nobody'`, { text: own, key: { name } });
  });
  for (const [n, row] of (await Promise.all(asked)).entries()) {
    const said = row?.["said"];
    if (n % 10 === 3) expect(row).toBeUndefined();
    else if (n % 10 === 5) expect(said).toBe(`alone ${n}`);
    else if (n % 40 === 7) expect(said).toBe(`n${n}?`);
    else expect([`n${n}!`, `n${n}?`]).toContain(said);
    if (row !== undefined) expect(row).not.toHaveProperty("at");
  }
  // Most went together, with everybody's rows in sight, and nothing of that stays.
  const kinds = (await Promise.all(asked)).map((row) => row?.["scope"]);
  expect(kinds.filter((scope) => scope === "PLATFORM||||||||").length).toBeGreaterThan(50);
  expect(await readOpening(services.pool, "select nullif(current_setting('app.scope', true), '') as scope")).toEqual({ scope: null });
});
test("calls that come one after another in one turn of the loop go together", async () => {
  const text = "select k.at, current_setting('app.scope') as scope from jsonb_to_recordset($1::jsonb) as k(at int)";
  const asked: Promise<Readonly<Record<string, unknown>> | undefined>[] = [];
  for (let n = 0; n < 5; n++) {
    asked.push(readOpening(services.pool, "select 'alone' as scope", { text, key: {} }));
    for (let step = 0; step < 20; step++) await Promise.resolve();
  }
  expect((await Promise.all(asked)).map((row) => row?.["scope"])).toEqual(Array.from({ length: 5 }, () => "PLATFORM||||||||"));
});
test("two rows for one key are nobody's: each is asked for alone", async () => {
  const text = "select k.at, k.name as said from jsonb_to_recordset($1::jsonb) as k(at int, name text), generate_series(1, 2)";
  const asked = ["a", "b", "c"].map((name) => readOpening(services.pool, `select '${name}?' as said`, { text, key: { name } }));
  expect((await Promise.all(asked)).map((row) => row?.["said"])).toEqual(["a?", "b?", "c?"]);
});
