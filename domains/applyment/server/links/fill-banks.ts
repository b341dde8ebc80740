import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { findFillBanks, findFillBranches } from "../../contract/index.ts";
import { fieldOf } from "../../contract/words.ts";
import { type Asker, banksFor, branchesFor, patienceOf } from "../banks/bank-routes.ts";
import { linkOf, MERCHANT_LINK } from "./fill-page.ts";

const STEP = fieldOf("account.branchName")!.step;
/** Whoever holds a link that has the account in it looks with its provider's keys. @throws 404 for no link of ours, 409 for one of other steps */
async function askerBy(ctx: Ctx, token: string): Promise<Asker> {
  const link = await ctx.platform(MERCHANT_LINK, (tx) => linkOf(ctx, tx, token));
  if (!link.steps.includes(STEP)) throw conflict("这个链接里没有结算账户这一步", "applyment.link-step");
  const { services, now, now_ms } = ctx;
  return {
    services,
    now,
    now_ms,
    provider: link.service_provider_id,
    run: (work) => ctx.platform(MERCHANT_LINK, work),
    patience: patienceOf(),
  };
}
/** 商户查找开户银行. */
export const findFillBanksRoute = implement(findFillBanks, async (ctx, { token, ...given }) => banksFor(await askerBy(ctx, token), given));
/** 商户查找开户支行. */
export const findFillBranchesRoute = implement(findFillBranches, async (ctx, { token, ...given }) =>
  branchesFor(await askerBy(ctx, token), given),
);
