import { domain } from "@zhangfang/server/calls/domain.ts";
import { publishSeeds } from "./draws/chain.ts";
import { giveWin, lookAfterWins } from "./draws/give-win.ts";
import { expireWins, findWinRoute, handOverWinRoute } from "./draws/hand-over.ts";
import { drawExport, listDrawsRoute, lotteryExport } from "./draws/read-draws.ts";
import { decideLotteryRoute, endLotteries, raiseLotteryStockRoute, steerLotteryRoute } from "./manage/decide-lotteries.ts";
import { getLotteryRoute, listLotteriesRoute, summariseLotteriesRoute } from "./manage/read-lotteries.ts";
import { addLotteryStaffRoute, listLotteryStaffRoute, removeLotteryStaffRoute } from "./manage/staff.ts";
import { addLotteryRoute, priceLotteryRoute, updateLotteryRoute, withdrawLotteryRoute } from "./manage/write-lotteries.ts";
import { getLotteryProofRoute, listProofDrawsRoute } from "./read-proof.ts";
import { lotteryTodos } from "./todos.ts";

// For the customer's own page (domains/customer): each for one member, who is named by their session.
export { drawAsMember, outcomeWords, ownLotteries } from "./own-lotteries.ts";
// For the demo world, whose days go by faster.
export { drawBatch } from "./draws/draw-batch.ts";
export { publishSeeds } from "./draws/chain.ts";
export { verifyLottery } from "./verify-lottery.ts";

export const lottery = domain({
  routes: [
    listLotteriesRoute,
    summariseLotteriesRoute,
    getLotteryRoute,
    priceLotteryRoute,
    addLotteryRoute,
    updateLotteryRoute,
    withdrawLotteryRoute,
    decideLotteryRoute,
    steerLotteryRoute,
    raiseLotteryStockRoute,
    listLotteryStaffRoute,
    addLotteryStaffRoute,
    removeLotteryStaffRoute,
    listDrawsRoute,
    findWinRoute,
    handOverWinRoute,
    getLotteryProofRoute,
    listProofDrawsRoute,
  ],
  jobs: [giveWin, lookAfterWins, publishSeeds, expireWins, endLotteries],
  exports: [lotteryExport, drawExport],
  todos: lotteryTodos,
});
