import { randomDigits } from "../keys.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Batch } from "../state.ts";
import type { Operation } from "../operation.ts";
import { rfc3339 } from "../wire.ts";
import { batchOf, isReply, lasts, madeBefore, within } from "./batches.ts";

const PATH = /^\/v3\/marketing\/favor\/(coupon-stocks|stocks\/([^/]+)(?:\/(start|pause|restart))?)$/;
const LONGEST_MS = 90 * 86_400_000;

/** 代金券: batches alone; their coupons are redeemed by a wallet that pays, which is not modelled. */
export function findFavorOperation(method: string, url: URL, body: Bag): Operation | undefined {
  const match = PATH.exec(url.pathname);
  if (!match) return undefined;
  if (match[1] === "coupon-stocks")
    return method === "POST"
      ? { name: "create-favor", number: text(body["out_request_no"]), answer: (desk) => createStock(desk, body) }
      : undefined;
  const id = decodeURIComponent(match[2] ?? "");
  const act = match[3] as Act | undefined;
  if (act && method === "POST")
    return { name: `${act}-favor`, number: id, answer: (desk) => steer(desk, id, act, text(body["stock_creator_mchid"])) };
  if (!act && method === "GET")
    return { name: "query-favor", number: id, answer: (desk) => queryStock(desk, id, url.searchParams.get("stock_creator_mchid") ?? "") };
  return undefined;
}

const bad = (message: string): Reply => refuse(400, "PARAM_ERROR", message);
function wrongStock(desk: Desk, body: Bag): Reply | undefined {
  const [send, rule] = [bag(body["stock_use_rule"]), bag(body["coupon_use_rule"])];
  const worth = bag(rule["fixed_normal_coupon"]);
  const name = text(body["stock_name"]);
  const wide = [...name].filter((one) => one > "\u00ff").length;
  if (name === "" || wide > 9 || [...name].length + wide > 20 || /[_,;|]/.test(name)) return bad("stock_name 不正确");
  if (text(body["belong_merchant"]) !== desk.merchant.mchId) return bad("belong_merchant 须为创建批次的商户号");
  const duration = lasts(body["available_begin_time"], body["available_end_time"]);
  if (duration === undefined || duration > LONGEST_MS) return bad("批次可用时间不正确，最长 90 天");
  if (!within(send["max_coupons"], 5, 10_000_000)) return bad("max_coupons 须为 5 到 10000000");
  if (!within(send["max_coupons_per_user"], 1, 60)) return bad("max_coupons_per_user 须为 1 到 60");
  if (!within(worth["coupon_amount"], 2, 100_000)) return bad("coupon_amount 不正确");
  if (!within(worth["transaction_minimum"], worth["coupon_amount"] + 1, 10_000_000)) return bad("门槛须大于面额");
  if (send["max_amount"] !== send["max_coupons"] * worth["coupon_amount"]) return bad("max_amount 须为面额乘发放总数");
  if (!within(send["max_amount"], 1, 10_000_000_000)) return bad("max_amount 不能超过 1 亿元");
  const shops = rule["available_merchants"];
  if (!Array.isArray(shops) || shops.length < 1 || shops.length > 50) return bad("available_merchants 不正确");
  return body["stock_type"] === "NORMAL" && typeof body["no_cash"] === "boolean" ? undefined : bad("stock_type 或 no_cash 不正确");
}
function createStock(desk: Desk, body: Bag): Reply {
  const wrong = wrongStock(desk, body);
  if (wrong) return wrong;
  const known = madeBefore(desk, "favor", body);
  if (known && isReply(known)) return known;
  const stockId = known?.stockId ?? `15${randomDigits(6)}`;
  if (!known)
    desk.state.save("batch", {
      key: stockId,
      kind: "favor",
      mchId: desk.merchant.mchId,
      stockId,
      outRequestNo: text(body["out_request_no"]),
      given: body,
      state: "unactivated",
      total: bag(body["stock_use_rule"])["max_coupons"] as number,
      sent: 0,
      budgetNo: null,
      createdAt: desk.now,
    });
  return { status: 200, body: { stock_id: stockId, create_time: rfc3339(known?.createdAt ?? desk.now) } };
}

type Act = "start" | "pause" | "restart";
const MOVES: Readonly<Record<Act, { readonly from: Batch["state"]; readonly to: Batch["state"] }>> = {
  start: { from: "unactivated", to: "running" },
  pause: { from: "running", to: "paused" },
  restart: { from: "paused", to: "running" },
};
/** 接口支持幂等重入. */
function steer(desk: Desk, stockId: string, act: Act, creator: string): Reply {
  const batch = batchOf(desk, "favor", stockId);
  if (isReply(batch)) return batch;
  if (creator !== batch.mchId) return refuse(400, "PARAM_ERROR", "stock_creator_mchid 不正确");
  const { from, to } = MOVES[act];
  if (batch.state !== from && batch.state !== to) return refuse(400, "INVALID_REQUEST", `批次当前状态为 ${batch.state}`);
  desk.state.save("batch", { ...batch, state: to });
  return { status: 200, body: { stock_id: stockId, [`${act}_time`]: rfc3339(desk.now) } };
}
function queryStock(desk: Desk, stockId: string, creator: string): Reply {
  const batch = batchOf(desk, "favor", stockId);
  if (isReply(batch)) return batch;
  if (creator !== batch.mchId) return refuse(400, "PARAM_ERROR", "stock_creator_mchid 不正确");
  const { stock_name, stock_use_rule, no_cash, stock_type } = batch.given;
  return {
    status: 200,
    body: {
      stock_id: stockId,
      stock_creator_mchid: batch.mchId,
      stock_name,
      status: batch.state,
      stock_use_rule: { ...bag(stock_use_rule), max_coupons: batch.total },
      no_cash,
      stock_type,
      distributed_coupons: batch.sent,
      create_time: rfc3339(batch.createdAt),
    },
  };
}
