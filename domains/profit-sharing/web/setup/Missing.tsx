import type { ReactNode } from "react";
import { sharingWallet } from "../../contract/index.ts";
import type { Setup } from "../shared.ts";

/** By wallet: which receivers of a group have no account there that the channel took, and what that means for its payments. */
export function missingOf({ wallets, receivers }: Setup, groupId: string | null | undefined) {
  const some = receivers.filter((one) => one.groupId === groupId && one.state === "active");
  return wallets.flatMap(({ wallet }) => {
    const without = some.filter((one) => !one.accounts.some((account) => account.wallet === wallet && account.bindState === "bound"));
    if (without.length === 0) return [];
    const name = sharingWallet.label(wallet);
    const who = without.map(({ alias }) => `「${alias}」`).join("");
    const text =
      without.length === some.length
        ? `分组里没有接收方有已登记的${name}账号：${name}的收款不分账。`
        : `${who}没有已登记的${name}账号：${name}的收款不分给${without.length === 1 ? "它" : "它们"}。`;
    return [{ wallet, text }];
  });
}

/** The same, said on the screen. */
export function Missing({ of }: { of: ReturnType<typeof missingOf> }): ReactNode {
  return of.map(({ wallet, text }) => (
    <p key={wallet} className="notice notice-warn">
      {text}
    </p>
  ));
}
