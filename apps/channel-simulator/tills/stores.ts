import { randomDigits } from "../keys.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Guide, Store } from "../state.ts";
import type { Operation } from "../operation.ts";

const STORE = /^\/v3\/merchant-store\/stores(?:\/(\d+))?$/;
const GUIDE = /^\/v3\/smartguide\/guides(?:\/([^/]+))?$/;

/**
 * Stores and service staff. Source of the addresses: 品牌门店 4013948546 and 4013948577, 支付即服务 (channels.md 7.6). A name of
 * a store with 退回 in it is refused by the audit, one with 待审 stays in it; every other is valid at once. What the real
 * audit takes, and its states besides STORE_STATE_VALID, is not known.
 */
export function findStoreOperation(method: string, url: URL, body: Bag): Operation | undefined {
  const sub = method === "GET" ? url.searchParams.get("sub_mchid") : text(body["sub_mchid"]) || null;
  const store = STORE.exec(url.pathname);
  if (store && !store[1] && method === "POST")
    return {
      name: "open-store",
      number: text(bag(body["store_basics"])["store_reference_id"]),
      answer: (desk) => openStore(desk, sub, body),
    };
  if (store?.[1] && method === "GET")
    return { name: "find-store", number: store[1], answer: (desk) => findStore(desk, sub, store[1] ?? "") };
  const guide = GUIDE.exec(url.pathname);
  if (guide && !guide[1] && method === "POST")
    return { name: "register-guide", number: text(body["userid"]), answer: (desk) => registerGuide(desk, sub, body) };
  if (guide && !guide[1] && method === "GET")
    return { name: "find-guide", number: url.searchParams.get("userid") ?? "", answer: (desk) => findGuides(desk, sub, url) };
  if (guide?.[1] && method === "PATCH")
    return { name: "update-guide", number: guide[1], answer: (desk) => updateGuide(desk, sub, guide[1] ?? "", body) };
  return undefined;
}

const mine = (desk: Desk, sub: string | null) => (one: Store | Guide) => one.mchId === desk.merchant.mchId && one.subMchId === sub;

function openStore(desk: Desk, subMchId: string | null, body: Bag): Reply {
  const basics = bag(body["store_basics"]);
  const address = bag(body["store_address"]);
  if (!text(basics["store_name"])) return refuse(400, "PARAM_ERROR", "门店名称不能为空");
  if (!/^\d{6}$/.test(text(address["address_code"])) || !text(address["address_detail"])) return refuse(400, "PARAM_ERROR", "门店地址有误");
  const storeId = Number(`2${randomDigits(8)}`);
  const called = `${text(basics["store_name"])}${text(basics["branch_name"])}`;
  const [state, reason] = called.includes("退回")
    ? ["STORE_STATE_INVALID", "地址核实不通过"]
    : called.includes("待审")
      ? ["STORE_STATE_CHECKING", null]
      : ["STORE_STATE_VALID", null];
  desk.state.save("store", { key: String(storeId), mchId: desk.merchant.mchId, subMchId, storeId, given: body, state, reason } as Store);
  return { status: 200, body: { store_id: storeId } };
}
function findStore(desk: Desk, subMchId: string | null, number: string): Reply {
  const store = desk.state.stores.get(number);
  if (!store || !mine(desk, subMchId)(store)) return refuse(404, "RESOURCE_NOT_EXISTS", "门店不存在");
  const { store_basics, store_address, store_business, store_recipient } = store.given;
  const told = { store_state_value: store.state, ...(store.reason && { address_failed_reason: store.reason }) };
  return { status: 200, body: { store_basics, store_address, store_business, store_recipient, store_state: told } };
}
function registerGuide(desk: Desk, subMchId: string | null, body: Bag): Reply {
  const store = desk.state.stores.get(String(body["store_id"]));
  if (!store || !mine(desk, subMchId)(store)) return refuse(400, "PARAM_ERROR", "门店不存在");
  for (const field of ["corpid", "userid", "name", "mobile", "qr_code", "avatar"])
    if (!text(body[field])) return refuse(400, "PARAM_ERROR", `${field} 不能为空`);
  const userid = text(body["userid"]);
  const known = [...desk.state.guides.values()].find(
    (one) => mine(desk, subMchId)(one) && one.storeId === store.storeId && one.userid === userid,
  );
  if (known) return refuse(400, "RESOURCE_ALREADY_EXISTS", "服务人员已注册");
  const guideId = `LLA3${randomDigits(16)}`;
  desk.state.save("guide", {
    key: guideId,
    mchId: desk.merchant.mchId,
    subMchId,
    guideId,
    storeId: store.storeId,
    userid,
    given: body,
  } as Guide);
  return { status: 200, body: { guide_id: guideId } };
}
function updateGuide(desk: Desk, subMchId: string | null, guideId: string, body: Bag): Reply {
  const guide = desk.state.guides.get(guideId);
  if (!guide || !mine(desk, subMchId)(guide)) return refuse(404, "RESOURCE_NOT_EXISTS", "服务人员不存在");
  desk.state.save("guide", { ...guide, given: { ...guide.given, ...body } });
  return { status: 204 };
}
function findGuides(desk: Desk, subMchId: string | null, url: URL): Reply {
  const asked = { store: url.searchParams.get("store_id"), userid: url.searchParams.get("userid") };
  const found = [...desk.state.guides.values()].filter(
    (one) => mine(desk, subMchId)(one) && String(one.storeId) === asked.store && (asked.userid === null || one.userid === asked.userid),
  );
  const data = found.map(({ guideId, storeId, userid }) => ({ guide_id: guideId, store_id: storeId, userid }));
  return { status: 200, body: { data, total_count: data.length, limit: 10, offset: 0 } };
}
