import { randomDigits } from "../keys.ts";
import type { Operation } from "../operation.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Applyment, State } from "../state.ts";

const SUBMIT = "/v3/applyment4sub/applyment/";
const WILLING = /^\/v3\/apply4subject\/applyment\/merchants\/(\d+)\/state$/;
const BY_CODE = /^\/v3\/applyment4sub\/applyment\/business_code\/([^/]+)$/;
/** 审核 takes a few seconds here, 开通权限 too, before `speed`. */
const AUDIT_MS = 5_000;
const OPENING_MS = 3_000;
const BLOCKS = ["contact_info", "subject_info", "business_info", "settlement_info", "bank_account_info"];
/** Names of fields that travel sealed (channels.md 1.2–1.7), and of fields that hold pictures. */
const SEALED =
  /^(contact_name|contact_id_number|mobile_phone|contact_email|id_card_name|id_card_number|id_card_address|id_doc_name|id_doc_number|id_doc_address|ubo_id_doc_name|ubo_id_doc_number|ubo_id_doc_address|account_name|account_number)$/;
const MEDIA =
  /(_copy|_copy_back|_national|_pic|_pics|_letter|^qualifications|^activities_additions|^legal_person_commitment|^web_authorisation|^micro_qrcode)$/;

/**
 * 特约商户进件, channels.md 1. A short name with 驳回, or of a trade alone, is rejected with two reasons, one with 验证 waits for its account to be confirmed, one
 * with 慢 stays in 审核中; every other waits for its signature. Confirming, signing and cancelling are for somebody on the page, and so
 * is 开户意愿 of a number that was opened.
 */
export function findApplymentOperation(method: string, url: URL, body: Bag): Operation | undefined {
  if (url.pathname === SUBMIT && method === "POST") {
    const number = text(body["business_code"]);
    return { name: "submit-applyment", number, answer: (desk) => submit(desk, number, body) };
  }
  const opened = WILLING.exec(url.pathname)?.[1];
  if (opened !== undefined && method === "GET")
    return {
      name: "query-willing",
      number: opened,
      answer: (desk) => {
        const found = [...desk.state.applyments.values()].find((one) => one.subMchId === opened && one.mchId === desk.merchant.mchId);
        if (!found) return refuse(404, "APPLYMENT_NOTEXIST", "特约商户不存在");
        return { status: 200, body: { authorize_state: `AUTHORIZE_STATE_${found.willing ? "" : "UN"}AUTHORIZED` } };
      },
    };
  const code = BY_CODE.exec(url.pathname)?.[1];
  if (code === undefined || method !== "GET") return undefined;
  const number = decodeURIComponent(code);
  return {
    name: "query-applyment",
    number,
    answer: (desk) => {
      const found = desk.state.applyments.get(keyOf(desk.merchant.mchId, number));
      return found ? { status: 200, body: told(current(desk, found)) } : refuse(404, "APPLYMENT_NOTEXIST", "申请单不存在");
    },
  };
}
const TRADES: readonly string[] = ["便利店", "超市", "面馆", "餐饮"];
const isRejected = (shortName: string): boolean => shortName.includes("驳回") || TRADES.includes(shortName);
const keyOf = (mchId: string, code: string): string => `${mchId}/${code}`;

function submit(desk: Desk, code: string, body: Bag): Reply {
  if (!/^\w{1,124}$/.test(code)) return refuse(400, "PARAM_ERROR", "business_code 格式不正确");
  const missing = BLOCKS.find((name) => Object.keys(bag(body[name])).length === 0);
  if (missing) return refuse(400, "PARAM_ERROR", `缺少 ${missing}`);
  const wrong = faultIn(desk, body, "");
  if (wrong) return refuse(400, "PARAM_ERROR", wrong);
  const key = keyOf(desk.merchant.mchId, code);
  const before = desk.state.applyments.get(key);
  const known = before && current(desk, before);
  if (known && known.state !== "APPLYMENT_STATE_REJECTED") return refuse(400, "PROCESSING", "申请单审核中或已完成，请勿重复提交");
  const applyment: Applyment = {
    key,
    mchId: desk.merchant.mchId,
    code,
    applymentId: known?.applymentId ?? Number(`20${randomDigits(13)}`),
    shortName: text(bag(body["business_info"])["merchant_shortname"]),
    subMchId: null,
    state: "APPLYMENT_STATE_AUDITING",
    since: desk.now,
    times: (known?.times ?? 0) + 1,
  };
  desk.state.save("applyment", applyment);
  return { status: 200, body: { applyment_id: applyment.applymentId } };
}

/** The first field that is plain where it should be sealed, sealed with nobody's key, or a picture that nobody uploaded for this number. */
function faultIn(desk: Desk, value: unknown, name: string): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (one) => faultIn(desk, one, name));
  if (typeof value === "object" && value !== null) return firstOf(Object.entries(value), ([key, inner]) => faultIn(desk, inner, key));
  if (SEALED.test(name) && !desk.open(text(value))) return `${name} 解密失败`;
  return MEDIA.test(name) && desk.state.media.get(text(value))?.mchId !== desk.merchant.mchId ? `${name} 的 media_id 无效` : undefined;
}
function firstOf<T>(all: readonly T[], look: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = look(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Passing = Pick<Desk, "state" | "now" | "settings">;
/** An application as it is now. */
function current(desk: Passing, applyment: Applyment): Applyment {
  const age_ms = (desk.now - applyment.since) * desk.settings.speed;
  if (applyment.state === "APPLYMENT_STATE_AUDITING" && age_ms >= AUDIT_MS && !applyment.shortName.includes("慢")) {
    const to = isRejected(applyment.shortName) ? "REJECTED" : applyment.shortName.includes("验证") ? "TO_BE_CONFIRMED" : "TO_BE_SIGNED";
    return moved(desk, applyment, to);
  }
  if (applyment.state !== "APPLYMENT_STATE_SIGNING" || age_ms < OPENING_MS) return applyment;
  return moved(desk, { ...applyment, subMchId: `16${randomDigits(8)}` }, "FINISHED");
}
function moved(desk: Passing, applyment: Applyment, to: string): Applyment {
  const next = { ...applyment, state: `APPLYMENT_STATE_${to}`, since: desk.now };
  desk.state.save("applyment", next);
  return next;
}

const WAITING = ["APPLYMENT_STATE_AUDITING", "APPLYMENT_STATE_TO_BE_CONFIRMED", "APPLYMENT_STATE_TO_BE_SIGNED"];
const REASONS = [
  {
    field: "business_info.merchant_shortname",
    field_name: "商户简称",
    reject_reason: "商户简称不能只写行业词，请与门头照片一致",
  },
  {
    field: "subject_info.identity_info.id_card_info.id_card_copy",
    field_name: "身份证人像面照片",
    reject_reason: "身份证人像面反光，号码看不清，请重新拍摄",
  },
];
const told = ({ applymentId, code, mchId, state, subMchId }: Applyment): object => ({
  business_code: code,
  applyment_id: applymentId,
  applyment_state: state,
  applyment_state_msg: state === "APPLYMENT_STATE_REJECTED" ? "资料有误，请按驳回原因修改后重新提交" : "",
  ...(WAITING.includes(state) && { sign_url: `https://pay.weixin.qq.com/public/apply4ec_sign/s?applymentId=${applymentId}&sp=${mchId}` }),
  ...(subMchId && { sub_mchid: subMchId }),
  ...(state === "APPLYMENT_STATE_REJECTED" && { audit_detail: REASONS }),
});

/** Somebody on the page acts: 确认账户, 签约, 作废, 开户意愿. @returns undefined where that can't be done */
export function actOnApplyment(desk: Passing, given: Bag): object | undefined {
  const found = [...desk.state.applyments.values()].find(({ code, key }) => code === text(given["code"]) || key === text(given["key"]));
  if (!found) return undefined;
  const now = current(desk, found);
  if (text(given["act"]) === "will" && now.subMchId !== null) {
    desk.state.save("applyment", { ...now, willing: true });
    return { code: now.code, state: now.state };
  }
  const acts: Readonly<Record<string, readonly [from: string, to: string]>> = {
    confirm: ["TO_BE_CONFIRMED", "TO_BE_SIGNED"],
    sign: ["TO_BE_SIGNED", "SIGNING"],
    cancel: [now.state.replace("APPLYMENT_STATE_", ""), "CANCELED"],
  };
  const [from, to] = acts[text(given["act"])] ?? [];
  if (to === undefined || now.state !== `APPLYMENT_STATE_${from}` || from === "FINISHED") return undefined;
  const { code, state } = moved(desk, now, to);
  return { code, state };
}
/** What the page shows: those that somebody may still act on. */
export const openApplyments = (desk: Passing): readonly object[] =>
  [...desk.state.applyments.values()]
    .map((one) => current(desk, one))
    .filter(({ state, willing }) => WAITING.includes(state) || (state === "APPLYMENT_STATE_FINISHED" && !willing))
    .slice(-20)
    .map(({ key, code, shortName, state }) => ({ key, code, shortName, state }));
export const applymentsOf = (state: State): readonly Applyment[] => [...state.applyments.values()];
