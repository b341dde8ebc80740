import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Outcome, Transport } from "../../channel.ts";
import type { ChannelCouponState, ChannelStock, CodeStep, CouponChannel } from "../../types/coupons.ts";
import { CARRY, CARRY_CODES, QUERY } from "../read/refusals.ts";
import { rfc3339 } from "../payment-request.ts";
import { stockBody } from "./busifavor-stock.ts";
import { type Call, type Means, sendRequest } from "../signing/send-request.ts";

const ROOT = "/v3/marketing/busifavor";
const stockId = z.object({ stock_id: z.string().min(1).max(20) });
const uploaded = z.object({
  stock_id: z.string(),
  success_codes: z.array(z.string()).default([]),
  exist_codes: z.array(z.string()).default([]),
  fail_codes: z.array(z.object({ coupon_code: z.string(), code: z.string().default(""), message: z.string().default("") })).default([]),
});
const budget = z.object({ max_coupons: z.int().min(0) });
const stock = z.object({
  stock_state: z.string(),
  stock_send_rule: z.object({ max_coupons: z.int().min(0) }),
  coupon_code_count: z.object({ total_count: z.int().min(0) }).optional(),
  send_count_information: z.object({ total_send_num: z.int().min(0) }).optional(),
});
const code = z.object({
  code_information: z.object({ code: z.string() }),
  coupon_information: z.object({ coupon_state: z.string().optional() }).optional(),
});
const STOCK_STATES: Readonly<Record<string, ChannelStock["state"]>> = {
  UNAUDIT: "waiting",
  RUNNING: "running",
  PAUSED: "paused",
  STOPED: "stopped",
};
const COUPON_STATES = new Set<string>(["SENDED", "USED", "EXPIRED", "DELETED", "DEACTIVATED"] satisfies ChannelCouponState[]);

const readStock = (body: unknown): ChannelStock | undefined => {
  const found = stock.safeParse(body).data;
  const state = found && STOCK_STATES[found.stock_state];
  return (
    state && {
      state,
      total: found.stock_send_rule.max_coupons,
      sent: found.send_count_information?.total_send_num ?? 0,
      codes: found.coupon_code_count?.total_count ?? 0,
    }
  );
};
function readCode(body: unknown, asked: string): { state: ChannelCouponState } | undefined {
  const found = code.safeParse(body).data;
  if (found?.code_information.code !== asked) return undefined;
  const state = found.coupon_information?.coupon_state ?? "";
  if (state === "") return { state: "UPLOADED" };
  return COUPON_STATES.has(state) ? { state: state as ChannelCouponState } : undefined;
}
function readUploaded(body: unknown, id: string) {
  const found = uploaded.safeParse(body).data;
  if (found?.stock_id !== id) return undefined;
  const failed = Object.fromEntries(found.fail_codes.map((one) => [one.coupon_code, `${one.code} ${one.message}`.trim()]));
  return { taken: [...found.success_codes, ...found.exist_codes], failed };
}
/** A step of one code is done where WeChat says when. */
const doneAt = (path: string) => (body: unknown) =>
  typeof body === "object" && body !== null && `wechatpay_${path}_time` in body ? null : undefined;

type Ask = <T>(
  account: ChannelAccount,
  call: Pick<Call<T>, "method" | "path" | "refusals"> & { readonly body?: object },
  read: (body: unknown) => T | undefined,
) => Promise<Outcome<T>>;
const of = (id: string): string => `stocks/${encodeURIComponent(id)}`;

/**
 * 商家券 with codes of our own (MERCHANT_UPLOAD). Addresses, fields and limits: pay.weixin.qq.com/docs/partner/products/
 * merchant-exclusive-coupon/apilist.html and its pages, read 2026-11; docs/channels.md says which stands where. Not verified: that a code
 * which nobody received in WeChat can be used, and 查询预存code详情, which an SDK's list of calls has and no page that was read.
 */
export function wechatBusifavor(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): CouponChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  const ask: Ask = (account, call, read) =>
    sendRequest(means, account, {
      ...call,
      path: `${ROOT}/${call.path}`,
      read: (status, body) => (status === 200 ? read(body) : undefined),
    });
  return { ...stockCalls(ask), ...codeCalls(ask) };
}

const stockCalls = (ask: Ask): Pick<CouponChannel, "createStock" | "steer" | "changeBudget" | "verify"> => ({
  createStock: (account, order) =>
    ask(account, { method: "POST", path: "stocks", body: stockBody(account, order), refusals: CARRY }, (body) => {
      const found = stockId.safeParse(body).data;
      return found && { stockId: found.stock_id };
    }),
  steer: () => Promise.resolve({ kind: "refused", code: "UNSUPPORTED", message: "商家券没有暂停和恢复的接口" }),
  changeBudget: (account, { stockId: id, requestNo, from, to }) => {
    const body = { target_max_coupons: to, current_max_coupons: from, modify_budget_request_no: requestNo };
    return ask(account, { method: "PATCH", path: `${of(id)}/budget`, body, refusals: CARRY }, (answer) => {
      const found = budget.safeParse(answer).data;
      return found && { total: found.max_coupons };
    });
  },
  verify: (account, id) => ask(account, { method: "GET", path: of(id), refusals: QUERY }, readStock),
});

function codeCalls(ask: Ask): Pick<CouponChannel, "codes" | "use" | "giveBack" | "deactivate" | "query"> {
  const step = (
    account: ChannelAccount,
    path: "use" | "return" | "deactivate",
    { stockId: stock_id, code: coupon_code }: CodeStep,
    more: object,
  ) =>
    ask<null>(
      account,
      { method: "POST", path: `coupons/${path}`, body: { coupon_code, stock_id, ...more }, refusals: CARRY },
      doneAt(path),
    );
  return {
    codes: (account, { stockId: id, requestNo, codes }) => {
      const body = { coupon_code_list: codes, upload_request_no: requestNo };
      return ask(account, { method: "POST", path: `${of(id)}/couponcodes`, body, refusals: CARRY_CODES }, (answer) =>
        readUploaded(answer, id),
      );
    },
    use: (account, which) =>
      step(account, "use", which, { appid: account.appId, use_time: rfc3339(which.at), use_request_no: which.requestNo }),
    giveBack: (account, which) => step(account, "return", which, { return_request_no: which.requestNo }),
    deactivate: (account, which) =>
      step(account, "deactivate", which, { deactivate_request_no: which.requestNo, deactivate_reason: which.reason }),
    query: (account, which) => {
      const path = `${of(which.stockId)}/couponcodes/${encodeURIComponent(which.code)}?appid=${encodeURIComponent(account.appId)}`;
      return ask(account, { method: "GET", path, refusals: QUERY }, (body) => readCode(body, which.code));
    },
  };
}
