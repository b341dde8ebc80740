import type { ShareTarget } from "../types/sharing.ts";

interface Said {
  readonly type: string;
  readonly account: string;
  readonly amount_cents: number;
}

/**
 * What the channel says of each receiver, under the type and the account that we asked for. Whom it names as we did is that one. Where it
 * masks an account, or tells a login name's user id, place in the request and amount decide, else an amount that only one can have.
 * What does not fit so comes back as it was said, which nobody settles on. That an answer keeps the request's order is not verified: it
 * decides only between two receivers of the same amount that are both masked alike.
 */
export function namedAsAsked<T extends Said>(asked: readonly ShareTarget[], said: readonly T[]): T[] {
  const left = [...said];
  const found = asked.map((line) => {
    const at = left.findIndex((one) => one.type === line.type && one.account === line.account && one.amount_cents === line.amount_cents);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  const open = asked.flatMap((line, at) => (found[at] === undefined ? [{ line, at }] : []));
  if (open.length !== left.length) return [...said];
  const pairs = open.map(({ line }, place) => {
    const fitting = left.filter((one) => mayBe(line, one));
    const there = left[place]!;
    return fitting.includes(there) ? there : fitting.length === 1 ? fitting[0] : undefined;
  });
  if (pairs.includes(undefined) || new Set(pairs).size < pairs.length) return [...said];
  for (const [n, { at }] of open.entries()) found[at] = pairs[n];
  return asked.flatMap(({ type, account }, at) => (found[at] ? [{ ...found[at], type, account }] : []));
}

/** Whether somebody who is named with a mask, by a user id in place of a login name, or not at all can be the one whom we asked for. */
export function mayBe(line: ShareTarget, one: Said): boolean {
  if (one.amount_cents !== line.amount_cents) return false;
  if (one.account === "") return true;
  if (one.type !== line.type) return line.type === "ALIPAY_LOGIN_NAME";
  return one.account.includes("*") ? fits(one.account, line.account) : one.account === line.account;
}
function fits(mask: string, account: string): boolean {
  const [head = "", ...more] = mask.split(/\*+/);
  const tail = more.at(-1) ?? "";
  return account.length > head.length + tail.length && account.startsWith(head) && account.endsWith(tail);
}
