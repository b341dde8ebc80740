// The page behind a friend's link: whose order it is, what it costs, and the code to pay it. It stands alone, as the pay page does.
(function () {
  "use strict";
  var token = location.pathname.split("/").pop();
  var timer = 0;
  var $ = function (id) {
    return document.getElementById(id);
  };
  var yuan = function (cents) {
    return "¥" + (cents / 100).toFixed(2);
  };
  function say(text, bad) {
    $("said").textContent = text;
    $("said").className = bad ? "bad" : "";
  }
  function call(path, body) {
    var given = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    return fetch("/api/friend-pays/" + path + "?_t=" + Date.now(), given).then(
      function (answer) {
        return answer.json().then(function (data) {
          if (answer.ok) return data;
          var failure = new Error(data.message || "暂时不能打开，请稍后再试");
          failure.status = answer.status;
          throw failure;
        });
      },
      function () {
        throw new Error("网络不通，请检查后重试");
      },
    );
  }
  function draw(qr) {
    var svg = $("qr");
    svg.hidden = !qr;
    if (!qr) return;
    var path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", qr.path);
    svg.setAttribute("viewBox", "0 0 " + qr.cells + " " + qr.cells);
    svg.replaceChildren(path);
  }
  function over(good, title, page) {
    clearTimeout(timer);
    $("asked").hidden = true;
    $("over").hidden = false;
    $("mark").textContent = good ? "✓" : "!";
    $("mark").className = "mark " + (good ? "good" : "bad");
    $("result").textContent = title;
    $("paid").textContent = good && page ? yuan(page.amountCents) : "";
    $("number").textContent = page ? "订单号 " + page.orderNo : "";
    $("comment").hidden = !(page && page.commentUrl);
    if (page && page.commentUrl) $("comment").href = page.commentUrl;
    say("", false);
  }
  function head(page) {
    $("merchant").textContent = page.merchantName;
    $("store").textContent = page.storeName;
    $("brand").textContent = page.brandName + " 提供收款服务";
  }
  function take(page) {
    head(page);
    if (page.state === "paid") return over(true, "已替朋友付款", page);
    if (page.state === "own") return over(true, "朋友已自己付款", page);
    if (page.state === "expired") return over(false, "代付链接已过期，请让朋友重新下单", page);
    $("asked").hidden = false;
    $("who").textContent = (page.ordererName || "朋友") + "请你帮忙付款";
    $("message").textContent = page.message ? "“" + page.message + "”" : "";
    $("sum").textContent = yuan(page.amountCents);
    $("subject").textContent = page.subject;
    $("until").textContent =
      "请在 " + new Date(page.expiresAt).toLocaleString("zh-CN", { timeZone: "Asia/Shanghai", hour12: false }) + " 前付款";
    draw(page.payUrl ? null : page.qr);
    $("open").hidden = !page.payUrl;
    if (page.payUrl) $("open").href = page.payUrl;
    $("how").textContent = page.payUrl
      ? "请先确认是你认识的人，再在打开的页面完成付款"
      : page.qr
        ? "请先确认是你认识的人，再用微信扫一扫上面的二维码"
        : "付款码正在生成，请稍候";
    say("正在等待付款……", false);
    timer = setTimeout(follow, 2000);
  }
  function follow() {
    clearTimeout(timer);
    call("page/" + token).then(take, function (failure) {
      say(failure.message, true);
      timer = setTimeout(follow, 4000);
    });
  }
  document.addEventListener("visibilitychange", function () {
    if (!document.hidden && !$("asked").hidden) follow();
  });
  call("open", { token: token }).then(take, function (failure) {
    over(false, failure.message, null);
  });
})();
