import { randomDigits } from "../keys.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Batch, BatchCode } from "../state.ts";
import type { Operation } from "../operation.ts";
import { rfc3339 } from "../wire.ts";
import { batchOf, codeKey, isReply, lasts, madeBefore, within } from "./batches.ts";

const ROOT = "/v3/marketing/busifavor/";
const STOCK = /^stocks(?:\/([^/]+)(?:\/(budget|couponcodes)(?:\/([^/]+))?)?)?$/;
const STEP = /^coupons\/(use|return|deactivate)$/;
const YEAR_MS = 366 * 86_400_000;

/**
 * 商家券 with uploaded codes. Rules as docs/channels.md has them; that a code nobody received can be used is an assumption there. Codes
 * do not run out by themselves: a use is judged by its own use_time.
 */
export function findBusifavorOperation(method: string, url: URL, body: Bag): Operation | undefined {
  if (!url.pathname.startsWith(ROOT)) return undefined;
  const path = url.pathname.slice(ROOT.length);
  const step = STEP.exec(path);
  if (step && method === "POST") {
    const kind = step[1] as Step;
    return { name: `coupon-${kind}`, number: text(body["coupon_code"]), answer: (desk) => takeStep(desk, kind, body) };
  }
  const match = STOCK.exec(path);
  if (!match) return undefined;
  const [, id = "", part, code = ""] = match.map((one) => one && decodeURIComponent(one));
  if (id === "" && method === "POST")
    return { name: "create-stock", number: text(body["out_request_no"]), answer: (desk) => createStock(desk, body) };
  if (id !== "" && part === undefined && method === "GET")
    return { name: "query-stock", number: id, answer: (desk) => queryStock(desk, id) };
  if (part === "budget" && method === "PATCH") return { name: "stock-budget", number: id, answer: (desk) => changeBudget(desk, id, body) };
  if (part !== "couponcodes") return undefined;
  if (code === "" && method === "POST")
    return { name: "upload-codes", number: text(body["upload_request_no"]), answer: (desk) => upload(desk, id, body) };
  return code !== "" && method === "GET" ? { name: "query-code", number: code, answer: (desk) => queryCode(desk, id, code) } : undefined;
}

const bad = (message: string): Reply => refuse(400, "PARAM_ERROR", message);
function wrongStock(body: Bag): Reply | undefined {
  const [rule, send] = [bag(body["coupon_use_rule"]), bag(body["stock_send_rule"])];
  const time = bag(rule["coupon_available_time"]);
  const name = [...text(body["stock_name"])];
  if (name.length < 1 || name.length > 21) return bad("stock_name 字数须为 1 到 21");
  if (!/^\d{8,15}$/.test(text(body["belong_merchant"]))) return bad("belong_merchant 不正确");
  const goods = [...text(body["goods_name"])];
  if (goods.length < 1 || goods.length > 15) return bad("goods_name 字数须为 1 到 15");
  const duration = lasts(time["available_begin_time"], time["available_end_time"]);
  if (duration === undefined || duration > YEAR_MS) return bad("券可核销时间不正确，最长 1 年");
  const days = time["available_day_after_receive"];
  if (days !== undefined && !within(days, 1, 365)) return bad("available_day_after_receive 须为 1 到 365");
  const wait = time["wait_days_after_receive"];
  if (wait !== undefined && (days === undefined || !within(wait, 1, 365))) return bad("wait_days_after_receive 不正确");
  const hours = bag(time["available_week"])["available_day_time"];
  if (Array.isArray(hours) && (hours.length > 2 || hours.map(bag).some((one) => !isWindow(one)))) return bad("available_day_time 不正确");
  if (!within(send["max_coupons"], 1, 1_000_000_000)) return bad("max_coupons 不正确");
  if (!within(send["max_coupons_per_user"], 1, 100)) return bad("max_coupons_per_user 须为 1 到 100");
  if (body["coupon_code_mode"] !== "MERCHANT_UPLOAD") return bad("模拟器只支持 MERCHANT_UPLOAD");
  if (rule["use_method"] !== "OFF_LINE") return bad("模拟器只支持 OFF_LINE");
  if ([...text(bag(body["display_pattern_info"])["description"])].length > 1000) return bad("description 不能超过 1000 字");
  return isWorth(text(body["stock_type"]), rule) ? undefined : bad("优惠规则与 stock_type 不符，或金额超出范围");
}
const isWindow = (one: Bag): boolean =>
  within(one["begin_time"], 0, 86_399) && within(one["end_time"], 0, 86_399) && one["begin_time"] < one["end_time"];
function isWorth(type: string, rule: Bag): boolean {
  const most = 10_000_000;
  const named = { NORMAL: "fixed_normal_coupon", DISCOUNT: "discount_coupon", EXCHANGE: "exchange_coupon" }[type];
  const worth = bag(named && rule[named]);
  if (!within(worth["transaction_minimum"], 1, most)) return false;
  if (type === "NORMAL") return within(worth["discount_amount"], 1, most);
  return type === "DISCOUNT" ? within(worth["discount_percent"], 1, 100) : within(worth["exchange_price"], 0, most);
}

function createStock(desk: Desk, body: Bag): Reply {
  const wrong = wrongStock(body);
  if (wrong) return wrong;
  const known = madeBefore(desk, "busifavor", body);
  if (known && isReply(known)) return known;
  const batch: Batch = known ?? {
    key: "",
    kind: "busifavor",
    mchId: desk.merchant.mchId,
    stockId: `12${randomDigits(8)}`,
    outRequestNo: text(body["out_request_no"]),
    given: body,
    state: "RUNNING",
    total: bag(body["stock_send_rule"])["max_coupons"] as number,
    sent: 0,
    budgetNo: null,
    createdAt: desk.now,
  };
  if (!known) desk.state.save("batch", { ...batch, key: batch.stockId });
  return { status: 200, body: { stock_id: batch.stockId, create_time: rfc3339(batch.createdAt) } };
}
function changeBudget(desk: Desk, stockId: string, body: Bag): Reply {
  const batch = batchOf(desk, "busifavor", stockId);
  if (isReply(batch)) return batch;
  const { target_max_coupons: to, current_max_coupons: from, modify_budget_request_no: number } = body;
  const answer = (one: Batch): Reply => ({ status: 200, body: { max_coupons: one.total } });
  if (text(number) !== "" && batch.budgetNo === number) return answer(batch);
  if (!within(to, 1, 1_000_000_000) || text(number) === "") return bad("target_max_coupons 或 modify_budget_request_no 不正确");
  if (from !== batch.total) return refuse(400, "INVALID_REQUEST", "批次库存的当前值错误，请获取批次详情查看最新值");
  if (to < batch.sent) return refuse(400, "INVALID_REQUEST", "不能小于已发放数量");
  const changed = { ...batch, total: to, budgetNo: text(number) };
  desk.state.save("batch", changed);
  return answer(changed);
}
function upload(desk: Desk, stockId: string, body: Bag): Reply {
  const batch = batchOf(desk, "busifavor", stockId);
  if (isReply(batch)) return batch;
  const codes = Array.isArray(body["coupon_code_list"]) ? [...new Set(body["coupon_code_list"].map(text))] : [];
  if (codes.length < 1 || codes.length > 200) return bad("coupon_code_list 须为 1 到 200 个");
  if (text(body["upload_request_no"]) === "") return bad("upload_request_no 必填");
  const failed = codes.filter((code) => !/^[0-9A-Za-z \-_\\/=|]{1,32}$/.test(code));
  const known = codes.filter((code) => desk.state.codes.has(codeKey(stockId, code)));
  const fresh = codes.filter((code) => !failed.includes(code) && !known.includes(code));
  for (const code of fresh) {
    const made: BatchCode = { key: codeKey(stockId, code), stockId, code, state: "UPLOADED", lastNo: null, useTime: null };
    desk.state.save("code", made);
  }
  return {
    status: 200,
    body: {
      stock_id: stockId,
      total_count: codes.length,
      success_count: fresh.length,
      success_codes: fresh,
      success_time: rfc3339(desk.now),
      fail_count: failed.length,
      fail_codes: failed.map((coupon_code) => ({ coupon_code, code: "PARAM_ERROR", message: "券code格式不正确" })),
      exist_codes: known,
    },
  };
}

type Step = "use" | "return" | "deactivate";
const TO = { use: "USED", return: "SENDED", deactivate: "DEACTIVATED" } as const;
const FROM: Readonly<Record<Step, readonly BatchCode["state"][]>> = {
  use: ["UPLOADED", "SENDED"],
  return: ["USED"],
  deactivate: ["UPLOADED", "SENDED"],
};
function takeStep(desk: Desk, step: Step, body: Bag): Reply {
  const batch = batchOf(desk, "busifavor", text(body["stock_id"]));
  if (isReply(batch)) return batch;
  const number = text(body[`${step}_request_no`]);
  if (number === "" || number.length > 128) return bad(`${step}_request_no 不正确`);
  const known = desk.state.codes.get(codeKey(batch.stockId, text(body["coupon_code"])));
  if (!known) return refuse(404, "RESOURCE_NOT_EXISTS", "券不存在");
  const answer = { status: 200, body: { [`wechatpay_${step}_time`]: rfc3339(desk.now) } };
  // The same number again is the same step.
  if (known.state === TO[step] && known.lastNo === number) return answer;
  if (!FROM[step].includes(known.state)) return refuse(400, "INVALID_REQUEST", `券当前状态为 ${known.state}，不能操作`);
  if (step === "use" && !isInTime(batch, text(body["use_time"]))) return refuse(400, "INVALID_REQUEST", "不在券的可用时间内");
  if (step === "use" && text(body["appid"]) === "") return bad("appid 必填");
  desk.state.save("code", { ...known, state: TO[step], lastNo: number, useTime: step === "use" ? text(body["use_time"]) : known.useTime });
  return answer;
}
function isInTime({ given }: Batch, at: string): boolean {
  const time = bag(bag(given["coupon_use_rule"])["coupon_available_time"]);
  const [moment, end] = [Date.parse(at), Date.parse(text(time["available_end_time"]))];
  return !Number.isNaN(moment) && moment <= end;
}

function queryStock(desk: Desk, stockId: string): Reply {
  const batch = batchOf(desk, "busifavor", stockId);
  if (isReply(batch)) return batch;
  const codes = [...desk.state.codes.values()].filter((one) => one.stockId === stockId);
  return {
    status: 200,
    body: {
      ...batch.given,
      stock_id: stockId,
      stock_state: batch.state,
      stock_send_rule: { ...bag(batch.given["stock_send_rule"]), max_coupons: batch.total },
      send_count_information: { total_send_num: batch.sent, total_send_amount: 0, today_send_num: 0, today_send_amount: 0 },
      coupon_code_count: { total_count: codes.length, available_count: codes.filter(({ state }) => state === "UPLOADED").length },
    },
  };
}
function queryCode(desk: Desk, stockId: string, code: string): Reply {
  const batch = batchOf(desk, "busifavor", stockId);
  if (isReply(batch)) return batch;
  const known = desk.state.codes.get(codeKey(stockId, code));
  if (!known) return refuse(404, "RESOURCE_NOT_EXISTS", "券code不存在");
  const { stock_name, belong_merchant, goods_name, stock_type, coupon_use_rule } = batch.given;
  return {
    status: 200,
    body: {
      code_information: { code, code_status: known.state === "UPLOADED" ? "AVAILABLE" : "DISPATCHED" },
      coupon_information: {
        stock_name,
        belong_merchant,
        goods_name,
        stock_type,
        coupon_use_rule,
        ...(known.state !== "UPLOADED" && { coupon_state: known.state }),
      },
    },
  };
}
