import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getPayOrder } from "../../contract/index.ts";

export type PayOrderDetails = OutputOf<typeof getPayOrder>;
