import type { MoveKind } from "../../contract/index.ts";

/** What is known of a thing before it moves. */
export interface Piece {
  readonly sn: string;
  /** 0 在库, 1 使用中, 2 维修中, 3 已报废 */
  readonly state: number;
  readonly service_provider_id: string | null;
  readonly merchant_id: string | null;
}
/** Who moves it, by level, with the ids that go with it. */
export interface Mover {
  readonly level: string;
  readonly provider?: string | undefined;
  readonly merchant?: string | undefined;
}
export interface Place {
  readonly service_provider_id: string | null;
  readonly merchant_id: string | null;
}
const WORDS: Readonly<Record<number, string>> = { 0: "在库", 1: "使用中", 2: "维修中", 3: "已报废" };
/** In which state a thing must be to be moved so, and in which it is afterwards. */
export const STEPS: Readonly<Record<Exclude<MoveKind, "intake">, readonly [from: number, to: number]>> = {
  issue: [0, 0],
  return: [0, 0],
  repair: [0, 2],
  repaired: [2, 0],
  bind: [0, 1],
  unbind: [1, 0],
  retire: [0, 3],
};

const holds = (piece: Place, mover: Mover): boolean =>
  mover.level === "ADMIN"
    ? piece.service_provider_id === null
    : mover.level === "SP"
      ? piece.service_provider_id === mover.provider && piece.merchant_id === null
      : mover.level === "MCH" && piece.merchant_id === mover.merchant;
/** Whether somebody stands one level above whoever holds it. */
const standsAbove = (piece: Place, mover: Mover): boolean =>
  mover.level === "ADMIN"
    ? piece.service_provider_id !== null && piece.merchant_id === null
    : mover.level === "SP" && piece.merchant_id !== null && piece.service_provider_id === mover.provider;

/**
 * Why a thing cannot be moved so by somebody, in words; undefined where it can. Only who holds it hands it out, sends it to repair
 * or throws it away; who holds it or stands above gives it back; in use it comes and goes with its store.
 */
export function whyNot(kind: Exclude<MoveKind, "intake">, piece: Piece, mover: Mover): string | undefined {
  const [from] = STEPS[kind];
  if (piece.state !== from) return `${piece.sn} ${WORDS[piece.state]}，不能${VERBS[kind]}`;
  const own = holds(piece, mover);
  if (kind === "return") {
    if (piece.service_provider_id === null) return `${piece.sn} 已在平台库存`;
    return own || standsAbove(piece, mover) ? undefined : `${piece.sn} 不在你或下级的库存`;
  }
  if ((kind === "bind" || kind === "unbind") && mover.level === "ADMIN") return "设备由服务商或商户绑定到门店";
  if (kind === "bind" || kind === "unbind") return own || standsAbove(piece, mover) ? undefined : `${piece.sn} 不在你或下级的库存`;
  if (kind === "issue" && mover.level === "MCH") return "商户的设备直接绑定到门店，不能再划拨";
  return own ? undefined : `${piece.sn} 不在你的库存`;
}
const VERBS: Readonly<Record<Exclude<MoveKind, "intake">, string>> = {
  issue: "划拨",
  return: "退回",
  repair: "送修",
  repaired: "修复入库",
  bind: "绑定",
  unbind: "解绑",
  retire: "报废",
};
/** Who holds it after it is given back: the level above. */
export const backTo = (piece: Place): Place =>
  piece.merchant_id === null
    ? { service_provider_id: null, merchant_id: null }
    : { service_provider_id: piece.service_provider_id, merchant_id: null };
/** What somebody may do with a thing now. */
export const mayNow = (piece: Piece, mover: Mover): string[] =>
  (Object.keys(STEPS) as (keyof typeof STEPS)[]).filter((kind) => whyNot(kind, piece, mover) === undefined);
