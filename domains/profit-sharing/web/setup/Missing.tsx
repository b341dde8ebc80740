import type { ReactNode } from "react";
import { sharingWallet } from "../../contract/index.ts";
import type { Setup } from "../shared.ts";

/** By wallet: which receivers of a group the channel does not know there, or not yet, and what that means for its payments. */
export function missingOf({ wallets, receivers }: Setup, groupId: string | null | undefined) {
  const some = receivers.filter((one) => one.groupId === groupId && one.state === "active");
  return wallets.flatMap(({ wallet }) => {
    const stands = (one: Setup["receivers"][number]) => one.accounts.find((account) => account.wallet === wallet)?.bindState ?? "failed";
    const without = some.filter((one) => stands(one) === "failed");
    const awaited = some.filter((one) => stands(one) === "binding" || stands(one) === "unsure");
    const name = sharingWallet.label(wallet);
    const who = (these: typeof some): string => these.map(({ alias }) => `「${alias}」`).join("");
    const text =
      without.length === 0
        ? ""
        : without.length === some.length
          ? `分组里没有接收方有已登记的${name}账号：${name}的收款不分账。`
          : `${who(without)}没有已登记的${name}账号：${name}的收款不分给${without.length === 1 ? "它" : "它们"}。`;
    const waits =
      awaited.length === 0 ? "" : `${who(awaited)}的${name}账号还没有登记结果：系统会自动再次登记，有结果前${name}的收款先冻结，不分账。`;
    return text + waits === "" ? [] : [{ wallet, text: text + waits }];
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
