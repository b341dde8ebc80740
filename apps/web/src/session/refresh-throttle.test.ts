import { expect, test } from "vitest";
import { recordLoad } from "./refresh-throttle.ts";

function storage(first?: string) {
  const held = new Map(first === undefined ? [] : [["zhangfang_loads", first]]);
  return { getItem: (key: string) => held.get(key) ?? null, setItem: (key: string, value: string) => void held.set(key, value) };
}

test("above 2 loads in 60 seconds it warns, above 4 the session ends", () => {
  const tab = storage();
  expect([0, 1, 2, 3, 4, 5].map((second) => recordLoad(tab, 1_000_000 + second * 1000))).toEqual([
    "fine",
    "fine",
    "warn",
    "warn",
    "logout",
    "logout",
  ]);
});
test("only loads of the last 60 seconds count", () => {
  const tab = storage();
  for (const at of [0, 1000, 2000, 3000]) recordLoad(tab, at);
  expect(recordLoad(tab, 61_500)).toBe("warn");
  expect(recordLoad(tab, 200_000)).toBe("fine");
});
test.each(["", "nonsense", "{}", '["x"]'])("a record that reads %j counts nothing", (text) =>
  expect(recordLoad(storage(text), 5)).toBe("fine"),
);
