import { implement } from "@zhangfang/server/calls/call.ts";
import { drawAsMember, outcomeWords, ownLotteries } from "../../../lottery/server/index.ts";
import { drawOwnLottery, listOwnLotteries } from "../../contract/index.ts";
import { selfOf } from "../session/member-session.ts";

/** 会员页摇一摇. */
export const listOwnLotteriesRoute = implement(listOwnLotteries, async (ctx) => ({
  items: (await ownLotteries(ctx.tx, ctx.services, selfOf(ctx))) as never,
}));
/** 会员页摇一次. */
export const drawOwnLotteryRoute = implement(drawOwnLottery, async (ctx, { lotteryId, nonce }) => {
  const self = selfOf(ctx);
  const outcome = await drawAsMember(ctx.services, self, { lottery_id: lotteryId, nonce });
  return ctx.transaction(async (tx) => {
    const { draw_no: drawNo, prize } = outcome;
    await ctx.audit(tx, { targetKind: "lottery", targetId: lotteryId, after: { drawNo, prize } });
    return { drawNo, ...(await outcomeWords(tx, self, lotteryId, outcome)) };
  });
});
