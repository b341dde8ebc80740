import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { severity, Step } from "../codes.ts";

/** What the doctor found at a field, before it is known where the field stands. */
export interface Fault {
  readonly path: string;
  readonly severity: CodeOf<typeof severity>;
  /** A short name for tests and for counting; never shown. */
  readonly rule: string;
  /** What is wrong and what to do, in one sentence. */
  readonly text: string;
  /** Another application that it is about. */
  readonly applymentId?: string;
}
export interface Finding extends Fault {
  readonly step: Step;
  readonly label: string;
}
