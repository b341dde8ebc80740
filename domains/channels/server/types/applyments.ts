import type { ChannelAccount, Outcome } from "../channel.ts";

/** A picture for an application. */
export interface ApplymentPicture {
  /** Ends with .jpg or .png. */
  readonly fileName: string;
  readonly contentType: "image/jpeg" | "image/png";
  readonly sha256: string;
  readonly bytes: Buffer;
}
/** Why a field was rejected, in the channel's words. */
export interface RejectedField {
  readonly field: string;
  readonly name: string;
  readonly reason: string;
}
/** An application as the channel knows it; the state is its own word, EDITTING to CANCELED. */
export interface KnownApplyment {
  readonly applymentId: string;
  readonly state: string;
  readonly message: string;
  readonly subMchId: string | null;
  /** What the super admin scans; it changes. */
  readonly signUrl: string | null;
  readonly rejected: readonly RejectedField[];
}

/** One of the channel's lists for the account of a bank. */
export type BankList =
  | { readonly kind: "banks"; readonly of: "personal" | "corporate" }
  | { readonly kind: "provinces" }
  | { readonly kind: "cities"; readonly province: string }
  | { readonly kind: "branches"; readonly bank: string; readonly city: string };
export interface BankEntry {
  readonly code: string;
  readonly name: string;
  /** Of a bank: by which name an application knows it, and whether it has to name a branch too. */
  readonly accountBank?: string;
  readonly needsBranch?: boolean;
}

/**
 * 特约商户进件. One code is one application; after a rejection it is sent again under the same one. Submitting is not safe to repeat: what
 * nobody heard the end of is settled by `find`.
 */
export interface ApplymentChannel {
  /** The channel's media_id, good for this merchant number alone. */
  upload(account: ChannelAccount, picture: ApplymentPicture): Promise<Outcome<{ readonly mediaId: string }>>;
  /** @param build makes the body; what it seals is sealed for the key that the request names */
  submit(
    account: ChannelAccount,
    code: string,
    build: (seal: (text: string) => string) => object,
  ): Promise<Outcome<{ readonly applymentId: string }>>;
  find(account: ChannelAccount, code: string): Promise<Outcome<KnownApplyment>>;
  /** 开户意愿确认: whether the legal person has confirmed that this merchant number is theirs; without it the number may stop taking money. */
  willing(account: ChannelAccount, subMchId: string): Promise<Outcome<{ readonly authorized: boolean }>>;
  /** The whole of a list. A list that there is not is refused with NOT_FOUND. */
  bankList(account: ChannelAccount, list: BankList): Promise<Outcome<readonly BankEntry[]>>;
}
