// The page behind a payout's link: how much is to be confirmed, the confirmation inside WeChat, and what became of it. The server
// decides everything; WeChat lets only the payee confirm, whoever else has the link.
(function () {
  "use strict";
  var token = location.pathname.split("/").pop();
  var inWechat = /MicroMessenger/i.test(navigator.userAgent);
  var timer = 0;
  var verified = null;
  var $ = (id) => document.getElementById(id);
  var yuan = (cents) => "¥" + (cents / 100).toFixed(2);
  function say(text, bad) {
    $("said").textContent = text;
    $("said").className = bad ? "bad" : "";
  }
  async function call(path, body) {
    var given = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    var answer = await fetch("/api/commissions/payout-page/" + path + "?_t=" + Date.now(), given).catch(() => {
      throw new Error("网络不通，请检查后重试");
    });
    var data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(data.message || "暂时不能打开，请稍后再试"), { status: answer.status });
    return data;
  }
  /** The page shows itself to WeChat once, as the JS-SDK does it; after that its bridge takes the call. */
  function verify() {
    verified ??= call("wechat", { token: token, query: location.search }).then((config) =>
      bridge("preVerifyJSAPI", {
        appId: config.appId,
        verifyAppId: config.appId,
        verifySignType: "sha1",
        verifyTimestamp: config.timestamp,
        verifyNonceStr: config.nonceStr,
        verifySignature: config.signature,
        verifyJsApiList: ["requestMerchantTransfer"],
      }),
    );
    verified.catch(() => (verified = null));
    return verified;
  }
  async function bridge(name, given) {
    if (!window.WeixinJSBridge) await new Promise((ready) => document.addEventListener("WeixinJSBridgeReady", ready, { once: true }));
    var said = await new Promise((done) => window.WeixinJSBridge.invoke(name, given, done));
    var word = String(said.err_msg || "").split(":")[1];
    if (word !== "ok" && word !== "cancel" && word !== "close") throw new Error("微信没有打开确认收款，请升级微信后重试");
    return word;
  }
  function draw(qr) {
    var path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", qr.path);
    $("qr").setAttribute("viewBox", "0 0 " + qr.cells + " " + qr.cells);
    $("qr").replaceChildren(path);
  }
  function over(good, title, cents) {
    clearTimeout(timer);
    $("asked").hidden = true;
    $("over").hidden = false;
    $("mark").textContent = good ? "✓" : "!";
    $("mark").className = "mark " + (good ? "good" : "bad");
    $("result").textContent = title;
    $("paid").textContent = good ? yuan(cents) : "";
    say("", false);
  }
  function take(page) {
    $("brand").textContent = page.brandName + " 向你打款";
    if (page.state === "arrived") return over(true, "已到账微信零钱", page.netCents);
    if (page.state === "over") return over(false, "转账已结束或超过确认时间，请联系服务商", 0);
    $("asked").hidden = false;
    $("sum").textContent = yuan(page.netCents);
    $("number").textContent = "提现单号 " + page.withdrawalNo;
    var until = page.until && new Date(page.until).toLocaleString("zh-CN", { timeZone: "Asia/Shanghai", hour12: false });
    $("until").textContent = until ? "请在 " + until + " 前确认，过期后金额退回" : "";
    var waits = page.invoke !== null;
    $("go").hidden = !(waits && inWechat);
    $("go").onclick = () => void confirm(page.invoke);
    $("phone").hidden = !page.phoneUrl || inWechat;
    if (page.phoneUrl) $("phone").href = page.phoneUrl;
    $("qr").hidden = !waits || inWechat || Boolean(page.phoneUrl);
    if (!$("qr").hidden) draw(page.qr);
    $("how").textContent = !waits
      ? "转账正在准备，请稍候"
      : inWechat
        ? "点确认收款，在微信的窗口里完成"
        : page.phoneUrl
          ? "在打开的页面确认收款，这里会显示结果"
          : "请用收款的微信扫一扫上面的二维码";
    say("正在等待确认……", false);
    timer = setTimeout(follow, 3000);
  }
  async function confirm(invoke) {
    say("正在打开微信……", false);
    try {
      await verify();
      await bridge("requestMerchantTransfer", invoke);
      await follow();
    } catch (failure) {
      say(failure.message, true);
    }
  }
  async function follow() {
    clearTimeout(timer);
    try {
      take(await call(token));
    } catch (failure) {
      if (failure.status === 404) return over(false, failure.message, 0);
      say(failure.message, true);
      timer = setTimeout(follow, 5000);
    }
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && $("over").hidden) void follow();
  });
  void follow();
})();
