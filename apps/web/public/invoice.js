// The page behind a receipt's code: what of the order can be invoiced, for whom, and what became of it. The server decides everything.
(function () {
  "use strict";
  var token = location.pathname.split("/").pop();
  var FIELDS = ["title", "taxNo", "address", "phone", "bank", "bankAccount", "mail", "mobile"];
  var others = [];
  var page = null;
  var request = "";
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
    return fetch("/api/" + path, Object.assign({ credentials: "same-origin", cache: "no-store" }, given)).then(
      function (answer) {
        return answer.json().then(function (data) {
          if (answer.ok) return data;
          var failure = new Error(data.message || "暂时不能开票，请稍后再试");
          failure.status = answer.status;
          failure.fields = data.fields || {};
          throw failure;
        });
      },
      function () {
        throw new Error("网络不通，请检查后重试");
      },
    );
  }
  function row(list, name, value) {
    var line = document.createElement("div");
    line.appendChild(document.createElement("dt")).textContent = name;
    line.appendChild(document.createElement("dd")).textContent = value;
    list.appendChild(line);
  }
  var total = function () {
    return others.reduce(function (sum, one) {
      return sum + one.cents;
    }, page.cents);
  };
  var buyer = function () {
    return document.querySelector('input[name="buyer"]:checked').value;
  };
  // A 专用发票 only where each order may have one.
  var special = function () {
    return others.reduce(function (all, one) {
      return all && one.special;
    }, page.special);
  };
  var kind = function () {
    return buyer() === "organisation" && special() ? document.querySelector('input[name="kind"]:checked').value : "pc";
  };
  function label() {
    var company = buyer() === "organisation";
    Array.prototype.forEach.call(document.querySelectorAll(".organisation"), function (part) {
      part.hidden = !company;
    });
    $("kinds").hidden = !(company && special());
    $("go").textContent = "开发票 " + yuan(total());
    $("add").hidden = others.length >= 9;
  }
  var STATES = {
    0: ["等门店审核", "审核后开票，开好了这里能下载"],
    1: ["正在开票", "一般几秒钟，页面会自己更新"],
    2: ["已开票", ""],
    3: ["没有开成", ""],
    4: ["申请已取消", ""],
    5: ["发票已红冲", "退款或开票有误，原发票已经冲掉"],
  };
  // What is waited for, and how often the page looks again.
  var WAITS = {
    issue: ["正在开票", "一般几秒钟，页面会自己更新", 4000],
    store: ["门店正在处理", "这张没有自动开成，门店处理好后这里能下载", 60000],
    files: ["已开票", "已经开好，文件正在取回", 4000],
    "store-files": ["已开票", "发票文件请联系门店索取", 0],
  };
  function drawState(application) {
    var state = (application.waits && WAITS[application.waits]) || STATES[application.status];
    $("state").hidden = false;
    $("word").textContent = state[0];
    $("what").textContent = yuan(application.totalCents) + " · " + application.title + (application.kind === "bs" ? " · 专用发票" : "");
    $("why").textContent = application.waits ? state[1] : application.why || state[1];
    var files = [];
    application.invoices.forEach(function (invoice) {
      invoice.files.forEach(function (file) {
        var link = document.createElement("a");
        link.href = file.url;
        link.setAttribute("download", "");
        link.textContent = "下载 " + file.format.toUpperCase() + (application.invoices.length > 1 ? " " + yuan(invoice.totalCents) : "");
        if (files.length > 0) link.className = "link";
        files.push(link);
      });
    });
    $("files").replaceChildren.apply($("files"), files);
    clearTimeout(timer);
    if (application.waits && state[2] > 0) timer = setTimeout(open, state[2]);
  }
  function draw(found) {
    page = found;
    $("merchant").textContent = found.merchantName;
    $("order").hidden = false;
    $("store").textContent = found.storeName + " · 订单 " + found.orderNo.slice(-8);
    $("sum").textContent = yuan(found.cents > 0 ? found.cents : found.application ? found.application.totalCents : found.paidCents);
    $("lines").replaceChildren();
    found.lines.forEach(function (one) {
      row($("lines"), one.name + (one.units > 1 ? " × " + one.units : ""), (one.cents / 100).toFixed(2));
    });
    if (found.voucherCents > 0 && found.cents > 0) row($("lines"), "其中买平台券时付的", (found.voucherCents / 100).toFixed(2));
    var told = found.why.steps.concat(
      found.why.refused.map(function (text) {
        return "没有用：" + text;
      }),
    );
    $("steps").replaceChildren();
    told.forEach(function (text) {
      $("steps").appendChild(document.createElement("li")).textContent = text;
    });
    $("why-price").hidden = told.length === 0;
    // Of a store that issues no invoices it is all that the page tells.
    if (!found.subjectName && told.length > 0) {
      document.title = document.querySelector("h1").textContent = "为什么是这个价";
      $("why-price").open = true;
    }
    $("reasons").replaceChildren();
    found.without.forEach(function (one) {
      $("reasons").appendChild(document.createElement("li")).textContent = one.why;
    });
    $("without").hidden = found.without.length === 0;
    $("rule").textContent = found.lastDay && found.cents > 0 ? "可以申请到 " + found.lastDay + "，由 " + found.subjectName + " 开具" : "";
    $("state").hidden = true;
    var living = found.application && found.application.status < 3;
    if (found.application) drawState(found.application);
    $("form").hidden = !!living || found.closed !== null;
    say(living ? "" : found.closed || "", false);
    if (!$("form").hidden) label();
  }
  function open() {
    return call("invoice-page/" + token).then(draw, function (failure) {
      say(failure.message, true);
    });
  }
  /** What is wrong, at its field; the first is looked at. */
  function blame(fields) {
    var first = null;
    FIELDS.forEach(function (name) {
      var fault = fields[name] || "";
      $("e-" + name).textContent = fault;
      $(name).setAttribute("aria-invalid", fault ? "true" : "false");
      if (fault && !first) first = $(name);
    });
    if (first) {
      if (first.closest("details")) first.closest("details").open = true;
      first.focus();
    }
    return first !== null;
  }
  $("form").addEventListener("change", function () {
    label();
  });
  // Another order is another receipt's link.
  function refuseOther(text) {
    $("e-other").textContent = text;
    $("other").setAttribute("aria-invalid", text ? "true" : "false");
    if (text) $("other").focus();
  }
  $("more").addEventListener("click", function () {
    var other = $("other").value.trim().split("/").pop();
    var known = others.some(function (one) {
      return one.token === other;
    });
    if (!/^[\w-]{44}$/.test(other)) return refuseOther("请粘贴小票上的开票链接");
    if (other === token || known) return refuseOther("这笔已经在里面了");
    call("invoice-page/" + other).then(
      function (found) {
        if (found.cents === 0) return refuseOther(found.closed || "这笔已经申请过开票");
        if (found.subjectName !== page.subjectName) return refuseOther("这笔不是同一个开票主体，请分开申请");
        others.push({ token: other, cents: found.cents, special: found.special });
        var line = document.createElement("div");
        line.className = "other";
        line.appendChild(document.createElement("span")).textContent = "加上订单 " + found.orderNo.slice(-8);
        line.appendChild(document.createElement("span")).textContent = yuan(found.cents);
        $("others").appendChild(line);
        $("other").value = "";
        request = "";
        refuseOther("");
        label();
      },
      function (failure) {
        refuseOther(failure.message);
      },
    );
  });
  $("form").addEventListener("submit", function (event) {
    event.preventDefault();
    if ($("go").getAttribute("aria-disabled")) return;
    var company = buyer() === "organisation";
    // Left empty it is said before anything is asked.
    var missing = {};
    if ($("title").value.trim().length < 2) missing.title = "请填写发票抬头";
    if (company && $("taxNo").value.trim() === "") missing.taxNo = "企业抬头要填税号";
    if (blame(missing)) return;
    request = request || newId();
    var body = {
      requestId: request,
      token: token,
      others: others.map(function (one) {
        return one.token;
      }),
      cents: total(),
      buyer: buyer(),
      kind: kind(),
    };
    FIELDS.forEach(function (name) {
      if (company || name === "title" || name === "mail" || name === "mobile") body[name] = $(name).value.trim();
    });
    $("go").setAttribute("aria-disabled", "true");
    say("正在提交……", false);
    void call("invoice-page/apply", body)
      .then(open, function (failure) {
        // What was typed is changed before it is sent again: another request.
        if (failure.status && failure.status < 500) request = "";
        if (blame(failure.fields || {})) return say("", false);
        say(failure.message, true);
        if (failure.status === 409)
          return open().then(function () {
            say(failure.message, true);
          });
      })
      .then(function () {
        $("go").removeAttribute("aria-disabled");
      });
  });
  void open();
})();
