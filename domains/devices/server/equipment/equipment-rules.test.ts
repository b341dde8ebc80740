import { describe, expect, it, test } from "vitest";
import { backTo, mayNow, type Mover, type Piece, STEPS } from "./equipment-rules.ts";

const piece = (state: number, service_provider_id: string | null, merchant_id: string | null): Piece => ({
  sn: "A-1",
  state,
  service_provider_id,
  merchant_id,
});
const admin: Mover = { level: "ADMIN" };
const sp1: Mover = { level: "SP", provider: "p1" };
const sp2: Mover = { level: "SP", provider: "p2" };
const m1: Mover = { level: "MCH", provider: "p1", merchant: "m1" };
const m2: Mover = { level: "MCH", provider: "p1", merchant: "m2" };

// Every state at every holder, for everybody: what may be done, written by hand.
describe("who may move what", () => {
  it.each<[string, Piece, Record<string, string[]>]>([
    ["in the platform's stock", piece(0, null, null), { admin: ["issue", "repair", "retire"], sp1: [], m1: [] }],
    [
      "in a provider's stock",
      piece(0, "p1", null),
      { admin: ["return"], sp1: ["issue", "return", "repair", "bind", "retire"], sp2: [], m1: [] },
    ],
    [
      "in a merchant's stock",
      piece(0, "p1", "m1"),
      { admin: [], sp1: ["return", "bind"], sp2: [], m1: ["return", "repair", "bind", "retire"], m2: [] },
    ],
    ["in use", piece(1, "p1", "m1"), { admin: [], sp1: ["unbind"], sp2: [], m1: ["unbind"], m2: [] }],
    ["a provider's, in repair", piece(2, "p1", null), { admin: [], sp1: ["repaired"], sp2: [], m1: [] }],
    ["a merchant's, in repair", piece(2, "p1", "m1"), { admin: [], sp1: [], m1: ["repaired"], m2: [] }],
    ["thrown away", piece(3, "p1", "m1"), { admin: [], sp1: [], m1: [] }],
  ])("%s", (_where, given, may) => {
    const movers = { admin, sp1, sp2, m1, m2 };
    for (const [name, kinds] of Object.entries(may)) expect([name, mayNow(given, movers[name as "admin"])]).toEqual([name, kinds]);
  });
});
test("given back goes one level up", () => {
  expect(backTo(piece(0, "p1", "m1"))).toEqual({ service_provider_id: "p1", merchant_id: null });
  expect(backTo(piece(0, "p1", null))).toEqual({ service_provider_id: null, merchant_id: null });
});
test("nothing that was thrown away comes back", () => expect(Object.values(STEPS).some(([from]) => from === 3)).toBe(false));
