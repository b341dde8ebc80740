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
