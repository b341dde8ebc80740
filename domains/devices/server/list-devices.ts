import { implement } from "@zhangfang/server/calls/call.ts";
import { seekInStores } from "../../stores/server/index.ts";
import { listDevices } from "../contract/index.ts";

/** 设备: for the filters of orders and refunds. */
export const listDevicesRoute = implement(listDevices, (ctx, sought) => seekInStores(ctx, { name: "devices", number: "sn" }, sought));
