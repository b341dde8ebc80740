import type { Reviewed, WxAnswer, WxCardFace, WxCards } from "./wx-api.ts";
import type { WxHttp } from "./wx-http.ts";

/**
 * UNVERIFIED: that there is a brand card-member API with a confirmation after opening, a sync of points and five calls a second is official
 * [D], and so are the states; its paths, the names of its fields and how it signs are not read yet [U]. All of that stands here and nowhere
 * else; until it is read this speaks to the simulator alone.
 */
const UNVERIFIED = {
  create: "/brand/card-member/cards",
  find: "/brand/card-member/cards/query-by-out-no",
  update: "/brand/card-member/cards/modify",
  query: "/brand/card-member/cards/query",
  remove: "/brand/card-member/cards/delete",
  /** The confirmation that whoever took a card is a member. */
  confirm: "/brand/card-member/user-cards/confirm",
  points: "/brand/card-member/user-cards/sync-points",
  state: "/brand/card-member/user-cards/modify-state",
} as const;

const REVIEW: Readonly<Record<string, Reviewed>> = { NOT_APPROVE: 1, APPROVED: 2, APPROVE_FAIL: 3, DELETED: 4 };
const HOLDER = { 1: "NOT_ACTIVATE", 2: "EFFECTIVE", 3: "EXPIRE", 4: "UNAVAILABLE", 5: "DELETE" } as const;
type Answer = Readonly<Record<string, unknown>>;

const bodyOf = ({ mark, merchantName, name, tone, notice, phone, rights, logoUrl, form, auto, endsOn }: WxCardFace) => ({
  out_card_no: mark,
  brand_name: merchantName,
  title: name,
  background_color: tone,
  notice,
  service_phone: phone,
  description: rights,
  logo_url: logoUrl,
  user_form: form,
  activate_mode: auto ? "AUTO_ACTIVATE" : "JUMP_ACTIVATE",
  code_mode: "MERCHANT_DEPOSIT",
  code_type: "BAR_CODE_AND_QRCODE",
  date_info: endsOn === null ? { type: "PERMANENT" } : { type: "FIX_TIME_RANGE", end_day: endsOn },
});
function doneOr<T extends object>(answer: Answer, also: () => T): WxAnswer<T> {
  const { code, message } = answer;
  if (code === undefined) return { state: "done", ...also() };
  if (code === "SYSTEM_ERROR" || code === "FREQUENCY_LIMITED") throw new Error(`WeChat is busy: ${code}`);
  const said = typeof message === "string" ? message : "没有说明";
  return { state: "refused", why: `微信 ${typeof code === "string" ? code : ""}：${said}`.slice(0, 200) };
}
const reviewOf = (answer: Answer): Reviewed => REVIEW[String(answer["card_state"])] ?? 1;

export function brandCards(http: WxHttp): WxCards {
  return {
    async create(face) {
      const answer = await http.call(UNVERIFIED.create, bodyOf(face));
      return doneOr(answer, () => ({ wxCardId: String(answer["card_id"]), review: reviewOf(answer) }));
    },
    async find(mark) {
      const { card_id } = await http.call(UNVERIFIED.find, { out_card_no: mark });
      return typeof card_id === "string" ? card_id : undefined;
    },
    async update(wxCardId, face) {
      const answer = await http.call(UNVERIFIED.update, { card_id: wxCardId, ...bodyOf(face) });
      return doneOr(answer, () => ({ review: reviewOf(answer) }));
    },
    // The form goes with the card.
    ask: async () => ({ state: "done" }),
    review: async (wxCardId) => reviewOf(await http.call(UNVERIFIED.query, { card_id: wxCardId })),
    remove: async (wxCardId) => doneOr(await http.call(UNVERIFIED.remove, { card_id: wxCardId }), () => ({})),
    async put({ wxCardId, code, from, to, points }) {
      const who = { card_id: wxCardId, user_card_code: code };
      if (from === 1) {
        const confirmed = doneOr(await http.call(UNVERIFIED.confirm, { ...who, points }), () => ({}));
        if (confirmed.state === "refused" || to === 2) return confirmed;
      }
      if (to !== from) {
        const moved = doneOr(await http.call(UNVERIFIED.state, { ...who, user_card_state: HOLDER[to] }), () => ({}));
        if (moved.state === "refused" || to !== 2) return moved;
      }
      return doneOr(await http.call(UNVERIFIED.points, { ...who, points }), () => ({}));
    },
  };
}
