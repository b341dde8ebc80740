import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Receiver } from "../state.ts";

const RELATIONS = [
  "SERVICE_PROVIDER",
  "STORE",
  "STAFF",
  "STORE_OWNER",
  "PARTNER",
  "HEADQUARTER",
  "BRAND",
  "DISTRIBUTOR",
  "USER",
  "SUPPLIER",
  "CUSTOM",
];
const TYPES = ["MERCHANT_ID", "PERSONAL_OPENID", "PERSONAL_SUB_OPENID"];
const MOST_RECEIVERS = 20_000;

export const receiverKey = (mchId: string, subMchId: string | null, type: string, account: string) =>
  `${mchId}/${subMchId ?? ""}/${type}/${account}`;

/** 添加分账接收方: a merchant with its sealed whole name; adding one that is there is fine. */
export function addReceiver(desk: Desk, body: Bag): Reply {
  const { state, merchant } = desk;
  const subMchId = text(body["sub_mchid"]) || null;
  const [type, account, relation] = [text(body["type"]), text(body["account"]), text(body["relation_type"])];
  if (!TYPES.includes(type) || !/^[\w-]{1,64}$/.test(account)) return refuse(400, "PARAM_ERROR", "接收方类型或账号有误");
  if (!RELATIONS.includes(relation)) return refuse(400, "PARAM_ERROR", "relation_type 有误");
  const custom = text(body["custom_relation"]);
  if (relation === "CUSTOM" && (custom === "" || custom.length > 10))
    return refuse(400, "PARAM_ERROR", "custom_relation 须为 1 到 10 个字");
  if (!text(body["appid"])) return refuse(400, "PARAM_ERROR", "appid 不能为空");
  const sealed = text(body["name"]);
  const name = sealed === "" ? null : desk.open(sealed);
  if (name === undefined) return refuse(400, "PARAM_ERROR", "敏感信息解密失败");
  if (type === "MERCHANT_ID" && name === null) return refuse(400, "PARAM_ERROR", "商户全称不能为空");
  if (name?.includes("不符")) return refuse(400, "INVALID_REQUEST", "分账接收方全称与商户号不匹配");
  if (state.receivers.size >= MOST_RECEIVERS) return refuse(400, "RULE_LIMIT", "分账接收方数量超过上限");
  const receiver: Receiver = {
    key: receiverKey(merchant.mchId, subMchId, type, account),
    mchId: merchant.mchId,
    subMchId,
    type,
    account,
    name,
    relation,
    custom: custom || null,
    removed: false,
  };
  state.save("receiver", receiver);
  return { status: 200, body: { ...(subMchId && { sub_mchid: subMchId }), type, account, relation_type: relation } };
}

/** 删除分账接收方; one that nobody added is gone already. */
export function removeReceiver(desk: Desk, body: Bag): Reply {
  const subMchId = text(body["sub_mchid"]) || null;
  const [type, account] = [text(body["type"]), text(body["account"])];
  const found = desk.state.receivers.get(receiverKey(desk.merchant.mchId, subMchId, type, account));
  if (found) desk.state.save("receiver", { ...found, removed: true });
  return { status: 200, body: { ...(subMchId && { sub_mchid: subMchId }), type, account } };
}

/** The receivers that a share names, or why not: each added before, a name that fits, amounts of at least a cent. */
export function namedReceivers(
  desk: Desk,
  subMchId: string | null,
  given: unknown,
): { type: string; account: string; amount: number; description: string }[] | Reply {
  const list = Array.isArray(given) ? given.map(bag) : [];
  if (list.length === 0 || list.length > 50) return refuse(400, "PARAM_ERROR", "分账接收方须为 1 到 50 个");
  const named = [];
  for (const one of list) {
    const [type, account, amount, description] = [text(one["type"]), text(one["account"]), one["amount"], text(one["description"])];
    if (typeof amount !== "number" || !Number.isSafeInteger(amount) || amount < 1) return refuse(400, "PARAM_ERROR", "分账金额有误");
    if (description === "" || description.length > 80) return refuse(400, "PARAM_ERROR", "分账描述须为 1 到 80 个字");
    const known = desk.state.receivers.get(receiverKey(desk.merchant.mchId, subMchId, type, account));
    if (!known || known.removed) return refuse(400, "INVALID_REQUEST", "分账接收方未添加");
    const sealed = text(one["name"]);
    if (sealed && desk.open(sealed) !== known.name) return refuse(400, "INVALID_REQUEST", "分账接收方姓名不匹配");
    named.push({ type, account, amount, description });
  }
  if (new Set(named.map((one) => `${one.type}/${one.account}`)).size < named.length) return refuse(400, "PARAM_ERROR", "分账接收方重复");
  return named;
}
