import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { listReconDays } from "../../contract/index.ts";

export type Day = RowOf<typeof listReconDays>;
