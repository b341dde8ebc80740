/** A shop's till: one page, no build. It makes orders through the product's device API and shows what became of them. */
export const TILL_PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>收银机 · 支付渠道模拟器</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, "PingFang SC", "Noto Sans SC", sans-serif; }
  body { max-width: 44rem; margin: 0 auto; padding: 1rem; line-height: 1.5; }
  h1 { font-size: 1.3rem; margin: 0; } h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
  p.note { margin: .25rem 0 1rem; opacity: .75; }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; } label { display: grid; gap: .25rem; } label.wide { grid-column: 1 / -1; }
  input, select, button { font: inherit; padding: .45rem .8rem; min-height: 2.5rem; border-radius: .4rem; border: 1px solid #8888; min-width: 0; }
  button.main { background: #1b1f27; color: #fff; border-color: #1b1f27; }
  ul { list-style: none; padding: 0; margin: 0; }
  li { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .6rem 0; border-bottom: 1px solid #8883; }
  li .what { flex: 1 1 14rem; } li small { display: block; opacity: .75; overflow-wrap: anywhere; }
  .money { font-variant-numeric: tabular-nums; font-weight: 600; }
  #said { min-height: 1.5rem; }
</style>
</head>
<body>
<h1>收银机</h1>
<p class="note">代替门店的收银设备下单，用设备密钥签名。扫码单到<a href="/" target="_blank" rel="noopener">顾客的手机</a>上付款；付款码立即扣款。</p>
<form id="sell">
  <label class="wide">设备<select id="sn"></select></label>
  <label>金额（元）<input id="yuan" inputmode="decimal" required value="12.80"></label>
  <label>商品<input id="subject" value="堂食套餐"></label>
  <label class="wide">顾客付款码（留空则出收款码）<input id="code" inputmode="numeric" placeholder="微信 18 位、支付宝 16 至 24 位、银联 19 位"></label>
  <label class="wide">收款码给谁扫<select id="wallet"><option value="wechat">微信</option><option value="alipay">支付宝</option><option value="unionpay">银联</option></select></label>
  <button class="main">收款</button><button type="button" data-code="13">填一个微信付款码</button>
  <button type="button" data-code="28">填一个支付宝付款码</button><button type="button" data-code="62">填一个银联付款码</button>
</form>
<p id="said" role="status"></p>
<h2>本机订单</h2><ul id="orders"><li>还没有订单</li></ul>
<script>
const $ = (id) => document.getElementById(id);
const yuan = (cents) => "¥" + (cents / 100).toFixed(2);
const STATES = ["待支付", "已关闭", "已完成", "已退款"];
const made = [];
async function call(verb, name, body) {
  const answer = await fetch("/_till/" + name, body ? { method: verb, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.message);
  return data;
}
const cents = (text) => { const match = /^(\\d+)(?:\\.(\\d{1,2}))?$/.exec(text.trim()); return match ? Number(match[1]) * 100 + Number((match[2] || "").padEnd(2, "0")) : 0; };
function act(fn) { return async () => { try { await fn(); } catch (error) { $("said").textContent = error.message; } draw(); }; }
function button(text, fn) { const one = document.createElement("button"); one.textContent = text; one.onclick = act(fn); return one; }
async function refresh(one) { Object.assign(one, await call("GET", "order?sn=" + one.sn + "&tillNo=" + one.tillNo)); }
function draw() {
  $("orders").replaceChildren(...made.map((one) => {
    const item = document.createElement("li"), what = document.createElement("span"), small = document.createElement("small"), money = document.createElement("span");
    what.className = "what"; what.textContent = STATES[one.status] + (one.refundedCents ? "，已退 " + yuan(one.refundedCents) : "") + (one.refundingCents ? "，退款中 " + yuan(one.refundingCents) : "");
    small.textContent = one.orderNo + (one.codeUrl ? " · " + one.codeUrl : "") + (one.message ? " · " + one.message : ""); what.append(small);
    money.className = "money"; money.textContent = yuan(one.grossCents);
    item.append(what, money);
    if (one.status === 0) item.append(button("关单", async () => { await call("POST", "close", { sn: one.sn, tillNo: one.tillNo }); await refresh(one); }));
    if (one.status === 2) item.append(button("退款…", async () => { const typed = prompt("退款金额（元）", ((one.paidCents - one.refundedCents - one.refundingCents) / 100).toFixed(2)); if (typed) { await call("POST", "refund", { sn: one.sn, tillNo: one.tillNo, cents: cents(typed) }); $("said").textContent = "退款已提交"; await refresh(one); } }));
    return item;
  }));
}
$("sell").onsubmit = (event) => { event.preventDefault(); act(async () => {
  $("said").textContent = "正在下单……";
  const sn = $("sn").value, code = $("code").value.trim();
  const order = await call("POST", "orders", { sn, cents: cents($("yuan").value), subject: $("subject").value, ...(code ? { authCode: code } : { wallet: $("wallet").value }) });
  made.unshift({ ...order, sn });
  $("said").textContent = order.status === 2 ? "已收款 " + yuan(order.paidCents) : order.codeUrl ? "等待顾客扫码" : (order.message || "");
  $("code").value = "";
})(); };
for (const one of document.querySelectorAll("[data-code]")) one.onclick = () => { $("code").value = one.dataset.code + (one.dataset.code === "62" ? "9" : "") + String(Math.floor(1e15 + Math.random() * 8e15)); };
call("GET", "tills").then(({ tills }) => {
  $("sn").replaceChildren(...tills.map(({ sn, store, merchant }) => { const one = document.createElement("option"); one.value = sn; one.textContent = merchant + " · " + store + " · " + sn; return one; }));
  if (tills.length === 0) $("said").textContent = "还没有设备：演示数据准备好之后这里才有收银机";
}).catch((error) => { $("said").textContent = error.message; });
setInterval(() => { for (const one of made.slice(0, 10)) if (one.status === 0 || one.refundingCents) refresh(one).then(draw, () => {}); }, 2000);
</script>
</body>
</html>
`;
