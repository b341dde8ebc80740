import { expect, test } from "vitest";
import { domain, jobsOf, tie, tiedTo } from "./domain.ts";
import type { Services } from "../services.ts";

test("services that were never tied refuse, and a copy of tied ones is tied as they are", () => {
  const untied = {} as Services;
  expect(() => tiedTo(untied)).toThrow("never tied");
  const goods = domain({});
  const tied = tie(untied, [goods]);
  expect(tiedTo({ ...tied })).toEqual([goods]);
});

test("the night reads every book, says each breach, and none of what it finds ends the reading", async () => {
  const said: unknown[] = [];
  const log = { error: (what: unknown) => said.push(what), info: (what: unknown) => said.push(what) };
  const client = { query: async () => [{ rows: [{}] }], release: () => {} };
  const books = [
    domain({ verify: { name: "ledger", run: async (_tx, now_ms) => [`sum is 1 at ${now_ms}`] } }),
    domain({}),
    domain({ verify: { name: "claims", run: async () => [] } }),
  ];
  const night = jobsOf(books).find(({ name }) => name === "verify-books")!;
  await night.run({ pool: { connect: async () => client }, clock: { now_ms: () => 7 }, log } as never, {});
  expect(said).toEqual([{ breach: "sum is 1 at 7", book: "ledger" }, { book: "claims" }]);
});

test("a book that cannot be read stops none of those after it, and the night is read again", async () => {
  const said: unknown[] = [];
  const log = { error: (what: unknown) => said.push(what), info: (what: unknown) => said.push(what) };
  const client = { query: async () => [{ rows: [{}] }], release: () => {} };
  const slow = new Error("statement timeout");
  const books = [
    domain({ verify: { name: "pushes", run: () => Promise.reject(slow) } }),
    domain({ verify: { name: "claims", run: async () => [] } }),
  ];
  const night = jobsOf(books).find(({ name }) => name === "verify-books")!;
  await expect(night.run({ pool: { connect: async () => client }, clock: { now_ms: () => 7 }, log } as never, {})).rejects.toBe(slow);
  expect(said).toEqual([{ err: slow, book: "pushes" }, { book: "claims" }]);
});
