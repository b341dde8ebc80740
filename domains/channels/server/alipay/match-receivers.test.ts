import { expect, test } from "vitest";
import type { ShareTarget } from "../sharing-channel.ts";
import { namedAsAsked } from "./match-receivers.ts";

const user = (account: string, amount_cents: number): ShareTarget => ({ type: "ALIPAY_USER_ID", account, amount_cents });
const login = (account: string, amount_cents: number): ShareTarget => ({ type: "ALIPAY_LOGIN_NAME", account, amount_cents });
const A = "2088000000000101";
const B = "2088000000000102";
const accounts = (lines: readonly { account: string; amount_cents: number }[]) => lines.map((one) => `${one.account} ${one.amount_cents}`);

test.each([
  ["named as asked, in another order", [user(A, 1), user(B, 2)], [user(B, 2), user(A, 1)], [`${A} 1`, `${B} 2`]],
  ["masked, by place", [user(A, 5), user(B, 5)], [user("2088****0101", 5), user("2088****0102", 5)], [`${A} 5`, `${B} 5`]],
  [
    "masked in another order, by what the mask shows",
    [user(A, 5), user(B, 5)],
    [user("2088*0102", 5), user("2088*0101", 5)],
    [`${A} 5`, `${B} 5`],
  ],
  [
    "masked in another order, by amount",
    [user(A, 1), user(B, 2)],
    [user("2088********", 2), user("2088********", 1)],
    [`${A} 1`, `${B} 2`],
  ],
  ["a login name by its user id", [login("a@example.cn", 3), user(B, 3)], [user(A, 3), user(B, 3)], ["a@example.cn 3", `${B} 3`]],
  ["a login name masked", [login("caiwu@example.cn", 3)], [login("cai***@example.cn", 3)], ["caiwu@example.cn 3"]],
  ["nobody named", [user(A, 3)], [user("", 3)], [`${A} 3`]],
])("%s", (_name, asked, said, expected) => {
  expect(accounts(namedAsAsked(asked, said))).toEqual(expected);
});

test.each([
  ["another account of the same kind", [user(A, 3)], [user(B, 3)]],
  ["another amount", [user(A, 3)], [user("2088****0101", 4)]],
  ["one too few", [user(A, 3), user(B, 3)], [user("2088****0101", 3)]],
  ["a mask that does not fit", [user(A, 3)], [user("2088****0109", 3)]],
  ["two that only one can be", [user(A, 3), user(B, 3)], [user("2088****0102", 3), user("2088****0109", 3)]],
])("not understood and left as it was said: %s", (_name, asked, said) => {
  expect(namedAsAsked(asked, said)).toEqual(said);
});
