import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Outcome, Transport } from "../../channel.ts";
import type { ChannelStock, CouponChannel, StockOrder } from "../../types/coupons.ts";
import { CARRY, QUERY } from "../read/refusals.ts";
import { rfc3339 } from "../payment-request.ts";
import { type Call, type Means, sendRequest } from "../signing/send-request.ts";

const ROOT = "/v3/marketing/favor";
const stockId = z.object({ stock_id: z.string().min(1).max(20) });
const ended = z.object({ stock_id: z.string() });
const stock = z.object({
  status: z.string(),
  stock_use_rule: z.object({ max_coupons: z.int().min(0) }),
  distributed_coupons: z.int().min(0).default(0),
});
const STATES: Readonly<Record<string, ChannelStock["state"]>> = {
  unactivated: "waiting",
  audit: "waiting",
  running: "running",
  paused: "paused",
  stoped: "stopped",
};
const NONE = (what: string): Promise<Outcome<never>> =>
  Promise.resolve({ kind: "refused", code: "UNSUPPORTED", message: `代金券没有${what}的接口` });

/**
 * 代金券, 免充值 (`no_cash`). Fields and limits: pay.weixin.qq.com/doc/v3/partner/4012534537 and docs/merchant/products/cash-coupons/
 * apilist.html, read 2026-11. WeChat redeems its own when a wallet pays, so there are no codes of ours, no use, no return and no
 * deactivation, and its number cannot be changed. Not verified: that `available_merchants` takes a sub-merchant of the provider's.
 */
export function wechatFavor(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): CouponChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  const ask = <T>(
    account: ChannelAccount,
    call: Pick<Call<T>, "method" | "path" | "refusals"> & { body?: object },
    read: Call<T>["read"],
  ) => sendRequest<T>(means, account, { ...call, path: `${ROOT}/${call.path}`, read });
  return {
    createStock: (account, order) =>
      ask(account, { method: "POST", path: "coupon-stocks", body: stockBody(account, order), refusals: CARRY }, (status, body) => {
        const found = status === 200 ? stockId.safeParse(body).data : undefined;
        return found && { stockId: found.stock_id };
      }),
    steer: (account, id, act) =>
      ask(
        account,
        { method: "POST", path: `stocks/${encodeURIComponent(id)}/${act}`, body: { stock_creator_mchid: account.mchId }, refusals: CARRY },
        (status, body) => (status === 200 && ended.safeParse(body).data?.stock_id === id ? null : undefined),
      ),
    changeBudget: () => NONE("改批次数量"),
    codes: () => NONE("上传券码"),
    use: () => NONE("核销"),
    giveBack: () => NONE("退券"),
    deactivate: () => NONE("作废"),
    query: () => NONE("按券码查询"),
    verify: (account, id) =>
      ask(
        account,
        {
          method: "GET",
          path: `stocks/${encodeURIComponent(id)}?stock_creator_mchid=${encodeURIComponent(account.mchId)}`,
          refusals: QUERY,
        },
        (status, body) => {
          const found = status === 200 ? stock.safeParse(body).data : undefined;
          const state = found && STATES[found.status];
          return state && { state, total: found.stock_use_rule.max_coupons, sent: found.distributed_coupons, codes: null };
        },
      ),
  };
}

function stockBody(account: ChannelAccount, order: StockOrder): object {
  const off = order.worth.type === "NORMAL" ? order.worth.off_cents : 0;
  return {
    stock_name: order.name,
    // 暂不支持入参其他的商户号: whoever makes it.
    belong_merchant: account.mchId,
    available_begin_time: rfc3339(order.from),
    available_end_time: rfc3339(order.to),
    stock_use_rule: {
      max_coupons: order.total,
      max_amount: order.total * off,
      max_coupons_per_user: order.perPerson,
      natural_person_limit: false,
      prevent_api_abuse: false,
    },
    pattern_info: { description: order.description },
    coupon_use_rule: {
      fixed_normal_coupon: { coupon_amount: off, transaction_minimum: order.min_cents },
      available_merchants: [account.subMchId ?? account.mchId],
      combine_use: false,
    },
    no_cash: true,
    stock_type: "NORMAL",
    out_request_no: order.outRequestNo,
  };
}
