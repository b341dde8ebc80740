// The page behind a store's pay code: an amount, one order for it, and what became of it. It stands alone, so that a phone on a
// slow network has it at once; the server decides everything.
(function () {
  "use strict";
  var code = location.pathname.split("/").pop();
  var KEPT = "zhangfang_pay_" + code;
  // The app that opened the page says whose money it holds.
  var wallet = /AlipayClient/i.test(navigator.userAgent) ? "alipay" : /UnionPay/i.test(navigator.userAgent) ? "unionpay" : "wechat";
  var WALLETS = { wechat: "微信", alipay: "支付宝", unionpay: "云闪付" };
  var most = 0;
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
  function show(id) {
    ["form", "paying", "over"].forEach(function (one) {
      $(one).hidden = one !== id;
    });
  }
  // A payment that was begun survives a reload and the way back from the wallet.
  function keep(given) {
    try {
      if (given) sessionStorage.setItem(KEPT, JSON.stringify(given));
      else sessionStorage.removeItem(KEPT);
    } catch {
      /* no storage: it is only forgotten on a reload */
    }
  }
  function kept() {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT) || "null");
    } catch {
      return null;
    }
  }
  function newId() {
    var bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    var hex = Array.prototype.map
      .call(bytes, function (byte) {
        return byte.toString(16).padStart(2, "0");
      })
      .join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }
  function call(path, body) {
    var given = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    return fetch("/api/pay-codes/" + path + "?_t=" + Date.now(), given).then(
      function (answer) {
        return answer.json().then(function (data) {
          if (answer.ok) return data;
          var failure = new Error(data.message || "暂时不能付款，请稍后再试");
          failure.status = answer.status;
          throw failure;
        });
      },
      function () {
        throw new Error("网络不通，请检查后重试");
      },
    );
  }
  /** What somebody typed, in cents; 0 where it is no amount. */
  function centsOf(text) {
    var match = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim());
    return match ? Number(match[1]) * 100 + Number((match[2] || "").padEnd(2, "0")) : 0;
  }
  // Inside WeChat the page pays by itself: WeChat is asked once who holds the phone, and comes back with a code.
  var inWechat = /MicroMessenger/i.test(navigator.userAgent);
  var PAYER = "zhangfang_payer_" + code;
  var payer = "";
  function keptPayer() {
    try {
      var known = JSON.parse(sessionStorage.getItem(PAYER) || "null");
      return known && known.until > Date.now() ? known.payer : "";
    } catch {
      return "";
    }
  }
  /** @returns whether the browser goes away to WeChat and comes back */
  function meetPayer(wechatUrl) {
    if (!inWechat || !wechatUrl) return Promise.resolve(false);
    payer = keptPayer();
    if (payer) return Promise.resolve(false);
    var given = new URLSearchParams(location.search).get("code");
    if (!given) {
      location.replace(wechatUrl);
      return Promise.resolve(true);
    }
    history.replaceState(null, "", location.pathname);
    return call("payer", { code: code, wechatCode: given }).then(function (answer) {
      payer = answer.payer;
      try {
        sessionStorage.setItem(PAYER, JSON.stringify({ payer: payer, until: Date.now() + 25 * 60000 }));
      } catch {
        /* no storage: WeChat is asked again after a reload */
      }
      return false;
    });
  }
  function whenBridge(then) {
    if (window.WeixinJSBridge) return then();
    document.addEventListener("WeixinJSBridgeReady", then, { once: true });
  }
  var asked = "";
  var askAgain = null;
  function payInside(payment, begun) {
    if (asked === begun.requestId) return;
    asked = begun.requestId;
    draw(null);
    $("open").hidden = true;
    $("more").hidden = true;
    $("how").textContent = "请在微信支付的窗口里完成付款";
    askAgain = function () {
      asked = "";
      payInside(payment, begun);
    };
    whenBridge(function () {
      window.WeixinJSBridge.invoke("getBrandWCPayRequest", payment.clientParams, function (said) {
        // Only the server knows whether it was paid; a customer who turned away may try again.
        if (said.err_msg === "get_brand_wcpay_request:cancel") {
          $("how").textContent = "还没有付款";
          $("more").hidden = false;
        }
        follow(begun);
      });
    });
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
  function over(good, title, payment) {
    keep(null);
    clearTimeout(timer);
    show("over");
    $("mark").textContent = good ? "✓" : "!";
    $("mark").className = "mark " + (good ? "good" : "bad");
    $("result").textContent = title;
    $("paid").textContent = good ? yuan(payment.paidCents) : "";
    $("number").textContent = payment ? "订单号 " + payment.orderNo : "";
    $("comment").hidden = !(payment && payment.commentUrl);
    if (payment && payment.commentUrl) $("comment").href = payment.commentUrl;
    say("", false);
  }
  function take(payment, begun) {
    if (payment.status === 2) return over(true, "付款成功", payment);
    if (payment.status === 3) return over(true, "已付款，后已退款", payment);
    if (payment.status === 1) return over(false, payment.message || "付款没有完成，订单已关闭", payment);
    show("paying");
    $("sum").textContent = yuan(begun.amountCents);
    if (payment.clientParams) {
      payInside(payment, begun);
      say("正在等待付款……", false);
      timer = setTimeout(function () {
        follow(begun);
      }, 2000);
      return;
    }
    $("more").hidden = true;
    draw(payment.payUrl ? null : payment.qr);
    // Inside Alipay its own code is a page that pays; WeChat opens no code of its own, it is scanned.
    var opens = payment.payUrl || (wallet === "alipay" && (payment.codeUrl || "").startsWith("https:") ? payment.codeUrl : null);
    $("open").hidden = !opens;
    if (opens) $("open").href = opens;
    $("how").textContent = opens
      ? "在打开的页面完成付款，这里会显示结果"
      : payment.qr
        ? "请用" + WALLETS[wallet] + "扫一扫上面的二维码付款"
        : payment.message;
    say("正在等待付款……", false);
    timer = setTimeout(function () {
      follow(begun);
    }, 2000);
  }
  function follow(begun) {
    clearTimeout(timer);
    call("payments/" + code + "/" + begun.requestId).then(
      function (payment) {
        take(payment, begun);
      },
      function (failure) {
        say(failure.message, true);
        if (failure.status === 404) {
          keep(null);
          return show("form");
        }
        timer = setTimeout(function () {
          follow(begun);
        }, 4000);
      },
    );
  }
  var busy = false;
  function pay(begun) {
    if (busy) return;
    busy = true;
    $("go").setAttribute("aria-disabled", "true");
    say("正在下单……", false);
    void call("pay", {
      code: code,
      requestId: begun.requestId,
      amountCents: begun.amountCents,
      wallet: wallet,
      payer: payer || undefined,
    })
      .then(
        function (payment) {
          take(payment, begun);
        },
        function (failure) {
          // Refused for good: the next try is another payment. Without an answer it stays this one.
          if (failure.status) keep(null);
          say(failure.message, true);
        },
      )
      .then(function () {
        busy = false;
        $("go").removeAttribute("aria-disabled");
      });
  }
  $("form").addEventListener("submit", function (event) {
    event.preventDefault();
    var amountCents = centsOf($("amount").value);
    if (amountCents < 1) {
      say("请输入金额，最多两位小数", true);
      return $("amount").focus();
    }
    if (amountCents > most) {
      say("单笔最多 " + yuan(most) + "，请到收银台付款", true);
      return $("amount").focus();
    }
    var before = kept();
    var begun = before && before.amountCents === amountCents ? before : { requestId: newId(), amountCents: amountCents };
    keep(begun);
    pay(begun);
  });
  $("amount").addEventListener("input", function () {
    var cents = centsOf($("amount").value);
    $("go").textContent = cents > 0 ? "付款 " + yuan(cents) : "付款";
  });
  function restart() {
    keep(null);
    clearTimeout(timer);
    $("amount").value = "";
    $("go").textContent = "付款";
    say("", false);
    show("form");
    $("amount").focus();
  }
  $("again").addEventListener("click", restart);
  $("other").addEventListener("click", restart);
  $("more").addEventListener("click", function () {
    if (askAgain) askAgain();
  });
  document.addEventListener("visibilitychange", function () {
    var begun = kept();
    if (!document.hidden && begun && !$("paying").hidden) follow(begun);
  });
  call("page/" + code).then(function (page) {
    $("store").textContent = page.storeName;
    $("merchant").textContent = page.merchantName;
    $("brand").textContent = page.brandName + " 提供收款服务";
    document.title = "向" + page.storeName + "付款";
    most = page.mostCents;
    if (page.closed) {
      $("again").hidden = true;
      return over(false, page.closed, null);
    }
    return meetPayer(page.wechatUrl).then(function (away) {
      if (away) return;
      say("", false);
      var begun = kept();
      if (begun) return follow(begun);
      show("form");
      $("amount").focus();
    }, gone);
  }, gone);
  function gone(failure) {
    over(false, failure.message, null);
    $("again").hidden = true;
  }
})();
