import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import type { Reviewed, WxAnswer, WxCardFace, WxCards } from "./wx-api.ts";
import type { WxHttp } from "./wx-http.ts";

// The legacy API of member cards (api.weixin.qq.com, cgi-bin). Words and states: [S]; the limits are WeChat's.
const REVIEW: Readonly<Record<string, Reviewed>> = {
  CARD_STATUS_NOT_VERIFY: 1,
  CARD_STATUS_VERIFY_OK: 2,
  CARD_STATUS_DISPATCH: 2,
  CARD_STATUS_VERIFY_FAIL: 3,
  CARD_STATUS_DELETE: 4,
};
const FORM: Readonly<Record<string, string>> = {
  mobile: "USER_FORM_INFO_FLAG_MOBILE",
  name: "USER_FORM_INFO_FLAG_NAME",
  birthday: "USER_FORM_INFO_FLAG_BIRTHDAY",
  idcard: "USER_FORM_INFO_FLAG_IDCARD",
  income: "USER_FORM_INFO_FLAG_INCOME",
  industry: "USER_FORM_INFO_FLAG_INDUSTRY",
  habit: "USER_FORM_INFO_FLAG_HABIT",
  email: "USER_FORM_INFO_FLAG_EMAIL",
  location: "USER_FORM_INFO_FLAG_LOCATION",
  sex: "USER_FORM_INFO_FLAG_SEX",
  education: "USER_FORM_INFO_FLAG_EDUCATION_BACKGROUND",
};
/** The mark stands at the end of the terms, where the customer reads it as the card's own number. */
const markText = (mark: string) => `卡种编号 ${mark}`;
const colour = (tone: string) => `Color${tone.slice(5)}`;
/** Asked of the holder in WeChat: what must be and what may be. */
const formOf = (face: WxCardFace, flag: number) => ({
  common_field_id_list: Object.entries(face.form).flatMap(([field, value]) => (value === flag && FORM[field] ? [FORM[field]] : [])),
});
const seconds = (at: string) => Math.floor(Date.parse(at) / 1_000);
/** Until the last second of its last day. One for ever says so when it is made; what is said of the time of a card later is a range. */
const datesOf = ({ madeAt, endsOn }: WxCardFace) =>
  endsOn !== null && {
    date_info: {
      type: "DATE_TYPE_FIX_TIME_RANGE",
      begin_timestamp: seconds(madeAt),
      end_timestamp: seconds(dayStart(addDays(endsOn, 1))) - 1,
    },
  };
const baseOf = (face: WxCardFace) => ({
  logo_url: face.logoUrl,
  brand_name: face.merchantName.slice(0, 12),
  title: face.name,
  color: colour(face.tone),
  notice: face.notice.slice(0, 16) || "使用时出示",
  ...(face.phone && { service_phone: face.phone }),
  ...datesOf(face),
  description: `${face.rights ? `${face.rights}\n` : ""}${markText(face.mark)}`,
});
const doneOr = <T extends object>(answer: Readonly<Record<string, unknown>>, also: () => T): WxAnswer<T> => {
  const { errcode, errmsg } = answer;
  if (errcode === 0) return { state: "done", ...also() };
  // Busy: nobody knows, ask again.
  if (errcode === -1 || errcode === 45_009) throw new Error(`WeChat is busy: ${String(errcode)}`);
  return { state: "refused", why: `微信 ${String(errcode)}：${typeof errmsg === "string" ? errmsg : "没有说明"}`.slice(0, 200) };
};

const newCard = (face: WxCardFace) => ({
  card: {
    card_type: "MEMBER_CARD",
    member_card: {
      base_info: {
        date_info: { type: "DATE_TYPE_PERMANENT" },
        ...baseOf(face),
        code_type: "CODE_TYPE_BARCODE",
        use_custom_code: true,
        get_limit: 1,
        can_share: false,
        can_give_friend: false,
        sku: { quantity: 5_000_000 },
      },
      prerogative: face.rights || "以门店公示为准",
      auto_activate: false,
      wx_activate: !face.auto,
      supply_bonus: true,
      supply_balance: false,
    },
  },
});

export function openCards(http: WxHttp): WxCards {
  const get = async (wxCardId: string) => {
    const answer = await http.call("/card/get", { card_id: wxCardId });
    const card = (answer["card"] as { member_card?: { base_info?: Record<string, unknown> } } | undefined)?.member_card?.base_info;
    if (!card) throw new Error(`WeChat told nothing of a card: ${String(answer["errcode"])}`);
    return card;
  };
  const reviewOf = (status: unknown): Reviewed => REVIEW[String(status)] ?? 1;
  return {
    async create(face) {
      const answer = await http.call("/card/create", newCard(face));
      return doneOr(answer, () => ({ wxCardId: String(answer["card_id"]), review: 1 as Reviewed }));
    },
    async find(mark) {
      const PAGE = 50;
      for (let offset = 0; ; offset += PAGE) {
        const answer = await http.call("/card/batchget", { offset, count: PAGE });
        const ids = (answer["card_id_list"] ?? []) as string[];
        for (const id of ids) if (String((await get(id))["description"]).endsWith(markText(mark))) return id;
        if (ids.length < PAGE) return undefined;
      }
    },
    async update(wxCardId, face) {
      // A card keeps brand, code and number; what is changed is sent whole.
      const { brand_name: _kept, ...base_info } = baseOf(face);
      const answer = await http.call("/card/update", {
        card_id: wxCardId,
        member_card: { base_info, prerogative: face.rights || "以门店公示为准" },
      });
      return doneOr(answer, () => ({ review: (answer["send_check"] === true ? 1 : 2) as Reviewed }));
    },
    async ask(wxCardId, face) {
      if (face.auto) return { state: "done" };
      const answer = await http.call("/card/membercard/activateuserform/set", {
        card_id: wxCardId,
        required_form: formOf(face, 2),
        optional_form: formOf(face, 1),
      });
      return doneOr(answer, () => ({}));
    },
    review: async (wxCardId) => reviewOf((await get(wxCardId))["status"]),
    remove: async (wxCardId) => doneOr(await http.call("/card/delete", { card_id: wxCardId }), () => ({})),
    async put({ wxCardId, code, from, to, points, storedCents }) {
      const who = { card_id: wxCardId, code };
      const value = { bonus: points, balance: storedCents };
      if (from === 1) {
        const activated = doneOr(
          await http.call("/card/membercard/activate", {
            ...who,
            membership_number: code,
            init_bonus: value.bonus,
            init_balance: value.balance,
          }),
          () => ({}),
        );
        if (activated.state === "refused") return activated;
      }
      // WeChat's own EXPIRE comes by the card's date; before that there is only what makes a card useless.
      if (to > 2) return doneOr(await http.call("/card/code/unavailable", { ...who, reason: "会员卡已停用" }), () => ({}));
      return from === 1 ? { state: "done" } : doneOr(await http.call("/card/membercard/updateuser", { ...who, ...value }), () => ({}));
    },
  };
}
