import { expect, test } from "vitest";
import { page, readCursor, writeCursor } from "./keyset.ts";

const ID = "0190b0a0-0000-7000-8000-000000000001";
test("a cursor reads back", () =>
  expect(readCursor(writeCursor({ value: "2026-11-20T00:00:00.000Z", id: ID }))).toEqual({ value: "2026-11-20T00:00:00.000Z", id: ID }));
test("a made-up cursor is a 400 at its field, never a fault", () => {
  for (const text of ["", "x", "e30", Buffer.from('["a","b"]').toString("base64url"), Buffer.from("[1e400]").toString("base64url")])
    expect(() => readCursor(text)).toThrowError(/翻页位置无效/);
});
test("a page has a next one only where a further row exists", () => {
  const rows = [1, 2, 3].map((n) => ({ id: ID, n }));
  expect(page(rows, 3, (row) => ({ value: row.n, id: row.id })).next).toBeNull();
  expect(page(rows, 2, (row) => ({ value: row.n, id: row.id }))).toEqual({
    items: rows.slice(0, 2),
    next: writeCursor({ value: 2, id: ID }),
  });
});
