import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getMerchantProfile } from "../../../contract/index.ts";

export type Profile = OutputOf<typeof getMerchantProfile>;
