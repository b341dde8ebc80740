import type { ConfigCalls, ConfigKey } from "../contract/index.ts";

/** One configuration: whose keys, and which rows are its. */
export interface Namespace {
  readonly namespace: "device" | "ad";
  readonly keys: readonly ConfigKey[];
  readonly calls: ConfigCalls;
}
