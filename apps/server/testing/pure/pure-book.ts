import { expect } from "vitest";

/** Cents by account, signed, exact however large: two payments near the limit of whole numbers are beyond it together. */
export type Lines = Readonly<Record<string, bigint>>;
export interface Entry {
  readonly cause: string;
  readonly lines: Lines;
}

/** Double entry in memory, with the floors of docs/money.md: whoever may owe is named, everybody else stays at 0 or above. */
export function pureBook(mayOwe: ReadonlySet<string>) {
  const balances = new Map<string, bigint>();
  const postings: (readonly [account: string, cents: bigint])[] = [];
  const kindOf = (account: string): string => account.split(" ", 1)[0] ?? "";
  return {
    balance: (account: string): bigint => balances.get(account) ?? 0n,
    /** All entries or, where an account would fall below its floor, none. */
    post(entries: readonly Entry[]): boolean {
      const moved = new Map<string, bigint>();
      for (const { cause, lines } of entries) {
        let sum = 0n;
        for (const [account, cents] of Object.entries(lines)) {
          sum += cents;
          const after = (moved.get(account) ?? balances.get(account) ?? 0n) + cents;
          if (after < 0n && !mayOwe.has(kindOf(account))) return false;
          moved.set(account, after);
        }
        if (sum !== 0n) expect.fail(`${cause} does not balance: ${sum}`);
      }
      for (const [account, after] of moved) balances.set(account, after);
      for (const { lines } of entries) postings.push(...Object.entries(lines));
      return true;
    },
    /** Balances are the sums of their lines, and all of them together are nothing. */
    check(): void {
      const sums = new Map<string, bigint>();
      for (const [account, cents] of postings) sums.set(account, (sums.get(account) ?? 0n) + cents);
      expect(balances).toEqual(sums);
      expect([...balances.values()].reduce((all, one) => all + one, 0n)).toBe(0n);
    },
  };
}
export type PureBook = ReturnType<typeof pureBook>;
