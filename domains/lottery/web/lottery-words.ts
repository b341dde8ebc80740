import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import { getLottery, listDraws, listLotteries, summariseLotteries } from "../contract/index.ts";

/** What is old when something was done to a lottery. */
export const LOTTERY_READS = [listLotteries, summariseLotteries, getLottery, listDraws];
export const counted = (n: number): string => n.toLocaleString("en-US");
export const minute = (at: string): string => shanghaiTime(at).slice(0, 16);
/** The colour of a prize in the bar and beside its name. */
export const colourAt = (at: number): string => CHART_COLOURS[at % CHART_COLOURS.length]!;
