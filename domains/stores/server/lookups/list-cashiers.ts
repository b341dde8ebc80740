import { implement } from "@zhangfang/server/calls/call.ts";
import { listCashiers } from "../../contract/index.ts";
import { seekInStores } from "./seek-in-stores.ts";

/** 收银员: for the filters of orders and refunds. */
export const listCashiersRoute = implement(listCashiers, (ctx, sought) => seekInStores(ctx, { name: "cashiers", number: "code" }, sought));
