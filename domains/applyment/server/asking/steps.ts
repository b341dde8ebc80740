import { type ChannelAccount, type KnownApplyment, type Outcome, said } from "../../../channels/server/index.ts";
import type { Dossier } from "../../contract/words.ts";
import type { ApplymentRef } from "../applyments/events.ts";

/** A reason of a rejection, as it is kept. */
export interface Said {
  readonly name: string;
  readonly reason: string;
}
export interface Row extends ApplymentRef {
  readonly merchant_id: string;
  readonly mch_id: string | null;
  readonly code: string | null;
  readonly applyment_id: string | null;
  readonly state: string;
  readonly state_at: string;
  readonly content_sealed: string;
  readonly rounds: number;
  readonly rejected: readonly Said[];
  readonly submitted_at: string;
  readonly unsent: boolean;
  readonly unheard: boolean;
  readonly sent_at: string | null;
  readonly refusal: string | null;
  readonly lost: number;
  readonly lost_why: string | null;
  readonly alarm: boolean;
  readonly media_again: boolean;
  readonly sub_mch_id: string | null;
  readonly turn: number;
  readonly asked: number;
  readonly slow_s: number;
  readonly voided_at: string | null;
  readonly silent_at: string | null;
}
export type Op =
  | { readonly name: "upload"; readonly fileId: string; readonly sha256: string }
  | { readonly name: "submit"; readonly media: ReadonlyMap<string, string> }
  | { readonly name: "query" };
export interface Begun {
  readonly row: Row & { readonly mch_id: string; readonly code: string };
  readonly dossier: Dossier;
  readonly account: ChannelAccount;
  readonly op: Op;
  readonly callId: string;
}
/** Our own no: the request could not be made, and nothing went out. */
export const NOT_SENT = "NOT_SENT";
export type Answer = { readonly mediaId: string } | { readonly applymentId: string } | KnownApplyment;

/** Words of the channel's without the secrets of a dossier. */
export function maskedIn(text: string, dossier: Dossier): string {
  let shownText = text;
  for (const [path, written] of Object.entries(dossier)) {
    // It travels without blanks around it, and comes back so.
    const value = typeof written === "string" ? written.trim() : "";
    if (value.length > 1 && /\.(name|idNumber|address|phone|mail|number|person)$/.test(path) && !/^(store|micro|business)\./.test(path))
      shownText = shownText.replaceAll(value, "****");
  }
  return shownText.replaceAll(/\d{9,}/g, (long) => `****${long.slice(-4)}`);
}

/** What is kept of an answer: no name, number or card of the dossier's stands in it. */
export function shown(outcome: Outcome<unknown>, dossier: Dossier): ReturnType<typeof said> {
  const hide = (text: string): string => maskedIn(text, dossier).slice(0, 500);
  if (outcome.kind === "refused") return said({ ...outcome, message: hide(outcome.message) });
  return said(outcome.kind === "unknown" ? { ...outcome, reason: hide(outcome.reason) } : outcome);
}
