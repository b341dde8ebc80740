import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { listDifferences } from "../../contract/index.ts";

export type Difference = RowOf<typeof listDifferences>;
