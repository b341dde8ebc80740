import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getProvider } from "../../contract/index.ts";

/** A provider as its details and the forms over it read it. */
export type ProviderFacts = OutputOf<typeof getProvider>;
