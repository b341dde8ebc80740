import { expect, test } from "vitest";
import { inScope, parseScope, platformScope } from "./scope.ts";

const A = "0190b0a0-0000-7000-8000-00000000000a";
test("only well-formed scopes are read, so that one can stand in SQL as a literal", () => {
  for (const text of ["", "ROOT||||||||", "SP|x|||||||", `SP|${A}||||||`, `SP|${A}|||||||'; drop table users; --`, `AE|${A}|||||${A}|{x}|`])
    expect(() => parseScope(text)).toThrow("malformed scope");
  expect(parseScope(`AE|${A}|||||${A}|{${A}}|${A}`)).toMatchObject({ level: "AE", provider: A, merchant: A, stores: [A], user: A });
});
test("an employee without stores sees none, not all", () => expect(parseScope(`AE|${A}|||||${A}|{}|${A}`).stores).toEqual([]));
test("a scope that lacks its own id refuses instead of widening", () => {
  expect(() => inScope(parseScope("SP||||||||"), "o")).toThrow("lacks its id");
  expect(() => inScope(parseScope(`MCH|${A}|||||||`), "o")).toThrow("lacks its id");
});
test("the platform's scope has a purpose and no ids", () => expect(platformScope("nightly check")).toMatchObject({ level: "PLATFORM" }));
