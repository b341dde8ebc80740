import { expect, test } from "vitest";
import { PLATFORM_ID } from "./keys.ts";
import { type NodeRef, resolve } from "./resolve.ts";

const chain: NodeRef[] = [
  { item_type: 0, item_id: "d" },
  { item_type: 1, item_id: "s" },
  { item_type: 2, item_id: "m" },
  { item_type: 3, item_id: "p" },
  { item_type: 4, item_id: PLATFORM_ID },
];
const keys = [{ ckey: "volume", defaultValue: 60 }];

// Which nodes have a value (named by the node), and which one holds: every combination of the five.
const every = Array.from({ length: 32 }, (_none, bits) => chain.filter((_node, at) => (bits >> at) & 1));
test.each(every.map((has) => [has.map(({ item_type }) => item_type).join(""), has] as const))(
  "values at levels %s: the nearest wins",
  (_levels, has) => {
    const own = has.map(({ item_id, item_type }) => ({ item_id, ckey: "volume", value: item_type })).toReversed();
    const nearest = has.length === 0 ? null : Math.min(...has.map(({ item_type }) => item_type));
    expect(resolve(keys, chain, own)).toEqual([
      {
        ckey: "volume",
        value: nearest ?? 60,
        own: has.some(({ item_type }) => item_type === 0) ? 0 : null,
        from: nearest === null ? null : chain[nearest],
      },
    ]);
  },
);

test("off, nought and the empty text are values, and another node's or another key's are not", () => {
  const mixed = [
    { ckey: "on", defaultValue: true },
    { ckey: "n", defaultValue: 5 },
    { ckey: "text", defaultValue: "x" },
  ];
  const own = [
    { item_id: "s", ckey: "on", value: false },
    { item_id: "m", ckey: "n", value: 0 },
    { item_id: "p", ckey: "text", value: "" },
    { item_id: "elsewhere", ckey: "on", value: true },
    { item_id: "d", ckey: "other", value: 1 },
  ];
  expect(resolve(mixed, chain, own).map(({ value, from }) => [value, from?.item_type])).toEqual([
    [false, 1],
    [0, 2],
    ["", 3],
  ]);
});
