import { createHash } from "node:crypto";

type Answer = { readonly status: number; readonly type: string; readonly text: string } | "silence";
const json = (status: number, body: object | string): Answer => ({
  status,
  type: "application/json; charset=utf-8",
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
/** The secret of every application here. */
const SECRET = "takeaway-simulator";

/** What somebody ordered. Amounts in cents; the sums of the answer are made of them. */
export interface Ordered {
  readonly platform: "ele" | "meituan-wm";
  readonly id: string;
  readonly shop: string;
  readonly shopName?: string;
  readonly status: "running" | "completed" | "cancelled";
  readonly goods: number;
  readonly packaging?: number;
  readonly delivery?: number;
  readonly shopOff?: number;
  readonly platformOff?: number;
  readonly fee?: number;
  readonly refund?: number;
  readonly shopRefund?: number;
  /** Seconds. */
  readonly placed: number;
  readonly changed: number;
}
/** What a platform tells of an order. */
export interface Raised {
  readonly platform: Ordered["platform"];
  /** Our address, on this machine. */
  readonly address: string;
  readonly order: string;
  readonly shop: string;
  readonly kind: string;
  readonly message?: string;
  /** Seconds. */
  readonly at: number;
}
const yuan = (cents: number): string =>
  `${cents < 0 ? "-" : ""}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
const local = (seconds: number): string => new Date(seconds * 1000 + 8 * 3_600_000).toISOString().slice(0, 19);

function sumsOf(order: Ordered) {
  const { goods, packaging = 0, delivery = 0, shopOff = 0, platformOff = 0, fee = 0 } = order;
  const original = goods + packaging + delivery;
  const paid = original - shopOff - platformOff;
  const income = original - shopOff - fee - delivery;
  return { original, packaging, delivery, shopOff, platformOff, fee, paid, income: order.id.endsWith("03") ? income - 7 : income };
}
// What a real answer holds of people, and nobody may keep.
const PEOPLE = {
  consignee: "王小明",
  phoneList: ["13800001234"],
  address: "天府大道 1 号 2 栋 303",
  userId: 778899,
  description: "放门口，电话 13800001234",
};

function eleOrder(order: Ordered): string {
  const sums = sumsOf(order);
  const status = { running: "valid", completed: "settled", cancelled: "invalid" }[order.status];
  const result = {
    ...PEOPLE,
    id: order.id,
    orderId: order.id,
    shopName: order.shopName ?? "蜀味川菜",
    daySn: Number(order.id.slice(-3)),
    createdAt: local(order.placed),
    activeAt: local(order.placed),
    updatedAt: local(order.changed),
    ...(order.status === "completed" && { settledAt: local(order.changed) }),
    status,
    serviceRate: 0.18,
    groups: [
      { name: "1 号篮子", type: "normal", items: [{ name: "宫保鸡丁饭", quantity: 1, price: "#", total: "#goods" }] },
      { name: "其他", type: "extra", items: [] },
    ],
  };
  // 饿了么 writes ids and amounts as bare numbers.
  const numbers = {
    shopId: order.shop,
    totalPrice: yuan(sums.paid),
    originalPrice: yuan(sums.original),
    packageFee: yuan(sums.packaging),
    deliverFee: yuan(sums.delivery),
    shopPart: yuan(-sums.shopOff),
    elemePart: yuan(-sums.platformOff),
    serviceFee: yuan(-sums.fee),
    income: yuan(sums.income),
    refundPrice: yuan(order.refund ?? 0),
    refundShopPart: yuan(order.shopRefund ?? 0),
  };
  const bare = Object.entries(numbers).map(([name, value]) => `"${name}":${value}`);
  const rest = JSON.stringify(result).replaceAll('"#goods"', yuan(order.goods)).replaceAll('"#"', yuan(order.goods)).slice(1);
  return `{"id":"answer","error":null,"result":{${bare.join(",")},${rest}}`;
}
function meituanOrder(order: Ordered): string {
  const sums = sumsOf(order);
  const status = { running: 4, completed: 8, cancelled: 9 }[order.status];
  const detail = [
    { food_name: "黄焖鸡米饭", quantity: 1, price: order.goods / 100, box_num: sums.packaging ? 1 : 0, box_price: sums.packaging / 100 },
  ];
  const extras = [
    {
      act_detail_id: 1,
      reduce_fee: (sums.shopOff + sums.platformOff) / 100,
      poi_charge: sums.shopOff / 100,
      mt_charge: sums.platformOff / 100,
    },
  ];
  const data = {
    recipient_name: PEOPLE.consignee,
    recipient_phone: PEOPLE.phoneList[0],
    recipient_address: PEOPLE.address,
    caution: PEOPLE.description,
    app_poi_code: order.shop,
    wm_poi_name: order.shopName ?? "蜀味川菜",
    day_seq: Number(order.id.slice(-3)),
    status,
    ctime: order.placed,
    utime: order.changed,
    ...(order.status === "completed" && { order_completed_time: order.changed }),
    original_price: sums.original / 100,
    total: sums.paid / 100,
    shipping_fee: sums.delivery / 100,
    detail: JSON.stringify(detail),
    extras: JSON.stringify(extras),
    poi_receive_detail: JSON.stringify({ foodShareFeeChargeByPoi: sums.fee, wmPoiReceiveCent: sums.income }),
    refund_cent: order.refund ?? 0,
    refund_poi_cent: order.shopRefund ?? 0,
  };
  return `{"data":{"order_id":${order.id},${JSON.stringify(data).slice(1)}}`;
}

/**
 * 饿了么 and 美团外卖: their calls for one order, and what they tell of it. Orders are put there by POST /takeaway/orders, and told of by POST
 * /takeaway/raise; the page at /takeaway does both for people. Faults go by the end of an order's number: 01 is not known, 02 is not answered, 03
 * has an income unlike its parts, 04 finds the platform busy, 05 is answered with another order.
 */
export function openTakeaway(
  now_ms: () => number,
  host: string,
): (url: string, method: string, body: string) => Answer | Promise<Answer> | undefined {
  const orders = new Map<string, Ordered>();
  const find = (platform: Ordered["platform"], id: string) => (id.endsWith("01") ? undefined : orders.get(`${platform}:${id}`));
  return (url, method, body) => {
    const { pathname, searchParams } = new URL(url, "http://simulator");
    if (method === "POST" && pathname === "/ele/api/v1/") return askedByEle(body, find);
    if (method === "GET" && pathname === "/meituan-wm/api/v1/order/getOrderDetail") return askedByMeituan(host, url, searchParams, find);
    if (!pathname.startsWith("/takeaway")) return undefined;
    if (method === "GET" && pathname === "/takeaway") return { status: 200, type: "text/html; charset=utf-8", text: pageOf(orders) };
    if (method === "POST" && pathname === "/takeaway/orders") {
      const given = JSON.parse(body) as Ordered;
      const seconds = Math.floor(now_ms() / 1000);
      orders.set(`${given.platform}:${given.id}`, { ...given, placed: given.placed ?? seconds, changed: given.changed ?? seconds });
      return json(200, { orders: orders.size });
    }
    if (method === "POST" && pathname === "/takeaway/raise") return raise(JSON.parse(body) as Raised, now_ms);
    return undefined;
  };
}

type Find = (platform: Ordered["platform"], id: string) => Ordered | undefined;
function askedByEle(body: string, find: Find): Answer {
  const given = JSON.parse(body) as { action: string; token: string; metas: object; params: { orderId: string }; signature: string };
  const error = (code: string, message: string) => json(200, { id: "answer", result: null, error: { code, message } });
  const parts = Object.entries({ ...given.metas, ...given.params })
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  if (md5(`${given.action}${given.token}${parts.join("")}${SECRET}`).toUpperCase() !== given.signature)
    return error("INVALID_SIGNATURE", "签名错误");
  const id = given.params.orderId;
  if (id.endsWith("02")) return "silence";
  if (id.endsWith("04")) return error("SERVER_ERROR", "系统繁忙");
  const order = find("ele", id);
  if (!order) return error("BIZ_ORDER_NOT_EXIST", "订单不存在");
  return json(200, eleOrder(id.endsWith("05") ? { ...order, id: `${id}9` } : order));
}
function askedByMeituan(host: string, url: string, query: URLSearchParams, find: Find): Answer {
  const ng = (code: number, msg: string) => json(200, { data: "ng", error: { code, msg } });
  const sorted = [...query.entries()].filter(([name]) => name !== "sig").toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = sorted.map(([name, value]) => `${name}=${value}`).join("&");
  // Its own address is part of what is signed.
  if (md5(`http://${host}${url.split("?")[0]}?${text}${SECRET}`) !== query.get("sig")) return ng(703, "签名错误");
  const id = query.get("order_id") ?? "";
  if (id.endsWith("02")) return "silence";
  if (id.endsWith("04")) return ng(701, "系统繁忙");
  const order = find("meituan-wm", id);
  if (!order) return ng(808, "不存在此订单");
  return json(200, meituanOrder(id.endsWith("05") ? { ...order, id: `${id}9` } : order));
}
/** A message as the platform sends it. */
export function takeawayNotice({ platform, order, shop, kind, message, at }: Raised): { readonly type: string; readonly body: string } {
  if (platform === "meituan-wm") {
    const form = new URLSearchParams({
      timestamp: String(at),
      app_id: "demo",
      order_id: order,
      app_poi_code: shop,
      status: kind,
      sig: "unverified",
    });
    return { type: "application/x-www-form-urlencoded", body: form.toString() };
  }
  const inner = `{"orderId":${order},"state":"valid","shopId":${shop},"updateTime":${at},"role":1,"phoneList":["13800001234"]}`;
  const outer = {
    requestId: message ?? `${order}-${kind}-${at}`,
    appId: 1,
    message: inner,
    timestamp: at * 1000,
    signature: "unverified",
    userId: 1,
  };
  return { type: "application/json", body: `{"type":${kind},"shopId":${shop},${JSON.stringify(outer).slice(1)}` };
}
async function raise(given: Raised, now_ms: () => number): Promise<Answer> {
  // It calls this machine alone.
  if (!/^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//.test(given.address)) return json(400, { message: "地址须在本机" });
  const { type, body } = takeawayNotice({ ...given, at: given.at ?? Math.floor(now_ms() / 1000) });
  const answer = await fetch(given.address, { method: "POST", headers: { "content-type": type }, body });
  return json(200, { status: answer.status, answer: await answer.text() });
}

const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const STATES = { running: "进行中", completed: "已完成", cancelled: "已取消" };
/** What the platforms have, the newest first, and a form that orders and tells. */
function pageOf(orders: ReadonlyMap<string, Ordered>): string {
  const rows = [...orders.values()]
    .toReversed()
    .slice(0, 50)
    .map(
      (one) =>
        `<tr><td>${one.platform === "ele" ? "饿了么" : "美团外卖"}</td><td>${html(one.id)}</td><td>${STATES[one.status]}</td><td>${yuan(sumsOf(one).paid)}</td></tr>`,
    )
    .join("");
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>外卖模拟器</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:760px}label{display:block;margin-top:12px}input,select{width:100%;font:inherit;padding:6px;box-sizing:border-box}button{font:inherit;margin:16px 8px 0 0;padding:6px 16px}output{display:block;margin-top:16px;white-space:pre-wrap}table{width:100%;border-collapse:collapse;margin-top:24px}td{padding:8px;border-bottom:1px solid #ddd}</style>
<h1>外卖模拟器</h1><p>饿了么和美团外卖这一边。订单号以 01 结尾查不到，02 结尾不应答，03 结尾收入不平，04 结尾系统繁忙，05 结尾答成另一单。</p>
<form><label>平台<select name="platform"><option value="ele">饿了么</option><option value="meituan-wm">美团外卖</option></select></label><label>通知地址<input name="address" placeholder="http://127.0.0.1:8080/notify/ele/…"></label><label>订单号<input name="id" required pattern="[0-9]{4,30}"></label><label>平台门店编号<input name="shop" value="90001" required></label><label>菜品（分）<input name="goods" value="3600" required></label><label>状态<select name="status"><option value="running">进行中</option><option value="completed">已完成</option><option value="cancelled">已取消</option></select></label>
<button value="order">保存订单</button><button value="raise">保存并通知</button></form><output></output>${rows ? `<table>${rows}</table>` : "<p>还没有订单。</p>"}
<script>document.forms[0].onsubmit=async(e)=>{e.preventDefault();const f=Object.fromEntries(new FormData(e.target));const post=(p,b)=>fetch(p,{method:"POST",body:JSON.stringify(b)}).then(r=>r.json());await post("/takeaway/orders",{...f,goods:Number(f.goods),packaging:200,delivery:400,shopOff:300,platformOff:200,fee:500});const out=e.submitter.value==="raise"?await post("/takeaway/raise",{platform:f.platform,address:f.address,order:f.id,shop:f.shop,kind:f.platform==="ele"?"12":"4"}):{};document.querySelector("output").textContent="已保存 "+JSON.stringify(out)}</script></html>`;
}
