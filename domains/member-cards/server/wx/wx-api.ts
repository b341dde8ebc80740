import type { WxCardState, WxHolderState } from "../../contract/index.ts";

/** A card as WeChat is to show it. */
export interface WxCardFace {
  /** Ours: by it a card is found whose making nobody heard of. */
  readonly mark: string;
  readonly merchantName: string;
  readonly name: string;
  readonly tone: string;
  readonly notice: string;
  readonly phone: string;
  readonly rights: string;
  readonly logoUrl: string;
  readonly form: Readonly<Record<string, number>>;
  readonly auto: boolean;
  /** From when on, and the last day on which it is worth something; null for ever. */
  readonly madeAt: string;
  readonly endsOn: string | null;
}
/** A holder's card as our book has it. */
export interface WxHolder {
  readonly wxCardId: string;
  readonly code: string;
  readonly from: WxHolderState;
  readonly to: WxHolderState;
  readonly points: number;
  readonly storedCents: number;
}
export type Reviewed = Exclude<WxCardState, 0>;
export type WxAnswer<T = object> = ({ readonly state: "done" } & T) | { readonly state: "refused"; readonly why: string };
/** Either API of WeChat for member cards. What it throws leaves the outcome unknown. */
export interface WxCards {
  create(face: WxCardFace): Promise<WxAnswer<{ readonly wxCardId: string; readonly review: Reviewed }>>;
  /** A card that carries our mark; undefined where there is none. */
  find(mark: string): Promise<string | undefined>;
  update(wxCardId: string, face: WxCardFace): Promise<WxAnswer<{ readonly review: Reviewed }>>;
  /** Makes what whoever takes it is asked what our form is, where that is a call of its own. The same twice is the same. */
  ask(wxCardId: string, face: WxCardFace): Promise<WxAnswer>;
  /** How its review stands. */
  review(wxCardId: string): Promise<Reviewed>;
  remove(wxCardId: string): Promise<WxAnswer>;
  /** Makes WeChat's row of a holder what ours is. The same twice is the same. */
  put(holder: WxHolder): Promise<WxAnswer>;
}
