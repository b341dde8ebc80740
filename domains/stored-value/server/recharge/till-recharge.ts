import { implement } from "@zhangfang/server/calls/call.ts";
import { createTillRecharge } from "../../contract/index.ts";
import { placeRecharge } from "./place-recharge.ts";

/** 收银充值. */
export const createTillRechargeRoute = implement(createTillRecharge, (ctx, given) => placeRecharge(ctx, given));
