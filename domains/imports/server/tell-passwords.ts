import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { giveFirstPassword, hashPassword, makeOneTime } from "../../accounts/server/index.ts";
import { PASSWORDS_AT_ONCE, tellPasswords } from "../contract.ts";
import { holdImport } from "./own-import.ts";
import { openSource, type Sources } from "./sources.ts";

/**
 * First passwords of some of the accounts, each told once: the answer is the only place where they ever stand. Whoever
 * has one already, or was closed meanwhile, is passed over.
 */
export function tellPasswordsRoute(sources: Sources): Route {
  return implement(tellPasswords, async (ctx, { id }) => {
    const untold = (tx: Transaction) =>
      tx
        .selectFrom("import_rows")
        .where("owner_user_id", "=", ctx.principal.id)
        .where("import_id", "=", id)
        .where("status", "=", 2)
        .where("told", "=", false);
    // Hashing takes its time: not while a transaction is open.
    const wanted = await ctx.transaction((tx) => untold(tx).select("line").limit(PASSWORDS_AT_ONCE).execute(), { readOnly: true });
    const made: { password: string; hash: string }[] = [];
    while (made.length < wanted.length) {
      const password = makeOneTime();
      made.push({ password, hash: await hashPassword(password) });
    }
    return ctx.transaction(async (tx) => {
      const found = await holdImport(tx, ctx, id);
      const source = openSource(sources, found.source, ctx.principal);
      if (!source.accountsOf) throw conflict("导入的内容没有账号");
      const rows = await untold(tx).select(["line", "title", "made_id"]).orderBy("line").limit(made.length).execute();
      const ids = rows.flatMap(({ made_id }) => (made_id === null ? [] : [made_id]));
      const of = new Map((await source.accountsOf(tx, ids)).map((account) => [account.madeId, account]));
      const accounts: { line: number; title: string; login: string; password: string }[] = [];
      for (const [at, { line, title, made_id }] of rows.entries()) {
        const account = of.get(made_id ?? "");
        const { password, hash } = made[at]!;
        if (account && (await giveFirstPassword(tx, account.userId, hash, ctx.now_ms)))
          accounts.push({ line, title, login: account.login, password });
      }
      await tx
        .updateTable("import_rows")
        .set({ told: true })
        .where("owner_user_id", "=", found.owner_user_id)
        .where("import_id", "=", id)
        .where("line", "in", [0, ...rows.map(({ line }) => line)])
        .execute();
      const { left } = await untold(tx)
        .select((eb) => eb.fn.countAll<number>().as("left"))
        .executeTakeFirstOrThrow();
      await ctx.audit(tx, { targetKind: "import", targetId: id, after: { logins: accounts.map(({ login }) => login) } });
      return { accounts, left };
    });
  });
}
