import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getWithdrawal } from "../../contract/index.ts";

export type Withdrawal = OutputOf<typeof getWithdrawal>;
