import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { listTrades } from "../contract.ts";

export type Trade = RowOf<typeof listTrades>;
