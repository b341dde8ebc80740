import { domain } from "@zhangfang/server/calls/domain.ts";
import { tendPointsNightly } from "./tend-points.ts";
import { verifyValue } from "./verify-value.ts";

export { drawLots, type Lot } from "./draw-rules.ts";
export { addPoints, clawPoints, holdPoints, pointsOf, releasePoints, returnPoints, takePoints } from "./points.ts";
export type { Holder, ValueOrder } from "./post-value.ts";
export { addLot, holdStored, lotsOf, releaseStored, returnStored, takeStored } from "./stored-value.ts";
export { verifyValue } from "./verify-value.ts";

export const valueBook = domain({ jobs: [tendPointsNightly], verify: { name: "value", run: verifyValue } });
