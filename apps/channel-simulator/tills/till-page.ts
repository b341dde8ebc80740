import { TILL_SCRIPT } from "./till-script.ts";

/** A shop's till: one page, no build. It makes orders through the product's device API and shows what became of them. */
export const TILL_PAGE = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>收银机 · 支付通道模拟器</title>
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
  #said { min-height: 1.5rem; } .wide { grid-column: 1 / -1; }
  fieldset { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; border: 1px solid #8884; border-radius: .4rem; min-width: 0; } fieldset p { margin: 0; }
  @media (min-width: 40rem) { fieldset { grid-template-columns: repeat(4, 1fr); } }
  #steps:empty { display: none; } #steps { font-variant-numeric: tabular-nums; }
</style>
</head>
<body>
<h1>收银机</h1>
<p class="note">代替门店的收银设备下单，用设备密钥签名。扫码单到<a href="/" target="_blank" rel="noopener">顾客的手机</a>上付款；付款码立即扣款。</p>
<form id="sell">
  <label class="wide">设备<select id="sn"></select></label>
  <fieldset class="wide"><legend>会员（不填就是散客）</legend>
    <input id="who" aria-label="会员码或手机号" inputmode="numeric" placeholder="会员码 20 位，或手机号">
    <input id="sms" aria-label="短信验证码" inputmode="numeric" placeholder="短信码 6 位，可不填">
    <button type="button" id="identify">识别</button><button type="button" id="join">入会</button><button type="button" id="send">发短信码</button><button type="button" id="leave">散客</button>
    <button type="button" id="recharge">充值…</button>
    <ul id="things" class="wide"></ul>
    <p id="member" class="wide" aria-live="polite"></p>
  </fieldset>
  <fieldset class="wide"><legend>商品（不选就按金额）</legend>
    <input id="find" aria-label="找商品" placeholder="名称、货号或条码"><select id="goods" aria-label="商品"></select>
    <button type="button" id="add">加一件</button><button type="button" id="empty">清空</button>
    <ul id="basket" class="wide"></ul>
  </fieldset>
  <fieldset class="wide"><legend>平台券（团购商品抵商品一件，代金券抵面值）</legend>
    <input id="voucher" aria-label="平台券" autocomplete="off" placeholder="抖音、快手券码"><button type="button" id="scan">核销</button>
    <ul id="vouchers" class="wide"></ul>
  </fieldset>
  <label>金额（元）<input id="yuan" inputmode="decimal" value="12.80"></label>
  <label>商品说明<input id="subject" value="堂食套餐"></label>
  <label>用积分<input id="points" inputmode="numeric" placeholder="0，或 全部"></label>
  <label>用储值（元）<input id="stored" inputmode="decimal" placeholder="0，或 全部"></label>
  <label>手工优惠（元）<input id="off" inputmode="decimal" placeholder="0"></label>
  <label>支付密码<input id="pin" type="password" inputmode="numeric" autocomplete="off" placeholder="要时才填"></label>
  <label class="wide">券码（读了就用这几张，不读就用最省的）<input id="coupons" inputmode="numeric" autocomplete="off" placeholder="券码 20 位，几张用空格隔开"></label>
  <label class="wide">顾客付款码（留空则出收款码）<input id="code" inputmode="numeric" placeholder="微信 18 位、支付宝 16 至 24 位、云闪付 19 位"></label>
  <label class="wide">收款码给谁扫<select id="wallet"><option value="wechat">微信</option><option value="alipay">支付宝</option><option value="unionpay">云闪付</option></select></label>
  <button type="button" id="quote">报价</button><button type="button" id="best">最省</button><button class="main wide">收款</button>
  <button type="button" data-code="13">填一个微信付款码</button>
  <button type="button" data-code="28">填一个支付宝付款码</button><button type="button" data-code="62">填一个云闪付付款码</button>
</form>
<ol id="steps"></ol>
<p id="said" role="status"></p>
<h2>本机订单</h2><ul id="orders"><li>还没有订单</li></ul>
<script>
${TILL_SCRIPT}</script>
</body>
</html>
`;
