/** The customer's phone: one page, no build, reads /_control/phone every two seconds. */
export const PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>顾客的手机 · 支付通道模拟器</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, "PingFang SC", "Noto Sans SC", sans-serif; }
  body { max-width: 44rem; margin: 0 auto; padding: 1rem; line-height: 1.5; }
  h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
  p.note { margin: .25rem 0 1rem; opacity: .75; }
  form { display: flex; gap: .5rem; } input[type=text] { flex: 1; min-width: 0; }
  input, button { font: inherit; padding: .45rem .8rem; min-height: 2.5rem; border-radius: .4rem; border: 1px solid #8888; }
  button.main { background: #067a3e; color: #fff; border-color: #067a3e; }
  ul { list-style: none; padding: 0; margin: 0; }
  input[type=checkbox] { min-height: 0; vertical-align: middle; }
  li { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .6rem 0; border-bottom: 1px solid #8883; }
  li .what { flex: 1 1 14rem; } li .what small { display: block; opacity: .7; overflow-wrap: anywhere; }
  .money { font-variant-numeric: tabular-nums; font-weight: 600; }
  #said { min-height: 1.5rem; }
</style>
</head>
<body>
<h1>顾客的手机</h1>
<p class="note">这是支付通道的模拟器，不涉及真实资金。商户下单后，在这里替顾客付款；退款的结果也在这里决定。</p>
<form id="scan"><input type="text" id="code" aria-label="付款二维码的内容" placeholder="粘贴二维码内容 weixin://…、https://qr.alipay.com/… 或商户订单号"><button class="main">扫码支付</button></form>
<p id="said" role="status"></p>
<h2>等待付款</h2><ul id="orders"></ul>
<h2>处理中的退款</h2>
<label><input type="checkbox" id="manual"> 由我决定每笔退款的结果</label>
<ul id="refunds"></ul>
<h2>待确认收款的转账</h2><ul id="transfers"></ul>
<h2>进件申请</h2><ul id="applyments"></ul>
<h2>最近的通知</h2><ul id="deliveries"></ul>
<script>
const $ = (id) => document.getElementById(id);
const yuan = (cents) => "¥" + (cents / 100).toFixed(2);
async function call(name, body) {
  const answer = await fetch("/_control/" + name, body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.message);
  return data;
}
async function act(name, body, done) {
  try { await call(name, body); $("said").textContent = done; } catch (error) { $("said").textContent = error.message; }
  await show();
}
function button(text, main, onClick) {
  const made = document.createElement("button");
  made.textContent = text; made.className = main ? "main" : ""; made.onclick = onClick;
  return made;
}
function row(title, small, cents, buttons) {
  const item = document.createElement("li"), what = document.createElement("span"), note = document.createElement("small");
  what.className = "what"; what.textContent = title; note.textContent = small; what.append(note); item.append(what);
  if (cents !== null) { const money = document.createElement("span"); money.className = "money"; money.textContent = yuan(cents); item.append(money); }
  item.append(...buttons);
  return item;
}
function fill(id, rows, empty) {
  if (rows.length === 0) { const none = document.createElement("li"); none.textContent = empty; rows = [none]; }
  $(id).replaceChildren(...rows);
}
const KINDS = { NATIVE: "扫码支付", JSAPI: "小程序支付", MICROPAY: "付款码支付" };
const WALLETS = { wechat: "微信", alipay: "支付宝", unionpay: "云闪付" };
const APPLYMENTS = { APPLYMENT_STATE_AUDITING: "审核中", APPLYMENT_STATE_TO_BE_CONFIRMED: "待账户验证", APPLYMENT_STATE_TO_BE_SIGNED: "待签约", APPLYMENT_STATE_FINISHED: "已完成" };
const EVENTS = { "TRANSACTION.SUCCESS": "支付成功", "REFUND.SUCCESS": "退款成功", "REFUND.CLOSED": "退款关闭", "REFUND.ABNORMAL": "退款异常" };
let seen = "";
async function show() {
  const data = await call("phone");
  $("manual").checked = data.settings.refundAfter_ms === null;
  const now = JSON.stringify(data);
  if (now === seen) return;
  seen = now;
  fill("orders", data.orders.filter((order) => !order.dismissed).map((order) => row(order.description, WALLETS[order.wallet || "wechat"] + KINDS[order.tradeType] + " · " + order.outTradeNo + " · 商户 " + order.merchant, order.total, [
    button("支付", true, () => act("pay", { key: order.key }, "已支付 " + yuan(order.total))),
    button("取消", false, () => act("cancel", { key: order.key }, "已取消，二维码在关单前仍可再扫")),
  ])), "没有等待付款的订单");
  fill("refunds", data.refunds.map((refund) => row(refund.description, refund.outRefundNo + " · " + refund.reason, refund.amount, [
    button("让它成功", true, () => act("refund", { key: refund.key, result: "SUCCESS" }, "已退款 " + yuan(refund.amount))),
    button("让它关闭", false, () => act("refund", { key: refund.key, result: "CLOSED" }, "退款已关闭")),
    button("让它异常", false, () => act("refund", { key: refund.key, result: "ABNORMAL" }, "退款异常")),
  ])), "没有处理中的退款");
  fill("transfers", data.transfers.map((one) => row(one.remark, one.outBillNo, one.amount, [
    button("确认收款", true, () => act("transfer", { key: one.key }, "已收款 " + yuan(one.amount))),
    button("让它失败", false, () => act("transfer", { key: one.key, result: "FAIL" }, "转账失败")),
  ])), "没有待确认收款的转账");
  fill("applyments", data.applyments.map((one) => row(one.shortName, APPLYMENTS[one.state] + " · " + one.code, null, [
    ...(one.state.endsWith("CONFIRMED") ? [button("账户验证通过", true, () => act("applyment", { key: one.key, act: "confirm" }, "账户已验证"))] : []),
    ...(one.state.endsWith("SIGNED") ? [button("超级管理员签约", true, () => act("applyment", { key: one.key, act: "sign" }, "已签约，稍后开通"))] : []),
    ...(one.state.endsWith("FINISHED") ? [button("法人确认开户意愿", true, () => act("applyment", { key: one.key, act: "will" }, "开户意愿已确认"))] : []),
    ...(one.state.endsWith("FINISHED") ? [] : [button("作废", false, () => act("applyment", { key: one.key, act: "cancel" }, "申请单已作废"))]),
  ])), "没有在办的进件申请");
  fill("deliveries", data.deliveries.map((one) => row(EVENTS[one.eventType], one.number + " · 第 " + one.attempt + " 次 · " + (one.status ? "应答 " + one.status : "没有应答"), null, [])), "还没有发出通知");
}
$("scan").onsubmit = (event) => {
  event.preventDefault();
  const code = $("code").value.trim();
  act("pay", /^(weixin|https?):/.test(code) ? { codeUrl: code } : { outTradeNo: code }, "已支付");
};
$("manual").onchange = () => act("settings", { refundAfter_ms: $("manual").checked ? null : 5000 }, $("manual").checked ? "退款由你决定" : "退款会自动成功");
$("code").value = new URLSearchParams(location.search).get("scan") || "";
show().catch((error) => { $("said").textContent = error.message; });
setInterval(() => show().catch((error) => { $("said").textContent = error.message; }), 2000);
</script>
</body>
</html>
`;
