import { expect, test } from "vitest";
import { firstSource, foldFollows, type Heard } from "./fold-follows.ts";

const at = (hour: number): string => `2026-03-01T${String(hour).padStart(2, "0")}:00:00.000Z`;
const heard = (event: Heard["event"], hour: number, more: Partial<Heard> = {}): Heard => ({
  event,
  at: at(hour),
  follow_at: null,
  channel_id: null,
  scene: null,
  ...more,
});
const spans = (...events: readonly Heard[]) => foldFollows(events).map(({ from, to }) => [from, to]);

test("a follow lasts from its beginning to its end, and each that begins anew is another", () => {
  expect(spans(heard("subscribe", 1), heard("unsubscribe", 2), heard("subscribe", 3))).toEqual([
    [at(1), at(2)],
    [at(3), null],
  ]);
  // An end that was never heard of is where the next begins.
  expect(spans(heard("subscribe", 1), heard("subscribe", 3))).toEqual([
    [at(1), at(3)],
    [at(3), null],
  ]);
  // Who leaves before anybody heard of them has no follow that we know.
  expect(spans(heard("unsubscribe", 2))).toEqual([]);
  expect(spans(heard("scan", 2), heard("unsubscribe", 3))).toEqual([[null, at(3)]]);
});
test("the list tells since when they follow, and never what a message told better", () => {
  expect(spans(heard("listed", 9, { follow_at: at(4) }))).toEqual([[at(4), null]]);
  expect(spans(heard("listed", 9))).toEqual([[null, null]]);
  expect(spans(heard("subscribe", 1), heard("listed", 9, { follow_at: at(1) }))).toEqual([[at(1), null]]);
  expect(spans(heard("subscribe", 1), heard("unsubscribe", 5), heard("listed", 9, { follow_at: at(4) }))).toEqual([
    [at(1), at(5)],
    [at(9), null],
  ]);
  expect(spans(heard("subscribe", 1), heard("listed", 9, { follow_at: at(7) }))).toEqual([
    [at(1), at(7)],
    [at(7), null],
  ]);
  expect(spans(heard("subscribe", 1), heard("missing", 9))).toEqual([[at(1), at(9)]]);
});
test("the last source of a follow moves, the first of all stays", () => {
  const [a, b] = [{ channel_id: "a" }, { channel_id: "b" }];
  const moved = [heard("subscribe", 1, a), heard("scan", 2, b)];
  expect(foldFollows(moved)).toMatchObject([{ source: { channel_id: "b" } }]);
  expect(firstSource(moved)).toMatchObject({ channel_id: "a" });
  // A scan of a code of nobody's moves nothing.
  expect(foldFollows([heard("subscribe", 1, a), heard("scan", 2)])).toMatchObject([{ source: { channel_id: "a" } }]);
  // Followed without a code: what the list says of that follow, and not the code that was scanned since.
  const told = [heard("subscribe", 1), heard("scan", 2, b), heard("listed", 9, { follow_at: at(1), scene: "ADD_SCENE_SEARCH" })];
  expect(firstSource(told)).toEqual({ channel_id: null, scene: "ADD_SCENE_SEARCH" });
  expect(foldFollows(told)).toMatchObject([{ source: { channel_id: "b" } }]);
  expect(firstSource([heard("scan", 2, b)])).toEqual({ channel_id: null, scene: null });
});
