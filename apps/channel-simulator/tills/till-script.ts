/** What the till's page does: it identifies members, quotes, sells and gives back through the product's device API, with the device's key. */
export const TILL_SCRIPT = `const $ = (id) => document.getElementById(id);
const yuan = (cents) => "¥" + (cents / 100).toFixed(2);
const STATES = ["待支付", "已关闭", "已完成", "已退款"];
const made = [];
let ticket, quoted, goods = [], basket = [];
const said = (text) => { $("said").textContent = text; };
async function call(verb, name, body) {
  const answer = await fetch("/_till/" + name, body ? { method: verb, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {});
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.message);
  return data;
}
const device = (path, body) => call("POST", "device", { sn: $("sn").value, path, body });
const newNo = () => "T" + Date.now() + Math.random().toString(16).slice(2, 8);
const cents = (text) => { const match = /^(\\d+)(?:\\.(\\d{1,2}))?$/.exec(text.trim()); return match ? Number(match[1]) * 100 + Number((match[2] || "").padEnd(2, "0")) : 0; };
const wish = (text, read) => text.trim() === "全部" ? "most" : read(text.trim());
function act(fn) { return async () => { try { await fn(); } catch (error) { said(error.message); } draw(); }; }
function button(text, fn) { const one = document.createElement("button"); one.type = "button"; one.textContent = text; one.onclick = act(fn); return one; }
function item(...parts) { const one = document.createElement("li"); one.append(...parts); return one; }
async function refresh(one) { Object.assign(one, await call("GET", "order?sn=" + one.sn + "&tillNo=" + one.tillNo)); }

// Members.
function known(one) {
  ticket = one && one.ticket; quoted = undefined;
  $("things").replaceChildren(...(one ? one.timesCards : []).map((card) => item(card.name + "，剩 " + card.left + " 次", button("核销 1 次", () => use(card)))));
  $("member").textContent = one ? one.name + "（" + one.memberNo + (one.level ? "，" + one.level : "") + "）积分 " + one.points + "，储值本金 " + yuan(one.principalCents) + "，赠送 " + (one.giftCents / 100).toFixed(2) + "（不可退）" + (one.proof === "full" ? "" : "：只能积分，花储值要支付密码") : "";
}
const asked = () => { const who = $("who").value.trim(), sms = $("sms").value.trim(); return { ...(/^99\\d{18}$/.test(who) ? { code: who } : { phone: who }), ...(sms && { sms }) }; };
$("identify").onclick = act(async () => { known(await device("/api/till/members/identify", asked())); said("已识别会员"); });
$("join").onclick = act(async () => { known(await device("/api/till/members/join", asked())); said("已入会"); });
$("send").onclick = act(async () => { await device("/api/till/members/sms", { phone: $("who").value.trim() }); said("短信码已发出，在平台模拟器里看"); });
async function use(card) {
  const used = await device("/api/till/times-cards/use", { requestId: crypto.randomUUID(), ticket, cardNo: card.no, times: 1, ...pin() });
  known(undefined); said("已核销 " + used.name + "，剩 " + used.leftTimes + " 次");
}
// What is offered is asked for anew each time: the rule may be another one by now.
$("recharge").onclick = act(async () => {
  const { tiers, ruleId } = await call("GET", "recharge-rules?sn=" + $("sn").value + (ticket ? "&ticket=" + encodeURIComponent(ticket) : ""));
  const typed = prompt(["充多少元？", ...tiers.map((one) => yuan(one.amountCents) + (one.giftCents ? " 送 " + yuan(one.giftCents) : "") + (one.points ? " 送 " + one.points + " 积分" : "") + (one.coupons ? " 送 " + one.coupons : ""))].join("\\n"), tiers.length ? (tiers[0].amountCents / 100).toFixed(2) : "100.00");
  if (typed === null) return;
  const sn = $("sn").value;
  const coupons = (tiers.filter((one) => one.amountCents <= cents(typed)).sort((a, b) => b.amountCents - a.amountCents)[0] || { coupons: "" }).coupons;
  const order = await device("/api/till/recharges", { tillNo: newNo(), ticket, amountCents: cents(typed), ...(ruleId && { ruleId, coupons }), ...paying() });
  made.unshift({ ...order, sn }); known(undefined);
  said(order.status === 2 ? "已充值 " + yuan(order.paidCents) : order.codeUrl ? "等待顾客扫码" : (order.message || ""));
});
const pin = () => $("pin").value ? { pin: $("pin").value } : {};
const paying = () => { const code = $("code").value.trim(); return code ? { tradeType: "MICROPAY", authCode: code } : { tradeType: "NATIVE", wallet: $("wallet").value }; };
$("leave").onclick = act(async () => known(undefined));

// Goods, as the product's catalogue has them.
async function loadGoods() {
  // The device may change while its pages come: what was read of another is not shown.
  const [sn, read] = [$("sn").value, []];
  goods = [];
  for (let next = ""; next !== null;) {
    const page = await call("GET", "catalog?sn=" + sn + (next ? "&cursor=" + encodeURIComponent(next) : ""));
    read.push(...page.items.filter(({ onSale }) => onSale)); next = page.next || null;
    if (read.length > 2000) break;
  }
  if (sn !== $("sn").value) return;
  goods = read; choose();
}
const nameOf = (one) => one.name + (one.spec ? " " + one.spec : "");
function choose() {
  const word = $("find").value.trim();
  const fits = goods.filter((one) => !word || nameOf(one).includes(word) || one.skuNo.startsWith(word) || one.barcodes.some(({ barcode }) => barcode === word)).slice(0, 50);
  $("goods").replaceChildren(...fits.map((one) => { const made = document.createElement("option"); made.value = one.skuNo; made.textContent = nameOf(one) + " " + yuan(one.priceCents); return made; }));
}
$("find").oninput = choose;
$("sn").onchange = act(async () => { basket = []; known(undefined); await loadGoods().catch(() => {}); });
$("add").onclick = act(async () => {
  const one = goods.find(({ skuNo }) => skuNo === $("goods").value);
  if (!one) return;
  const there = basket.find(({ sku }) => sku === one.skuNo);
  if (there) there.units++; else basket.push({ place: basket.length + 1, sku: one.skuNo, name: nameOf(one), units: 1, unitCents: one.priceCents });
  quoted = undefined;
});
$("empty").onclick = act(async () => { basket = []; quoted = undefined; });
const total = () => basket.length ? basket.reduce((sum, one) => sum + one.units * one.unitCents, 0) : cents($("yuan").value);

// A quote, where anything but an amount is wanted. Codes that were read are used; without one the best of what there is.
const codes = () => $("coupons").value.split(/[\\s，,、]+/).filter(Boolean);
async function quote(tillNo) {
  const points = wish($("points").value, Number), stored = wish($("stored").value, cents);
  const answer = await device("/api/till/quotes", {
    tillNo, ...(basket.length ? { lines: basket } : { grossCents: total() }), ...(ticket && { ticket }),
    ...(vouchers.length && { platformVouchers: named() }), coupons: codes().length ? codes() : "best", ...(points && { points }), ...(stored && { storedValueCents: stored }), manualOffCents: cents($("off").value),
  });
  $("steps").replaceChildren(...answer.steps.map(({ text }) => item(text)), ...answer.refused.map(({ text }) => item("没用上：" + text)),
    ...answer.tenders.map((one) => item(({ principal: "储值本金 ", gift: "储值赠送 ", money: "应付 " })[one.kind] + yuan(one.cents))), ...(answer.earns ? [item("可得积分 " + answer.earns)] : []),
    ...(answer.compared && answer.compared.ways > 1 ? [item("已比较 " + answer.compared.ways + " 种用法" + (answer.compared.whole ? "，这种最省" : ""))] : []));
  return answer;
}
// Vouchers of platforms: looked up, used, and named in the quote; a set stands for the first line that no other has.
let vouchers = [];
$("scan").onclick = act(async () => {
  const seen = await device("/api/till/platform-vouchers/prepare", { scan: $("voucher").value.trim() });
  const uses = await device("/api/till/platform-vouchers/verify", { requestId: crypto.randomUUID(), ticket: seen.ticket });
  for (const use of uses) vouchers.push({ ...use, title: seen.title });
  $("voucher").value = ""; quoted = undefined;
  said(uses.every(({ status }) => status === 1) ? "已核销 " + seen.title : "还没有核销结果，请勿交付");
});
function named() {
  const left = basket.map(({ place, units }) => ({ place, units }));
  return vouchers.filter(({ status }) => status === 1).map((one) => {
    const line = one.kind === 1 && left.find(({ units }) => units > 0);
    if (!line) return one.id;
    line.units--;
    return { attemptId: one.id, lines: [line.place] };
  });
}
$("quote").onclick = act(async () => { quoted = await quote(newNo()); said("应付 " + yuan(quoted.paidCents)); });
$("best").onclick = act(async () => { $("coupons").value = ""; quoted = await quote(newNo()); said("最省应付 " + yuan(quoted.paidCents)); });
for (const id of ["points", "stored", "off", "yuan", "coupons"]) $(id).oninput = () => { quoted = undefined; };

function draw() {
  $("vouchers").replaceChildren(...vouchers.map((one) => item(one.title + (one.status === 1 ? "" : "：没有结果，不能用"), button("不用", async () => { vouchers = vouchers.filter(({ id }) => id !== one.id); quoted = undefined; }))));
  $("basket").replaceChildren(...basket.map((one) => item(one.name + " × " + one.units + "，" + yuan(one.units * one.unitCents))));
  $("orders").replaceChildren(...made.map((one) => {
    const what = document.createElement("span"), small = document.createElement("small"), money = document.createElement("span");
    what.className = "what"; what.textContent = STATES[one.status] + (one.refundedCents ? "，已退 " + yuan(one.refundedCents) : "") + (one.refundingCents ? "，退款中 " + yuan(one.refundingCents) : "");
    small.textContent = one.orderNo + (one.codeUrl ? " · " + one.codeUrl : "") + (one.earned ? " · 得 " + one.earned + " 积分" : "") + (one.message ? " · " + one.message : ""); what.append(small);
    money.className = "money"; money.textContent = yuan(one.grossCents);
    const row = item(what, money);
    if (one.status === 0) row.append(button("关单", async () => { await call("POST", "close", { sn: one.sn, tillNo: one.tillNo }); await refresh(one); }));
    if (one.status === 2) row.append(button("退款…", () => giveBack(one)));
    return row;
  }));
}
// Everything that would go back is said before it does.
async function giveBack(one) {
  const worth = one.tenders.reduce((sum, { cents }) => sum + cents, 0);
  const typed = prompt("退款金额（元），储值一起算", (worth / 100).toFixed(2));
  if (typed === null) return;
  const back = await call("POST", "device", { sn: one.sn, path: "/api/till/refunds/preview", body: { tillNo: one.tillNo, amountCents: cents(typed) } });
  if (back.refusal) throw new Error(back.refusal);
  const words = ["退款 " + yuan(back.moneyCents), back.principalCents && "退回储值本金 " + yuan(back.principalCents), back.giftCents && "退回赠送 " + (back.giftCents / 100).toFixed(2), back.pointsBack && "退回积分 " + back.pointsBack, back.pointsClawed && "扣回积分 " + back.pointsClawed, ...(back.vouchers || []).map((one) => one.name + (one.status === 1 && !one.refusal ? "能撤销，全退时先撤销" : one.refusal || "正在撤销")), ...(back.coupons || []).map((one) => "券「" + one.name + "」" + one.why)];
  if (!confirm(words.filter(Boolean).join("，") + "？")) return;
  await call("POST", "refund", { sn: one.sn, tillNo: one.tillNo, cents: cents(typed) });
  said("退款已提交"); await refresh(one);
}
$("sell").onsubmit = (event) => { event.preventDefault(); act(async () => {
  said("正在下单……");
  const sn = $("sn").value, tillNo = newNo();
  const wanted = basket.length || ticket || vouchers.length || codes().length || $("off").value.trim();
  if (wanted && !quoted) quoted = await quote(tillNo);
  const pays = !quoted || quoted.paidCents > 0;
  const order = await device("/api/till/orders", {
    tillNo, subject: $("subject").value || "收银", grossCents: total(),
    ...(pays && paying()),
    ...(quoted && { quote: quoted.quote, ...(basket.length && { lines: basket }), ...(ticket && { ticket }), ...pin() }),
  });
  made.unshift({ ...order, sn });
  said(order.status === 2 ? "已收款 " + yuan(order.paidCents) : order.codeUrl ? "等待顾客扫码" : (order.message || ""));
  $("code").value = ""; $("pin").value = ""; $("coupons").value = ""; basket = []; vouchers = []; $("steps").replaceChildren(); known(undefined);
})(); };
for (const one of document.querySelectorAll("[data-code]")) one.onclick = () => { $("code").value = one.dataset.code + (one.dataset.code === "62" ? "9" : "") + String(Math.floor(1e15 + Math.random() * 8e15)); };
call("GET", "tills").then(async ({ tills }) => {
  $("sn").replaceChildren(...tills.map(({ sn, store, merchant }) => { const one = document.createElement("option"); one.value = sn; one.textContent = merchant + " · " + store + " · " + sn; return one; }));
  if (tills.length === 0) said("还没有设备：演示数据准备好之后这里才有收银机");
  else await loadGoods().catch(() => {});
}).catch((error) => said(error.message));
setInterval(() => { for (const one of made.slice(0, 10)) if (one.status === 0 || one.refundingCents || (one.earned === null && one.status === 2 && one.tries === undefined)) refresh(one).then(draw, () => {}); }, 2000);
`;
