import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DrawMode } from "../contract.ts";
import { backPoints, backToLots, clawPoints, drawLots, drawPoints, type Drawn, graceUntil, type Lot, payOff } from "./draw-rules.ts";

const lot = (id: string, principal_cents: number, gift_cents: number, more: Partial<Lot> = {}): Lot => ({
  id,
  mode: "ratio",
  principal_cents,
  gift_cents,
  principal_left_cents: principal_cents,
  gift_left_cents: gift_cents,
  ...more,
});
const drawn = (lot_id: string, principal_cents: number, gift_cents: number): Drawn => ({ lot_id, principal_cents, gift_cents });
const after = (one: Lot, draw: Drawn | undefined): Lot => ({
  ...one,
  principal_left_cents: one.principal_left_cents - (draw?.principal_cents ?? 0),
  gift_left_cents: one.gift_left_cents - (draw?.gift_cents ?? 0),
});

describe("stored value is drawn", () => {
  test("of a recharge of 1,000.00 with 200.00 given, 120.00 is 100.00 of principal and 20.00 of gift", () => {
    expect(drawLots([lot("a", 100_000, 20_000)], 12_000)).toEqual([drawn("a", 10_000, 2_000)]);
  });
  test("of the oldest lot first, and of the next what is missing", () => {
    expect(
      drawLots([lot("a", 1_000, 0), lot("empty", 500, 5, { principal_left_cents: 0, gift_left_cents: 0 }), lot("b", 300, 100)], 1_200),
    ).toEqual([drawn("a", 1_000, 0), drawn("b", 150, 50)]);
  });
  test("to the last cent, and no cent more", () => {
    expect(drawLots([lot("a", 70, 30)], 100)).toEqual([drawn("a", 70, 30)]);
    expect(drawLots([lot("a", 70, 30)], 101)).toBeUndefined();
    expect(drawLots([], 1)).toBeUndefined();
    expect(drawLots([], 0)).toEqual([]);
  });
  test.each<[DrawMode, number, Drawn]>([
    ["principal-first", 60, drawn("a", 60, 0)],
    ["principal-first", 90, drawn("a", 70, 20)],
    ["gift-first", 20, drawn("a", 0, 20)],
    ["gift-first", 90, drawn("a", 60, 30)],
    ["ratio", 10, drawn("a", 7, 3)],
    ["ratio", 15, drawn("a", 11, 4)],
  ])("%s: %i cents", (mode, cents, expected) => expect(drawLots([lot("a", 70, 30, { mode })], cents)).toEqual([expected]));
  test("by ratio within what is left, also where a refund has given back another mix than was drawn", () => {
    // 70 and 30, of which only gift is left: the ratio would want principal.
    expect(drawLots([lot("a", 70, 30, { principal_left_cents: 0 })], 10)).toEqual([drawn("a", 0, 10)]);
    expect(drawLots([lot("a", 70, 30, { gift_left_cents: 0 })], 10)).toEqual([drawn("a", 10, 0)]);
    // More principal is gone than its part.
    expect(drawLots([lot("a", 70, 30, { principal_left_cents: 10 })], 10)).toEqual([drawn("a", 0, 10)]);
  });
  test("in a thousand tiny spendings as in a large one", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.array(fc.integer({ min: 1, max: 40 })),
        (p, g, spent) => {
          let left = lot("a", p, g);
          let all = 0;
          for (const cents of spent) {
            const [draw] = drawLots([left], cents) ?? [];
            if (!draw) break;
            left = after(left, draw);
            all += cents;
          }
          expect(left).toEqual(after(lot("a", p, g), drawLots([lot("a", p, g)], all)?.[0]));
        },
      ),
      { seed: 7, numRuns: 300 },
    );
  });
  test("never below nothing, and always the sum that was asked for", () => {
    const any = fc.record({
      p: fc.nat(900),
      g: fc.nat(900),
      pl: fc.nat(900),
      gl: fc.nat(900),
      mode: fc.constantFrom("ratio", "principal-first", "gift-first"),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), fc.nat(4_000), (made, cents) => {
        const lots = made.map(({ p, g, pl, gl, mode }, at) =>
          lot(String(at), p, g, { mode: mode as DrawMode, principal_left_cents: Math.min(p, pl), gift_left_cents: Math.min(g, gl) }),
        );
        const there = lots.reduce((sum, one) => sum + one.principal_left_cents + one.gift_left_cents, 0);
        const draws = drawLots(lots, cents);
        expect(draws === undefined).toBe(cents > there);
        for (const draw of draws ?? []) {
          const of = lots.find(({ id }) => id === draw.lot_id)!;
          expect(draw.principal_cents).toBeGreaterThanOrEqual(0);
          expect(draw.gift_cents).toBeGreaterThanOrEqual(0);
          expect(draw.principal_cents).toBeLessThanOrEqual(of.principal_left_cents);
          expect(draw.gift_cents).toBeLessThanOrEqual(of.gift_left_cents);
        }
        if (draws) expect(draws.reduce((sum, one) => sum + one.principal_cents + one.gift_cents, 0)).toBe(cents);
      }),
      { seed: 8, numRuns: 500 },
    );
  });
});

describe("stored value goes back", () => {
  const draws = [
    { ...drawn("a", 100, 20), returned_principal_cents: 0, returned_gift_cents: 0 },
    { ...drawn("b", 50, 10), returned_principal_cents: 20, returned_gift_cents: 0 },
  ];
  test("to the lots that it came from, last drawn first, less what is back already", () => {
    expect(backToLots(draws, 40, 12)).toEqual([drawn("b", 30, 10), drawn("a", 10, 2)]);
    expect(backToLots(draws, 0, 4)).toEqual([drawn("b", 0, 4)]);
    expect(backToLots(draws, 130, 30)).toEqual([drawn("b", 30, 10), drawn("a", 100, 20)]);
  });
  test("and not a cent more of either", () => {
    expect(backToLots(draws, 131, 0)).toBeUndefined();
    expect(backToLots(draws, 0, 31)).toBeUndefined();
    expect(backToLots(draws, 131, 31)).toBeUndefined();
    expect(backToLots([{ ...drawn("a", 0, 20), returned_principal_cents: 0, returned_gift_cents: 15 }], 0, 6)).toBeUndefined();
  });
});

describe("points", () => {
  const lots = [
    { id: "soon", left_points: 30, expires_on: "2026-12-31" },
    { id: "gone", left_points: 0, expires_on: "2027-01-31" },
    { id: "ever", left_points: 100, expires_on: null },
  ];
  test("are drawn in the order of the lots, and all of them or none", () => {
    expect(drawPoints(lots, 50)).toEqual([
      { lot_id: "soon", points: 30 },
      { lot_id: "ever", points: 20 },
    ]);
    expect(drawPoints(lots, 130)).toHaveLength(2);
    expect(drawPoints(lots, 131)).toBeUndefined();
  });
  const draw = (lot_id: string, points: number, returned_points: number, expires_on: string | null) => ({
    lot_id,
    points,
    returned_points,
    expires_on,
  });
  test("go back last drawn first; what is of a lot that has ended is told apart", () => {
    const draws = [draw("a", 500, 0, "2026-12-31"), draw("b", 40, 10, null)];
    expect(backPoints(draws, 100, "2027-01-05")).toEqual({
      backs: [
        { lot_id: "b", points: 30, alive: true },
        { lot_id: "a", points: 70, alive: false },
      ],
      alive_points: 30,
      ended_points: 70,
    });
    expect(backPoints(draws, 530, "2026-12-31")).toMatchObject({ alive_points: 530, ended_points: 0 });
    expect(backPoints(draws, 531, "2026-12-31")).toBeUndefined();
    expect(backPoints([draw("a", 5, 5, null), draw("b", 5, 0, null)], 5, "2026-12-31")?.backs).toEqual([
      { lot_id: "b", points: 5, alive: true },
    ]);
  });
  test("of a lot that ended on the last of December and go back on January 5th are good through February 4th", () => {
    expect(graceUntil("2027-01-05", 30)).toBe("2027-02-04");
  });
  test("that are taken back and not there are owed", () => {
    expect(clawPoints(lots, 367)).toEqual({
      taken: [
        { lot_id: "soon", points: 30 },
        { lot_id: "ever", points: 100 },
      ],
      owed_points: 237,
    });
    expect(clawPoints(lots, 10)).toEqual({ taken: [{ lot_id: "soon", points: 10 }], owed_points: 0 });
    expect(clawPoints([], 3)).toEqual({ taken: [], owed_points: 3 });
  });
  test("pay off what is owed first: of 367 owed the next 100 leave 267", () => {
    expect(payOff(100, -367)).toBe(100);
    expect(payOff(400, -367)).toBe(367);
    expect(payOff(400, 0)).toBe(0);
  });
});
