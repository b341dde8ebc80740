import { domain } from "@zhangfang/server/calls/domain.ts";
import { foldValueMinutely } from "./lots/fold-value.ts";
import { tendPointsNightly } from "./tend-points.ts";
import { verifyValue } from "./verify-value.ts";

export { drawLots, type Drawn, type Lot } from "./draw-rules.ts";
export { endHolder, mergeHolders } from "./leave.ts";
export { cutLots, finishLot, holdLot, releaseLot, type LotAct } from "./lots/cut-lots.ts";
export { finishMove, holdMove, moveLots, releaseMove } from "./lots/move-lots.ts";
export { foldValue, valueOwed, valueSums } from "./lots/fold-value.ts";
export {
  addPoints,
  clawPoints,
  deductPoints,
  endLots,
  holdPoints,
  livingDays,
  pointsOf,
  releasePoints,
  returnPoints,
  takePoints,
  tellLots,
  untellLot,
  usablePoints,
} from "./points.ts";
export { type OrderMove, orderMoves } from "./order-moves.ts";
export { type Holder, lockHolder, lockHolders, waitForHolder, type ValueOrder } from "./post-value.ts";
export { addLot, holdStored, lotsOf, releaseStored, returnStored, takeStored } from "./stored-value.ts";
export { returnTimes, reverseTimes, sellTimes, useTimes, type TimesMove } from "./times.ts";
export { verifyValue } from "./verify-value.ts";

export const valueBook = domain({ jobs: [tendPointsNightly, foldValueMinutely], verify: { name: "value", run: verifyValue } });
