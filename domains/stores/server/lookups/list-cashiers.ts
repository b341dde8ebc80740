import { implement } from "@zhangfang/server/calls/call.ts";
import { listCashiers as endpoint } from "../../contract/index.ts";
import { seekInStores } from "./seek-in-stores.ts";

/** 收银员: for the filters of orders and refunds. */
export const listCashiers = implement(endpoint, (ctx, sought) => seekInStores(ctx, { name: "cashiers", number: "code" }, sought));
