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
    return fetch("/api/" + path + "?_t=" + Date.now(), Object.assign({ credentials: "same-origin" }, given)).then(
      function (answer) {
        return answer.json().then(function (data) {
          if (answer.ok) return data;
          var failure = new Error(data.message || "暂时不能付款，请稍后再试");
          failure.status = answer.status;
          failure.code = data.code;
          failure.fields = data.fields || {};
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
    return call("pay-codes/payer", { code: code, wechatCode: given }).then(function (answer) {
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
  // A member who is signed in at this merchant's page: the level comes off by itself, points and balance as they wish. What it comes to is
  // asked of the server and shown before anybody presses.
  var me = null;
  var merchant = "";
  var shop = "";
  var quoted = null;
  var quoting = 0;
  var waits = 0;
  var plain = function (cents) {
    return (cents / 100).toFixed(2);
  };
  var joinUrl = function (to) {
    return "/m/" + merchant + "?s=" + shop + "&back=/pay/" + code + (to || "");
  };
  function rows(list, lines) {
    list.replaceChildren.apply(
      list,
      lines.map(function (line) {
        var row = document.createElement("div");
        ["dt", "dd"].forEach(function (tag, at) {
          row.appendChild(document.createElement(tag)).textContent = line[at];
        });
        row.className = line[2] || "";
        return row;
      }),
    );
  }
  /** What it is paid with; what was given is no money and never comes back as money. */
  function tendersOf(price) {
    return price.tenders.map(function (one) {
      if (one.kind === "principal") return ["本金支付", yuan(one.cents)];
      return one.kind === "gift" ? ["赠送支付（不可退现）", plain(one.cents)] : [WALLETS[wallet] + "支付", yuan(one.cents)];
    });
  }
  function label() {
    var cents = centsOf($("amount").value);
    if (!me) return cents > 0 ? "付款 " + yuan(cents) : "付款";
    if (!quoted) return "付款";
    if (quoted.paidCents > 0) return WALLETS[wallet] + "支付 " + yuan(quoted.paidCents);
    return quoted.tenders.length > 0 ? "用余额付清 " + plain(quoted.valueCents) : "确认，不用再付钱";
  }
  function drawPrice() {
    $("go").textContent = label();
    $("price").hidden = !quoted;
    $("pin-row").hidden = !(quoted && quoted.asksPin && me.hasPin);
    $("set-pin").hidden = !(quoted && quoted.asksPin && !me.hasPin);
    if (!quoted) return;
    var off = quoted.parts
      .filter(function (part) {
        return part.source !== "stored";
      })
      .map(function (part) {
        return [part.name + (part.points ? " " + part.points + " 分" : ""), "−" + plain(part.offCents)];
      });
    var lines = [["金额", yuan(quoted.grossCents)]].concat(off, tendersOf(quoted));
    if (quoted.paidCents === 0) lines.push([WALLETS[wallet] + "还要付", yuan(0)]);
    lines[lines.length - 1][2] = "left";
    rows($("bill"), lines);
    $("earns").textContent = quoted.refused.concat(quoted.earns > 0 ? ["付完得 " + quoted.earns + " 积分"] : []).join("；");
  }
  /** Asks what it comes to; a later question overtakes an earlier one. @returns whether there is a price */
  function quote() {
    clearTimeout(waits);
    var mine = ++quoting;
    var amountCents = centsOf($("amount").value);
    quoted = null;
    if (amountCents < 1 || amountCents > most) {
      drawPrice();
      return Promise.resolve(false);
    }
    $("price").setAttribute("aria-busy", "true");
    return call("customer/" + merchant + "/pay/quote", {
      code: code,
      amountCents: amountCents,
      points: $("points").checked,
      stored: $("stored").checked,
    }).then(
      function (answer) {
        if (mine !== quoting) return false;
        $("price").setAttribute("aria-busy", "false");
        quoted = answer;
        quoted.valueCents = answer.tenders.reduce(function (sum, one) {
          return sum + one.cents;
        }, 0);
        quoted.until = Date.now() + 4 * 60000;
        say("", false);
        drawPrice();
        return true;
      },
      function (failure) {
        if (mine !== quoting) return false;
        $("price").setAttribute("aria-busy", "false");
        if (failure.status === 401) leave();
        else say(failure.message, true);
        drawPrice();
        return false;
      },
    );
  }
  function quoteSoon() {
    clearTimeout(waits);
    $("go").setAttribute("aria-disabled", "true");
    waits = setTimeout(function () {
      void quote().then(function () {
        $("go").removeAttribute("aria-disabled");
      });
    }, 250);
  }
  function leave() {
    me = null;
    quoted = null;
    $("member").hidden = true;
    $("sign-in").hidden = false;
    $("go").removeAttribute("aria-disabled");
    $("go").textContent = label();
    say("会员登录已过期，可以直接付款，或重新登录", true);
  }
  function meetMember() {
    return call("customer/" + merchant + "/home").then(
      function (found) {
        if (found.status > 2) return;
        me = found;
        $("who").textContent = [found.name || found.phone, found.level].filter(Boolean).join(" · ");
        $("points-left").textContent = "有 " + found.points + " 分";
        $("stored-left").textContent = "本金 " + yuan(found.principalCents) + "，赠送 " + plain(found.giftCents) + "（不可退）";
        $("points-row").hidden = !(found.points > 0 && found.status === 1);
        $("stored-row").hidden = !(found.principalCents + found.giftCents > 0 && found.status === 1);
        $("set-pin").href = joinUrl("#pin");
        $("member").hidden = false;
        $("sign-in").hidden = true;
        if (centsOf($("amount").value) > 0) quoteSoon();
      },
      function () {
        // Nobody is signed in here: everybody pays all the same.
        $("sign-in").href = joinUrl();
        $("sign-in").hidden = false;
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
  function over(good, title, payment, begun) {
    keep(null);
    clearTimeout(timer);
    show("over");
    $("mark").textContent = good ? "✓" : "!";
    $("mark").className = "mark " + (good ? "good" : "bad");
    $("result").textContent = title;
    var tenders = (good && begun && begun.tenders) || [];
    $("paid").textContent = !good ? "" : tenders.length > 0 ? plain(begun.valueCents) + " 元" : yuan(payment.paidCents);
    $("tenders").hidden = tenders.length === 0;
    rows($("tenders"), tenders);
    $("number").textContent = payment ? "订单号 " + payment.orderNo : "";
    $("comment").hidden = !(payment && payment.commentUrl);
    if (payment && payment.commentUrl) $("comment").href = payment.commentUrl;
    $("invoice").hidden = !(payment && payment.invoiceUrl);
    if (payment && payment.invoiceUrl) $("invoice").href = payment.invoiceUrl;
    say("", false);
  }
  function take(payment, begun) {
    if (payment.status === 2) return over(true, "付款成功", payment, begun);
    if (payment.status === 3) return over(true, "已付款，后已退款", payment, begun);
    if (payment.status === 1) return over(false, payment.message || "付款没有完成，订单已关闭", payment);
    show("paying");
    $("sum").textContent = yuan(begun.moneyCents === undefined ? begun.amountCents : begun.moneyCents);
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
    call("pay-codes/payments/" + code + "/" + begun.requestId).then(
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
    var given = {
      code: code,
      requestId: begun.requestId,
      amountCents: begun.amountCents,
      wallet: wallet,
      payer: payer || undefined,
    };
    var pin = $("pin-row").hidden ? undefined : $("pin").value;
    void (
      begun.tenders
        ? call("customer/" + merchant + "/pay", Object.assign(given, { quote: quoted.quote, pin: pin }))
        : call("pay-codes/pay", given)
    )
      .then(
        function (payment) {
          $("pin").value = "";
          // Paid as it was placed: what else is told of it comes the usual way.
          if (payment.status === 2) return follow(begun);
          take(payment, begun);
        },
        function (failure) {
          // The order is there, as it was asked for before.
          if (failure.code === "till.reused") return follow(begun);
          // Refused for good: the next try is another payment. Without an answer it stays this one.
          if (failure.status) keep(null);
          if (failure.status === 401) return leave();
          say(failure.message, true);
          if (failure.fields && failure.fields.pin) return $("pin").focus();
          if (failure.code === "price.changed" || (failure.fields && failure.fields.quote))
            return quote().then(function () {
              say("价格有变化，请再看一下", true);
            });
        },
      )
      .then(function () {
        busy = false;
        $("go").removeAttribute("aria-disabled");
      });
  }
  /** The price of a member is asked anew where it is missing or nearly over. */
  function priced() {
    if (!me) return Promise.resolve(true);
    return quoted && quoted.until > Date.now() ? Promise.resolve(true) : quote();
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
    if ($("go").getAttribute("aria-disabled")) return busy || say("正在算价格，请稍候", false);
    void priced().then(function (ready) {
      if (!ready) return;
      if (quoted && quoted.asksPin) {
        if (!me.hasPin) return say("先设置支付密码，或者不用余额", true);
        if (!/^\d{6}$/.test($("pin").value)) {
          say("请输入 6 位支付密码", true);
          return $("pin").focus();
        }
      }
      var before = kept();
      var begun = before && before.amountCents === amountCents ? before : { requestId: newId(), amountCents: amountCents };
      begun.tenders = quoted ? tendersOf(quoted) : undefined;
      begun.valueCents = quoted ? quoted.valueCents : undefined;
      begun.moneyCents = quoted ? quoted.paidCents : undefined;
      keep(begun);
      pay(begun);
    });
  });
  $("amount").addEventListener("input", function () {
    if (me) return quoteSoon();
    $("go").textContent = label();
  });
  ["points", "stored"].forEach(function (id) {
    $(id).addEventListener("change", quoteSoon);
  });
  function restart() {
    keep(null);
    clearTimeout(timer);
    $("amount").value = "";
    quoted = null;
    $("points").checked = $("stored").checked = false;
    drawPrice();
    void meetMember();
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
  call("pay-codes/page/" + code).then(function (page) {
    $("store").textContent = page.storeName;
    $("merchant").textContent = page.merchantName;
    $("brand").textContent = page.brandName + " 提供收款服务";
    document.title = "向" + page.storeName + "付款";
    most = page.mostCents;
    merchant = page.merchantId;
    shop = page.storeId;
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
      void meetMember();
    }, gone);
  }, gone);
  function gone(failure) {
    over(false, failure.message, null);
    $("again").hidden = true;
  }
})();
