import { expect, test } from "vitest";
import { issueWords } from "@zhangfang/contract/issue-words.ts";
import { routes } from "./domains.ts";
import { HOSTILE } from "./testing/hostile/mutators.ts";

test("whatever a call refuses is said in Chinese, at its field", () => {
  let said = 0;
  const faults = new Set<string>();
  for (const { endpoint } of routes) {
    const names = Object.keys((endpoint.input as { readonly shape?: object }).shape ?? {});
    for (const name of names)
      for (const [how, value] of HOSTILE) {
        const { error } = endpoint.input.safeParse({ [name]: value }, { error: issueWords });
        for (const { path, message } of error?.issues ?? []) {
          said++;
          // An unknown field and a rule over several are the form's, all else is a field's.
          if (path.length > 0 && !names.includes(String(path[0]))) faults.add(`${endpoint.path} blames ${path.join(".")}`);
          if (!/\p{Script=Han}/u.test(message) || /\b(?:Invalid|expected|Too|must)\b/.test(message))
            faults.add(`${endpoint.path} ${path.join(".")}, ${how}: ${message}`);
        }
      }
  }
  expect([...faults]).toEqual([]);
  expect(said).toBeGreaterThan(10_000);
});
