import { expect, test } from "vitest";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { mustWrite, PLATFORM } from "./nodes.ts";

const id = (n: number) => `01a1f71c-7600-7000-8000-00000000000${n}`;
const [provider, merchant, own, other] = [id(1), id(2), id(3), id(4)];
const at = (store_id: string | null) => ({
  ...PLATFORM,
  item_type: store_id ? (1 as const) : (2 as const),
  merchant_id: merchant,
  store_id,
});

test("an account that is narrowed to stores writes at those, and not at the merchant that the others share", () => {
  const scope = parseScope(`MCH|${provider}|||||${merchant}|{${own}}|`);
  expect(() => mustWrite(scope, at(own))).not.toThrow();
  expect(() => mustWrite(scope, at(other))).toThrow("不能修改上级的设置");
  expect(() => mustWrite(scope, at(null))).toThrow("不能修改上级的设置");
});
test("those who only look write nowhere", () => {
  for (const level of ["AG", "GP", "TM", "SM", "AE"])
    expect(() => mustWrite(parseScope(`${level}|${provider}|||||${merchant}||`), at(own))).toThrow();
});
