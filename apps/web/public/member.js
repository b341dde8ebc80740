// A merchant's page for its members: code, balances, recharge, records and what is theirs to change. It stands alone, so that a phone on a
// slow network has it at once; the server decides everything.
(() => {
  "use strict";
  const merchant = location.pathname.split("/")[2] || "";
  const [store] = /^[\da-f-]{36}$/.exec(new URLSearchParams(location.search).get("s") || "") || [];
  // Who came from a store's pay code goes back to it.
  const [payPage] = /^\/pay\/[\w-]{20,64}$/.exec(new URLSearchParams(location.search).get("back") || "") || [];
  const $ = (id) => document.getElementById(id);
  const inWechat = /MicroMessenger/i.test(navigator.userAgent);
  const wallet = /AlipayClient/i.test(navigator.userAgent) ? "alipay" : /UnionPay/i.test(navigator.userAgent) ? "unionpay" : "wechat";
  const WALLET = { wechat: "微信", alipay: "支付宝", unionpay: "云闪付" }[wallet];
  let page = null;
  let home = null;

  // ── what is said ──
  const plain = (cents) => (cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
  const yuan = (cents) => "¥" + plain(cents);
  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  const shanghai = (at, with_year) => {
    const text = new Date(Date.parse(at) + 28800000).toISOString();
    return text.slice(with_year ? 0 : 5, 16).replace("T", " ");
  };
  const lastDay = (endsAt) => new Date(Date.parse(endsAt) - 1 + 28800000).toISOString().slice(0, 10);
  const daysTo = (day) => Math.round((Date.parse(day) - Date.parse(new Date(Date.now() + 28800000).toISOString().slice(0, 10))) / 86400000);
  /** An end as a date, and as a word where it is near. */
  const until = (day) => {
    const left = daysTo(day);
    const near = left === 0 ? "今天 " : left === 1 ? "明天 " : left === 2 ? "后天 " : "";
    return near + (day.slice(0, 4) === String(new Date().getFullYear()) ? day.slice(5) : day) + " 到期";
  };
  const inFours = (digits) => digits.replace(/(\d{4})(?=\d)/g, "$1 ");
  function say(text, bad) {
    $("said").textContent = text || "";
    $("said").className = bad ? "bad" : "";
  }

  // ── elements, never from text ──
  const SVG = "http://www.w3.org/2000/svg";
  function put(made, given, kids) {
    for (const [name, value] of Object.entries(given || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (typeof value === "function") made.addEventListener(name, value);
      else if (name === "value" || name === "checked") made[name] = value;
      else made.setAttribute(name, value === true ? "" : value);
    }
    for (const kid of kids.flat(3)) if (kid !== null && kid !== undefined && kid !== false) made.append(kid);
    return made;
  }
  const h = (tag, given, ...kids) => put(document.createElement(tag), given, kids);
  const s = (tag, given, ...kids) => put(document.createElementNS(SVG, tag), given, kids);
  const qrOf = (qr, label, name) =>
    s("svg", { viewBox: `0 0 ${qr.cells} ${qr.cells}`, role: "img", "aria-label": label, class: name }, s("path", { d: qr.path }));
  const sheet = (...kids) => h("section", { class: "sheet" }, ...kids);
  const button = (text, click, name) => h("button", { type: "button", class: name, click }, text);
  const goes = (what, more, to) =>
    h("button", { type: "button", class: "row", click: () => go(to) }, h("span", {}, what), h("span", { class: "more" }, more));

  // ── the server ──
  function call(path, body) {
    const given = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    const mark = path.includes("?") ? "&" : "?";
    return fetch(`/api/customer/${merchant}/${path}${mark}_t=${Date.now()}`, { credentials: "same-origin", ...given }).then(
      (answer) =>
        answer
          .json()
          .catch(() => ({}))
          .then((data) => {
            if (answer.ok) return data;
            throw Object.assign(new Error(data.message || "暂时打不开，请稍后再试"), {
              status: answer.status,
              code: data.code,
              fields: data.fields || {},
            });
          }),
      () => {
        throw Object.assign(new Error("没连上网，请检查后重试"), { offline: true, fields: {} });
      },
    );
  }
  function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }
  // What survives a reload and the way back from the wallet; without storage it is only forgotten.
  const KEPT = `zhangfang_member_${merchant}`;
  const keep = (what, value) => {
    try {
      if (value === null) sessionStorage.removeItem(KEPT + what);
      else sessionStorage.setItem(KEPT + what, JSON.stringify(value));
    } catch {
      /* no storage */
    }
  };
  const kept = (what) => {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT + what) || "null");
    } catch {
      return null;
    }
  };

  /** This phone's own mark, so that a gift is given once to it. */
  function device() {
    try {
      const had = localStorage.getItem("zhangfang_device");
      if (had) return had;
      const made = newId();
      localStorage.setItem("zhangfang_device", made);
      return made;
    } catch {
      return undefined;
    }
  }

  // ── one view at a time ──
  let shown = 0;
  let leave = [];
  const timers = (fn, ms) => {
    const timer = setTimeout(() => fn(), ms);
    leave.push(() => clearTimeout(timer));
  };
  /** Shows a view; what comes late for one that is gone is dropped. */
  function show(title, kids, dock, quiet) {
    for (const one of leave.splice(0)) one();
    shown++;
    say("");
    document.title = page ? `${title} · ${page.merchantName}` : title;
    const head = h("h1", { tabindex: "-1", class: quiet ? "quiet" : undefined }, title);
    $("main").replaceChildren(head, ...kids.flat(3).filter(Boolean));
    $("main").setAttribute("aria-busy", "false");
    $("dock").replaceChildren(...[dock].flat().filter(Boolean));
    scrollTo(0, 0);
    head.focus({ preventScroll: true });
  }
  function load(title, dock, ask, then, quiet) {
    show(title, [h("p", { class: "loading" }, "正在打开……")], dock, quiet);
    $("main").setAttribute("aria-busy", "true");
    const mine = shown;
    return ask().then(
      (data) => {
        if (mine === shown) then(data);
      },
      (failure) => {
        if (mine === shown) failed(title, failure, dock, () => load(title, dock, ask, then, quiet));
      },
    );
  }
  function failed(title, failure, dock, again) {
    if (failure.status === 401) return expired();
    show(title, [nothing(failure.message, button("再试一次", again, "plain"))], dock);
  }
  const nothing = (text, act) =>
    h(
      "div",
      { class: "empty" },
      s(
        "svg",
        { viewBox: "0 0 80 64", fill: "none", stroke: "currentColor", "stroke-width": "2", "aria-hidden": "true" },
        s("rect", { x: "10", y: "12", width: "60", height: "40", rx: "6" }),
        s("path", { d: "M10 24h60M20 40h14" }),
      ),
      h("p", {}, text),
      act,
    );
  const TABS = { code: "会员码", recharge: "充值", records: "明细", me: "我的" };
  const tabs = (now) =>
    h(
      "nav",
      { class: "tabs", "aria-label": "会员" },
      Object.entries(TABS)
        .filter(([name]) => name !== "recharge" || !home || home.mayRecharge)
        .map(([name, text]) => h("button", { type: "button", "aria-current": name === now && "page", click: () => go(name) }, text)),
    );
  /** The dock of a step: back, and the one act. @param why says beside a blocked act what is missing */
  function act(text, given) {
    const made = h(
      "button",
      {
        type: "button",
        class: given.danger ? "danger" : given.plain && "plain",
        click: () => made.getAttribute("aria-disabled") !== "true" && given.run(),
      },
      text,
    );
    const why = h("p", { class: "why", hidden: !given.why }, given.why || "");
    const back =
      given.back &&
      h(
        "button",
        {
          type: "button",
          class: "plain back",
          "aria-label": "返回",
          click: () => (typeof given.back === "function" ? given.back() : go(given.back)),
        },
        s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M15 5l-7 7 7 7" })),
      );
    const set = (label, blocked) => {
      made.textContent = label;
      made.setAttribute("aria-disabled", blocked ? "true" : "false");
      why.textContent = blocked || "";
      why.hidden = !blocked;
    };
    if (given.why) set(text, given.why);
    return { el: h("div", {}, why, h("div", { class: "act" }, back, given.run && made)), set };
  }

  // ── fields ──
  let serial = 0;
  function field(label, given, beside) {
    const id = `f${++serial}`;
    const { options, ...rest } = given || {};
    const facts = { id, autocomplete: "off", "aria-describedby": `${id}e`, ...rest };
    const input = options
      ? h(
          "select",
          facts,
          options.map(([value, text]) => h("option", { value }, text)),
        )
      : h("input", { type: "text", ...facts });
    const fault = h("p", { class: "fault", id: `${id}e`, hidden: true });
    const el = h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "line" }, input, beside), fault);
    const fail = (text) => {
      fault.textContent = text || "";
      fault.hidden = !text;
      if (text) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
    };
    input.addEventListener("input", () => fail(""));
    return {
      el,
      input,
      fail,
      get value() {
        return input.value.trim();
      },
    };
  }
  const phoneField = (label, beside) => field(label, { type: "tel", inputmode: "numeric", autocomplete: "tel", maxlength: "11" }, beside);
  const digits = (label, beside, hidden) =>
    field(
      label,
      { type: hidden ? "password" : "text", inputmode: "numeric", autocomplete: hidden ? "off" : "one-time-code", maxlength: "6" },
      beside,
    );
  const centsOf = (text) => {
    const match = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.replace(/,/g, ""));
    return match ? Number(match[1]) * 100 + Number((match[2] || "").padEnd(2, "0")) : 0;
  };
  /** Says what is wrong at its field; what has no field here is said below. */
  function tell(failure, fields) {
    if (failure.status === 401) return expired();
    let first = null;
    for (const [name, text] of Object.entries(failure.fields || {})) {
      const one = fields[name];
      if (!one || one.el.hidden) continue;
      one.fail(text);
      first = first || one;
    }
    if (first) first.input.focus();
    else say(failure.message, true);
  }
  /** A button that sends a code and counts the minute down. */
  function codeButton(send, fields) {
    let left = 0;
    const made = button(
      "获取验证码",
      () => {
        if (left > 0 || made.getAttribute("aria-disabled") === "true") return;
        made.setAttribute("aria-disabled", "true");
        const sent = send();
        if (!sent) return made.setAttribute("aria-disabled", "false");
        sent.then(
          (answer) => {
            say("验证码已发到手机，5 分钟内有效");
            left = answer.againAfter;
            tick();
          },
          (failure) => {
            made.setAttribute("aria-disabled", "false");
            tell(failure, fields);
          },
        );
      },
      "plain small",
    );
    const tick = () => {
      made.textContent = left > 0 ? `${left} 秒后再发` : "获取验证码";
      made.setAttribute("aria-disabled", left > 0 ? "true" : "false");
      if (left-- > 0) setTimeout(tick, 1000);
      else left = 0;
    };
    return made;
  }
  /** Runs one thing at a time. */
  function once(run) {
    let busy = false;
    return () => {
      if (busy) return;
      const going = run();
      if (!going) return;
      busy = true;
      $("main").setAttribute("aria-busy", "true");
      const end = () => {
        busy = false;
        $("main").setAttribute("aria-busy", "false");
      };
      going.then(end, end);
    };
  }

  // ── joining ──
  function faceOf(card, name) {
    return h(
      "section",
      { class: "face tall", "data-tone": card ? card.tone : "COLOR040", "aria-label": "会员卡" },
      h("p", { class: "name" }, card ? card.name : `${name}会员`),
      h("p", {}, card && card.notice ? card.notice : "一个手机号，一张卡"),
    );
  }
  const PHONE = /^1[3-9]\d{9}$/;
  /** Says at a field what is missing, and goes there. */
  function lacks(one, text) {
    one.fail(text);
    one.input.focus();
  }
  function check(text) {
    const input = h("input", { type: "checkbox" });
    return { input, el: h("label", { class: "check" }, input, h("span", {}, text)) };
  }
  /** What a card may ask, as fields. */
  const ASKS = {
    name: { label: "姓名", autocomplete: "name", maxlength: "32" },
    birthday: { label: "生日", type: "date", autocomplete: "bday" },
    idcard: { label: "身份证号", maxlength: "18" },
    income: { label: "收入", maxlength: "32" },
    industry: { label: "行业", maxlength: "32" },
    habit: { label: "兴趣爱好", maxlength: "64" },
    email: { label: "邮箱", inputmode: "email", autocomplete: "email", maxlength: "64" },
    location: { label: "详细地址", autocomplete: "street-address", maxlength: "128" },
    sex: {
      label: "性别",
      options: [
        ["", "请选择"],
        ["1", "男"],
        ["2", "女"],
      ],
    },
    education: { label: "教育背景", maxlength: "32" },
  };
  /** What the merchant's card asks, with the phone and what proves it. */
  function joinFields() {
    const fields = { phone: phoneField("手机号") };
    fields.sms = digits(
      "短信验证码",
      codeButton(
        () => (PHONE.test(fields.phone.value) ? call("sms", { phone: fields.phone.value }) : lacks(fields.phone, "请输入 11 位手机号")),
        fields,
      ),
    );
    fields.pin = digits("支付密码", null, true);
    fields.pin.el.hidden = true;
    const must = (ask) => (ask === 2 ? "" : "（选填）");
    for (const [name, { label, ...given }] of Object.entries(ASKS))
      if (page.asks[name] > 0) fields[name] = field(label + must(page.asks[name]), given);
    return fields;
  }
  /** What was filled in of it. */
  const saidIn = (fields) => {
    const said = {};
    for (const name of Object.keys(ASKS)) if (fields[name] && fields[name].value) said[name] = fields[name].value;
    return said.sex ? { ...said, sex: Number(said.sex) } : said;
  };
  /** Who was signed in on this device hears that it is over; who never was just joins. */
  const expired = () => signIn(home || kept("home") ? "登录已过期，请重新登录" : "");
  /** Goes where somebody wanted to go before they were asked who they are. */
  function signedIn() {
    keep("invitation", null);
    const after = kept("after") || "code";
    keep("after", null);
    return payPage ? location.replace(payPage) : go(after);
  }
  function signIn(said) {
    [home, payer] = [null, ""];
    for (const what of ["home", "payer"]) keep(what, null);
    if (!page) return open();
    const fields = joinFields();
    let proved = null;
    const consent = check(page.consent.text);
    const guardian = check(page.consent.guardian);
    guardian.el.hidden = true;
    if (fields.birthday)
      fields.birthday.input.addEventListener("change", () => {
        const born = fields.birthday.value;
        guardian.el.hidden = !born || Date.now() - Date.parse(born) > 14 * 365.25 * 86400000;
      });
    const value = (name) => (fields[name] && fields[name].value) || undefined;
    const answered = (answer) => {
      if (answer.signedIn) return signedIn();
      proved = answer.proved;
      fields.sms.el.hidden = true;
      if (Object.keys(answer.lacks).length > 0) return tell({ fields: answer.lacks, message: "请填好会员卡的资料" }, fields);
      fields.pin.el.hidden = false;
      say("这个手机号设置过支付密码，请输入；忘了请到店重置");
      fields.pin.input.focus();
    };
    const refused = (failure) => {
      if (failure.fields.sms) {
        proved = null;
        fields.sms.el.hidden = false;
        fields.pin.el.hidden = true;
      }
      if (failure.fields.guardian) guardian.el.hidden = false;
      tell(failure, fields);
    };
    const run = once(() => {
      if (!PHONE.test(fields.phone.value)) return lacks(fields.phone, "请输入 11 位手机号");
      if (!proved && !/^\d{6}$/.test(fields.sms.value)) return lacks(fields.sms, "请输入 6 位短信验证码");
      if (!consent.input.checked) {
        say("请先勾选同意会员服务说明", true);
        return void consent.input.focus();
      }
      const given = proved ? { proved, pin: value("pin") } : { sms: fields.sms.value };
      const facts = { ...saidIn(fields), guardian: guardian.input.checked, device: device(), invitation: kept("invitation") || undefined };
      return call("join", { store, phone: fields.phone.value, ...given, ...facts, consent: page.consent.version }).then(answered, refused);
    });
    show(
      "加入会员",
      [
        faceOf(page.card, page.merchantName),
        said && h("p", { class: "notice" }, said),
        formOf(
          run,
          h("p", { class: "under" }, "已经是会员，用手机号登录；还不是，填好就加入"),
          Object.values(fields).map((one) => one.el),
          consent.el,
          guardian.el,
        ),
        h(
          "section",
          { class: "under" },
          [page.storedRule, page.pointsRule].map((rule) => rule && h("p", {}, rule)),
        ),
      ],
      act("加入或登录", { run }).el,
    );
  }
  /** Fields that the key of the keyboard sends, too. */
  const formOf = (run, ...kids) =>
    h(
      "form",
      { class: "sheet", novalidate: true, submit: (event) => (event.preventDefault(), run()) },
      ...kids,
      h("button", { class: "quiet", tabindex: "-1", "aria-hidden": "true" }, "提交"),
    );

  // ── 会员码 ──
  function codeView() {
    const old = home || kept("home");
    const plate = h("div", { class: "plate" }, h("p", { class: "left" }, "正在取会员码……"));
    const drawn = (fresh) => {
      home = fresh;
      show("会员码", homeParts(fresh, plate), tabs("code"), true);
      drawCode(plate);
    };
    if (old) {
      show("会员码", homeParts(old, plate), tabs("code"), true);
      drawCode(plate);
      const mine = shown;
      return call("home").then(
        (fresh) => {
          keep("home", fresh);
          home = fresh;
          if (mine === shown && JSON.stringify({ ...fresh, at: 0 }) !== JSON.stringify({ ...old, at: 0 })) drawn(fresh);
        },
        (failure) => {
          if (mine !== shown) return;
          if (failure.status === 401) return expired();
          say(`${failure.message}。这是 ${shanghai(old.at).slice(6)} 看到的数`, true);
        },
      );
    }
    return load(
      "会员码",
      tabs("code"),
      () => call("home"),
      (fresh) => (keep("home", fresh), drawn(fresh)),
      true,
    );
  }
  const worthOf = (me) =>
    sheet(
      h(
        "dl",
        { class: "worth" },
        h(
          "div",
          {},
          h("dt", {}, "储值本金"),
          h("dd", {}, h("span", { class: "big" }, yuan(me.principalCents)), h("small", {}, "没用完可退")),
        ),
        h(
          "div",
          {},
          h("dt", {}, "赠送"),
          h("dd", {}, h("span", { class: "big" }, plain(me.giftCents)), h("small", {}, "只抵消费，不可退")),
        ),
      ),
      me.heldCents > 0 && h("p", { class: "under" }, `另有 ${plain(me.heldCents)} 被未付订单、转出或退卡占着`),
      me.incoming > 0 && button(`有 ${me.incoming} 笔转余额等你接收`, () => go("transfers"), "plain"),
      me.mayRecharge && me.status === 1 && button("充值", () => go("recharge"), "plain"),
    );
  function thingsOf(me) {
    const soon = me.endingPoints > 0 && daysTo(me.pointsEndOn) <= 60;
    const when =
      me.endingPoints > 0
        ? `${count(me.endingPoints)} 分 ${until(me.pointsEndOn)}`
        : me.pendingPoints > 0
          ? `${count(me.pendingPoints)} 分待入账`
          : me.points > 0
            ? "长期有效"
            : "";
    const ends = (thing) => h("span", { class: daysTo(lastDay(thing.endsAt)) <= 3 ? "soon" : undefined }, until(lastDay(thing.endsAt)));
    const owed = me.owedPoints > 0 && h("small", { class: "bad" }, `欠 ${count(me.owedPoints)} 分，新得的先抵`);
    return h(
      "div",
      { class: "rows" },
      h(
        "button",
        { type: "button", class: "row", click: () => go("records/points") },
        h("span", {}, "积分 ", h("b", { class: "num" }, count(me.points)), owed),
        h("span", { class: soon ? "more soon" : "more" }, when),
      ),
      me.timesCards.map((card) =>
        h("p", { class: "row" }, h("span", {}, `${card.name} `, h("b", { class: "num" }, String(card.left)), " 次"), ends(card)),
      ),
      couponsRow(me),
      goes("领券中心", "", "centre"),
      goes("活动", "", "activities"),
      h("p", { class: "row" }, h("span", {}, "会员号"), h("span", { class: "num" }, me.memberNo)),
    );
  }
  /** How many coupons there are, and the nearest end. */
  function couponsRow({ coupons: [first, ...more] }) {
    const day = first && lastDay(first.endsAt);
    return h(
      "button",
      { type: "button", class: "row", click: () => go("coupons") },
      h("span", {}, "优惠券 ", h("b", { class: "num" }, String(first ? more.length + 1 : 0)), " 张"),
      h("span", { class: day && daysTo(day) <= 3 ? "more soon" : "more" }, first ? until(day) : ""),
    );
  }
  const homeParts = (me, plate) => [
    me.status === 2 && h("p", { class: "notice" }, "会员已冻结：不能用储值、积分，不能转和退。请到店核实后解冻，退款照常进来。"),
    me.status === 3 && h("p", { class: "notice" }, `正在注销，${me.closeOn} 之后资料清除。反悔可以在「我的」里撤回。`),
    h(
      "section",
      { class: "face", "data-tone": me.card ? me.card.tone : "COLOR040", "aria-label": "会员码" },
      h("p", { class: "who" }, h("b", {}, me.name || me.phone, me.level && ` ${me.level}`), h("span", {}, me.card ? me.card.name : "会员")),
      plate,
      h("p", { class: "foot" }, "出示给店员，积分、储值、用券一次扫完"),
    ),
    worthOf(me),
    thingsOf(me),
    me.card && me.card.rights && sheet(h("h2", {}, "会员权益"), h("p", { class: "under" }, me.card.rights)),
  ];
  const AROUND = 62.83;
  /** A code that changes with each step. @param path the call that tells it @param name what it is called */
  function drawCode(plate, path = "code", name = "会员码") {
    const mine = shown;
    const alive = () => mine === shown;
    call(path).then(
      (answer) => {
        if (!alive()) return;
        if (!answer.code) return plate.replaceChildren(h("p", {}, answer.why));
        const ends = Date.now() + answer.leftMs;
        const left = h("span", {});
        const arc = s("circle", { cx: "14", cy: "14", r: "10", "stroke-dasharray": String(AROUND) });
        const ring = s(
          "svg",
          { viewBox: "0 0 28 28", class: "ring", "aria-hidden": "true" },
          s("circle", { cx: "14", cy: "14", r: "10" }),
          arc,
        );
        plate.replaceChildren(
          barOf(answer.code, `${name}条码`),
          qrOf(answer.qr, `${name}二维码`, "qr"),
          h("p", { class: "digits", "data-code": answer.code }, inFours(answer.code)),
          h("p", { class: "left" }, ring, left),
        );
        const tick = () => {
          if (!alive()) return;
          const seconds = Math.ceil((ends - Date.now()) / 1000);
          if (seconds <= 0) return drawCode(plate, path, name);
          left.textContent = `${seconds} 秒后换新`;
          arc.setAttribute("stroke-dashoffset", String(AROUND * (1 - seconds / (answer.stepMs / 1000))));
          timers(tick, Math.max(50, (ends - Date.now()) % 1000 || 1000));
        };
        tick();
      },
      (failure) => {
        if (!alive()) return;
        if (failure.status === 401) return expired();
        // A code past its step is never shown.
        plate.replaceChildren(
          h("p", {}, failure.offline ? "码已过期，没连上网" : failure.message),
          h("p", { class: "left" }, "也可以报手机号，加短信验证码"),
        );
        timers(() => alive() && drawCode(plate, path, name), 4000);
      },
    );
  }
  // Code 128 C: two digits a sign, each of three bars and three gaps. 20 digits are 145 modules, two pixels each.
  const SIGNS =
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232";
  function barOf(code, label) {
    const signs = [105, ...code.match(/../g).map(Number)];
    signs.push(signs.reduce((sum, sign, at) => sum + sign * Math.max(at, 1), 0) % 103);
    const widths = signs.map((sign) => SIGNS.slice(sign * 6, sign * 6 + 6)).join("") + "2331112";
    let [at, path] = [0, ""];
    for (const [n, width] of [...widths].entries()) {
      if (n % 2 === 0) path += `M${at} 0h${width}v1h-${width}z`;
      at += Number(width);
    }
    return s(
      "svg",
      { viewBox: `0 0 ${at} 1`, preserveAspectRatio: "none", role: "img", "aria-label": label, class: "bars" },
      s("path", { d: path }),
    );
  }

  // ── 领券中心, 我的券 ──
  /** What a coupon is worth in its largest letters, and what stands under it. @example faceWords("满 80 减 20") // ["¥20", "满 80"] */
  function faceWords(worth) {
    const [, from] = /满 ([\d.,]+)/.exec(worth) || [];
    const [, off] = /减 ([\d.,]+)/.exec(worth) || [];
    const [, fold] = /([\d.]+ 折)/.exec(worth) || [];
    const [, price] = /([\d.,]+) 元换购/.exec(worth) || [];
    const under = from ? `满 ${from}` : price ? "" : "无门槛";
    if (off) return [`¥${off}`, under];
    return fold ? [fold, under] : price ? [`¥${price}`, [under, "换购"].filter(Boolean).join(" ")] : [worth, ""];
  }
  /** A coupon as it lies in the hand: the tear line parts what it is worth from where it is good. */
  function ticketOf(one, lines, foot, off) {
    const [big, under] = faceWords(one.worth);
    return h(
      "article",
      { class: off ? "ticket off" : "ticket" },
      h("p", { class: "ticket-worth" }, h("b", { class: "num" }, big), under && h("small", {}, under)),
      h("div", { class: "ticket-terms" }, h("h2", {}, one.name), lines, h("div", { class: "ticket-foot" }, foot)),
    );
  }
  const fine = (text, name) => text && h("p", { class: name ? `fine ${name}` : "fine" }, text);
  /** The end of a coupon, in ochre within three days. */
  const endOf = (at) => {
    const left = daysTo(lastDay(at));
    return fine(until(lastDay(at)), left >= 0 && left <= 3 ? "soon" : undefined);
  };
  const centreDock = () => act("我的券", { run: () => go("coupons"), back: "code", plain: true }).el;
  const couponsDock = () => act("去领券中心", { run: () => go("centre"), back: "code", plain: true }).el;
  function centreView() {
    return load(
      "领券中心",
      centreDock(),
      () => Promise.all([call("coupon-center"), call("packages")]),
      ([{ items }, packages]) =>
        show(
          "领券中心",
          [
            items.length + packages.items.length === 0 && nothing("现在没有可以领的券，过几天再来看看"),
            packages.items.length > 0 && [h("h2", {}, "券包"), inTurn(packages.items).map(packOf)],
            items.length > 0 && [
              packages.items.length > 0 ? h("h2", {}, "单张领取") : h("p", { class: "under" }, "能领的排在前面"),
              inTurn(items).map(offerOf),
            ],
          ],
          centreDock(),
        ),
    );
  }
  const SHUT = { had: "已领过", gone: "已领完", closed: "现在不能领" };
  /** Whether a package can be had, and what is left. */
  const packWords = (one) =>
    one.state === "open"
      ? [one.mine > 0 && `已有 ${one.mine} 份`, `还有 ${count(one.left)} 份`].filter(Boolean).join("，")
      : one.state === "early"
        ? `${shanghai(one.beginsAt)} 开始`
        : one.why || SHUT[one.state];
  const contentOf = ({ worth, count: n }) => `${worth} · ${n} 张`;
  /** A package among others: what it costs, and what is in it. */
  function packOf(one) {
    return h(
      "article",
      { class: one.state === "open" ? "ticket" : "ticket off" },
      h(
        "p",
        { class: "ticket-worth" },
        h("b", { class: "num" }, one.priceCents === null ? "免费" : `¥${plain(one.priceCents).replace(/\.00$/, "")}`),
        h("small", {}, `共 ${one.items.reduce((sum, item) => sum + item.count, 0)} 张`),
      ),
      h(
        "div",
        { class: "ticket-terms" },
        h("h2", {}, one.name),
        one.items.map((item) => fine(contentOf(item))),
        h(
          "div",
          { class: "ticket-foot" },
          h("span", {}, packWords(one)),
          button("看看", () => go(`package/${one.packageId}`), "plain small"),
        ),
      ),
    );
  }
  /** 券包: what is in it, each with its sentence, before anybody takes or pays for it. */
  function packageView(id) {
    const begun = kept("package");
    if (begun) return followView(PACKAGE, begun);
    return load(
      "券包",
      act("", { back: "centre" }).el,
      () => call("packages"),
      ({ items, wechatUrl }) => {
        const one = items.find(({ packageId }) => packageId === id);
        if (!one) return centreView();
        return meetPayer({ wechatUrl: one.priceCents === null ? null : wechatUrl }, `package/${id}`).then(
          (away) => away || packageForm(one),
        );
      },
    );
  }
  function packageForm(one) {
    const free = one.priceCents === null;
    const dock = act(free ? "领取" : `${WALLET}支付 ${yuan(one.priceCents)}`, {
      run: once(() => (free ? receivePackage(one) : buyPackage(one))),
      back: "centre",
      why: one.state === "open" ? undefined : packWords(one),
    });
    show(
      one.name,
      [
        sheet(
          h("p", { class: "price num" }, free ? "免费" : yuan(one.priceCents)),
          h(
            "p",
            { class: "under" },
            `${one.items.reduce((sum, { count: n }) => sum + n, 0)} 张券，全部用上最多减 ${plain(one.eachCents)} 元`,
          ),
          one.note && h("p", {}, one.note),
        ),
        h(
          "ul",
          { class: "rows pack" },
          one.items.map((item) => h("li", {}, h("b", {}, `${item.name} ${contentOf(item)}`), h("p", { class: "fine" }, item.said))),
        ),
        h(
          "p",
          { class: "under" },
          `每人最多 ${one.perPerson} 份，${packWords(one)}；${until(lastDay(one.endsAt)).replace("到期", "截止")}。${
            free ? "" : "买了没用的券可以找店里退，按每张最多能减多少分摊售价；用过的不退。"
          }`,
        ),
      ],
      dock.el,
    );
  }
  function refusedPackage(failure, one) {
    if (failure.status === 401) return expired();
    if (failure.status === 409 || failure.status === 404) return packageView(one.packageId).then(() => say(failure.message, true));
    say(failure.message, true);
  }
  function receivePackage(one) {
    const key = `pack${one.packageId}`;
    const begun = kept(key) || newId();
    keep(key, begun);
    return call("receive-package", { packageId: one.packageId, requestId: begun }).then(
      ({ coupons }) => {
        keep(key, null);
        home = null;
        packageDone(`领到 ${coupons} 张券`, one.name);
      },
      (failure) => {
        if (failure.status && failure.status < 500) keep(key, null);
        refusedPackage(failure, one);
      },
    );
  }
  function buyPackage(one) {
    const { packageId, priceCents, name } = one;
    const begun = { requestId: newId(), packageId, priceCents, name };
    keep("package", begun);
    say("正在下单……");
    return call("buy-package", { requestId: begun.requestId, packageId, priceCents, wallet, payer: payer || undefined }).then(
      (payment) => paying(PACKAGE, payment, begun),
      (failure) => {
        // Without an answer it may have been placed: looked at again, never placed twice.
        if (failure.status && failure.status < 500) keep("package", null);
        refusedPackage(failure, one);
      },
    );
  }
  function packagePaid(payment, begun) {
    keep("package", null);
    home = null;
    if (!payment.returned) return packageDone("买好了", `${begun.name}，券已经在我的券里`, payment);
    show(
      "没有发成",
      [
        h(
          "section",
          { class: "sheet done" },
          h("p", { class: "mark bad", "aria-hidden": "true" }, "!"),
          h("p", {}, `付款时「${begun.name}」已经没有了，${yuan(payment.amountCents)} 会原路退回`),
          h("p", { class: "under num" }, `订单号 ${payment.orderNo}`),
        ),
      ],
      act("回领券中心", { run: () => go("centre"), back: "code" }).el,
    );
  }
  const packageDone = (title, more, payment) =>
    show(
      title,
      [
        h(
          "section",
          { class: "sheet done" },
          h("p", { class: "mark plus", "aria-hidden": "true" }, "✓"),
          payment && h("p", { class: "sum" }, yuan(payment.amountCents)),
          h("p", {}, more),
          payment && h("p", { class: "under num" }, `订单号 ${payment.orderNo}`),
        ),
      ],
      act("看我的券", { run: () => go("coupons"), back: "centre" }).el,
    );
  const inTurn = (items) => ["open", "had", "early", "gone", "closed"].flatMap((state) => items.filter((one) => one.state === state));
  /** What stands at the foot of an offer: whether it can be had, and what is left. */
  function offerOf(one) {
    const had = one.mine > 0 ? `已领 ${one.mine} 张` : "";
    const [said, end] = {
      open: [
        [had, `还有 ${count(one.left)} 张`].filter(Boolean).join("，"),
        button(
          "领取",
          once(() => claim(one)),
          "small",
        ),
      ],
      had: [had || "已领", button("去看看", () => go("coupons"), "plain small")],
      gone: [one.left > 0 ? one.why : "已领完", null],
      early: [`${shanghai(one.beginsAt)} 开始，共 ${count(one.left)} 张`, null],
    }[one.state] || [one.why || "现在不能领", null];
    return ticketOf(one, [fine(one.said), fine(one.note)], [h("span", {}, said), end], !end);
  }
  function claim(one) {
    const begun = kept(`claim${one.campaignId}`) || newId();
    keep(`claim${one.campaignId}`, begun);
    return call("claim-coupon", { campaignId: one.campaignId, requestId: begun }).then(
      ({ validFrom, validTo }) => {
        keep(`claim${one.campaignId}`, null);
        home = null;
        const from = Date.parse(validFrom) > Date.now() ? `${shanghai(validFrom)} 起可用，` : "";
        return centreView().then(() => say(`已领「${one.name}」，${from}${until(lastDay(validTo))}`));
      },
      (failure) => {
        if (failure.status === 401) return expired();
        // Refused for good: the next try is another one. Without an answer it stays this one.
        if (failure.status && failure.status < 500) keep(`claim${one.campaignId}`, null);
        if (failure.status === 409) return centreView().then(() => say(failure.message, true));
        say(failure.message, true);
      },
    );
  }
  const COUPON_TABS = { usable: "可用", using: "使用中", used: "已用", gone: "失效" };
  const NONE = { usable: "现在没有能用的券", using: "没有被订单占着的券", used: "还没有用过券", gone: "没有失效的券" };
  function couponsView(which) {
    const now = COUPON_TABS[which] ? which : "usable";
    return load(
      "我的券",
      couponsDock(),
      () => call(`coupons?tab=${now}`),
      ({ counts, items }) => {
        const head = h(
          "div",
          { class: "segments", role: "group", "aria-label": "看哪些券" },
          Object.entries(COUPON_TABS).map(([name, text]) =>
            h(
              "button",
              { type: "button", "aria-pressed": String(name === now), click: () => go(`coupons/${name}`) },
              counts[name] > 0 ? `${text} ${count(counts[name])}` : text,
            ),
          ),
        );
        const none = nothing(NONE[now]);
        show("我的券", [head, items.length === 0 ? none : items.map((one, at) => ownOf(one, at === 0))], couponsDock());
        if (items.length === 0 && now === "usable" && counts.gone > 0) lastLost(none);
      },
    );
  }
  /** Says what was lost last, where there is nothing to use. */
  function lastLost(none) {
    call("coupons?tab=gone").then(
      ({ items: [last] }) => last && none.append(h("p", {}, `最近失效的一张：${last.name} ${last.worth}，${until(lastDay(last.validTo))}`)),
      () => undefined,
    );
  }
  /** Which open order holds a coupon. */
  function heldWords(order) {
    const after = "付款就用掉，订单取消就放开";
    return order
      ? `${shanghai(order.at, true)} 在${order.storeName}的订单 ${yuan(order.paidCents)} 还没付款，占着它；${after}`
      : `被一笔还没付款的订单占着，${after}`;
  }
  /** One of one's own coupons; what ends first has the ink. */
  function ownOf(one, first) {
    if (one.state === "SENDED") {
      const waits = Date.parse(one.validFrom) > Date.now();
      const foot = [
        h("span", {}, waits ? `${shanghai(one.validFrom)} 起可用` : "到店出示券码"),
        button(waits ? "看规则" : "出示", () => go(`coupon/${one.couponId}`), first && !waits ? "small" : "plain small"),
      ];
      return ticketOf(one, [endOf(one.validTo), fine(one.hours), fine(one.where)], foot);
    }
    if (one.state === "LOCKED") return ticketOf(one, endOf(one.validTo), h("span", {}, one.revokedWhy || heldWords(one.order)));
    if (one.state === "USED")
      return ticketOf(
        one,
        fine([one.usedAt && shanghai(one.usedAt, true), one.usedStoreName].filter(Boolean).join(" · ")),
        h("span", {}, "已用"),
        true,
      );
    const why = one.state === "EXPIRED" ? "已过期" : one.revokedWhy ? `作废了：${one.revokedWhy}` : "店里作废了";
    return ticketOf(one, endOf(one.validTo), h("span", {}, why), true);
  }
  /** 券码: as the code of the member, with what it says and the next one by name. */
  function couponView(id) {
    return load(
      "券码",
      act("", { back: "coupons" }).el,
      () => call("coupons?tab=usable"),
      ({ items }) => {
        const one = items.find(({ couponId }) => couponId === id);
        if (!one) return go("coupons");
        looked = one;
        const next = items.find(({ couponId, validFrom }) => couponId !== id && Date.parse(validFrom) <= Date.now());
        const plate = h("div", { class: "plate" }, h("p", { class: "left" }, "正在取券码……"));
        const [, under] = faceWords(one.worth);
        const fact = (name, text) => text && h("p", { class: "row" }, h("span", {}, name), h("span", {}, text));
        show(
          one.worth,
          [
            h(
              "section",
              { class: "face", "data-tone": page.card ? page.card.tone : "COLOR040", "aria-label": "券码" },
              h("p", { class: "who" }, h("b", {}, one.name), h("span", { class: "num" }, until(lastDay(one.validTo)))),
              plate,
              h("p", { class: "foot" }, "给店员扫；截图过 1 分钟就不能用"),
            ),
            h(
              "div",
              { class: "rows" },
              fact("门槛", under.startsWith("满") ? `别的优惠算完还${under.replace(" 换购", "")} 元` : "没有门槛"),
              fact(
                "什么时候",
                [Date.parse(one.validFrom) > Date.now() && `${shanghai(one.validFrom)} 起`, one.hours].filter(Boolean).join("，"),
              ),
              fact("哪里用", one.where),
              one.selfAt.length > 0 && goes("自己核销", "当着店员的面", `consume/${id}`),
              goes("删除这张券", "", `drop/${id}`),
            ),
            h("p", { class: "under" }, one.said),
            one.note && h("p", { class: "under" }, one.note),
          ],
          act(next ? `下一张：${next.name}` : "", { back: "coupons", ...(next && { run: () => go(`coupon/${next.couponId}`) }) }).el,
        );
        drawCode(plate, `coupon-code?couponId=${id}`, "券码");
      },
    );
  }
  /** The coupon whose code was shown last: what may be thrown away or used up is named. */
  let looked = null;
  /** 自助核销: at which store, before whose eyes; what is shown afterwards is for them. */
  function consumeView(id) {
    if (!looked || looked.couponId !== id) return go(`coupon/${id}`);
    const { name, worth, selfAt } = looked;
    const store = {};
    const one = (at) =>
      h(
        "label",
        { class: "row" },
        h("span", {}, at.storeName),
        h("input", {
          type: "radio",
          name: "store",
          value: at.storeId,
          checked: selfAt.length === 1,
          change: () => (store.id = at.storeId),
        }),
      );
    if (selfAt.length === 1) store.id = selfAt[0].storeId;
    step("自己核销", {
      fields: {},
      body: h(
        "div",
        {},
        sheet(
          h("h2", {}, name),
          h("p", { class: "gift" }, worth),
          h("p", { class: "under" }, "选好门店，请让店员看着点。点了就用掉，不能恢复。"),
        ),
        h("section", { class: "rows", role: "radiogroup", "aria-label": "在哪家店" }, selfAt.map(one)),
      ),
      label: "当面核销",
      danger: true,
      back: `coupon/${id}`,
      to: () => (store.id ? ["consume-coupon", { couponId: id, storeId: store.id }] : say("请选择门店")),
      after: ({ storeName, usedAt }) => doneView("已核销", `${name} ${worth}，${shanghai(usedAt, true)} 在${storeName}`, "coupons"),
    });
  }
  const dropView = (id) =>
    step("删除这张券", {
      fields: {},
      body: sheet(
        looked && looked.couponId === id && h("p", {}, h("b", {}, looked.name), ` ${looked.worth}，${until(lastDay(looked.validTo))}`),
        h("p", {}, "删除后不能再用，也找不回来；这一张算你领过。"),
      ),
      label: "删除",
      danger: true,
      back: `coupon/${id}`,
      to: () => ["delete-coupon", { couponId: id }],
      after: () => doneView("已删除", "这张券不能再用了", "coupons"),
    });

  // ── 活动 ──
  const activitiesView = () =>
    load(
      "活动",
      act("", { back: "code" }).el,
      () => Promise.all([call("activities"), call("lotteries")]),
      ([{ items }, lotteries]) =>
        show(
          "活动",
          [
            lotteries.items.length > 0 &&
              h(
                "div",
                { class: "rows" },
                lotteries.items.map((one) =>
                  goes(h("b", {}, one.name), one.left > 0 ? `摇一摇，今天还有 ${one.left} 次` : one.why, `shake/${one.lotteryId}`),
                ),
              ),
            items.length + lotteries.items.length === 0 && nothing("现在没有活动。有了会在这里，领到的奖也在这里"),
            items.length > 0 &&
              h(
                "div",
                { class: "rows" },
                items.map((one) =>
                  h(
                    "button",
                    { type: "button", class: "row", click: () => go(`activities/${one.activityId}`) },
                    h("span", {}, h("b", {}, one.name), h("small", {}, one.worth)),
                    h("span", { class: "more" }, one.progress || (one.running ? until(one.lastDay) : "已结束")),
                  ),
                ),
              ),
          ],
          act("", { back: "code" }).el,
        ),
    );
  /** What came out, first of all. */
  const drawnSheet = (id, drawn) =>
    h(
      "section",
      { class: "sheet drawn", role: "status" },
      h("h2", {}, drawn.what === "won" ? `摇中了 ${drawn.name}` : drawn.what === "gone" ? `${drawn.name}已发完` : "谢谢参与"),
      h("p", {}, drawn.what === "won" ? (drawn.goods ? "到店出示兑奖码领" : `${drawn.words}，马上到账`) : "这次没有中"),
      h("p", { class: "under" }, h("a", { href: `/lottery/${id}#${drawn.drawNo}` }, `第 ${count(drawn.drawNo)} 次，去公示页看`)),
    );
  /** The table of chances, which adds up to 100 %. */
  function chances({ prizes }) {
    const rest = prizes.reduce((sum, { chance }) => sum - chance, 1000000);
    const line = (...cells) =>
      h(
        "tr",
        {},
        cells.map((text, at) => h("td", { class: at > 0 && "num" }, text)),
      );
    return sheet(
      h(
        "table",
        { class: "chances" },
        h(
          "tr",
          {},
          ["奖品", "价值", "机会", "还剩"].map((text) => h("th", { scope: "col" }, text)),
        ),
        prizes.map(({ name, words, valueCents, chance, left }) =>
          line([name, words && h("small", {}, words)], plain(valueCents), `${chance / 10000} %`, left > 0 ? count(left) : "已发完"),
        ),
        rest > 0 && line("谢谢参与", "—", `${rest / 10000} %`, "—"),
      ),
    );
  }
  const wonRows = (wins) =>
    wins.length > 0 &&
    h(
      "section",
      { class: "rows", "aria-label": "我的奖品" },
      wins.map((win) =>
        h(
          "p",
          { class: "row" },
          h(
            "span",
            {},
            h("b", {}, win.name),
            win.reason && h("small", { class: "bad" }, win.reason),
            win.goods && win.status === 0 && h("small", { class: "num" }, `兑奖码 ${inFours(win.code)} · ${until(lastDay(win.until))}`),
          ),
          h("span", { class: "num" }, `${win.said} ${shanghai(win.at)}`),
        ),
      ),
    );
  const shakeRules = (one) =>
    sheet(
      h("h2", {}, "活动规则"),
      h(
        "ol",
        { class: "said" },
        one.said.map((sentence) => h("li", {}, sentence)),
      ),
      h("p", { class: "under" }, h("a", { href: `/lottery/${one.lotteryId}` }, "公示：每一次都能重算")),
    );
  /** 摇一摇: what came out stands first, then the table that adds up, then where it is rechecked. */
  const shakeView = (id, drawn) =>
    load(
      "摇一摇",
      act("", { back: "activities" }).el,
      () => call("lotteries"),
      ({ items }) => {
        const one = items.find(({ lotteryId }) => lotteryId === id);
        if (!one) return show("摇一摇", [nothing("这个活动已经结束")], act("", { back: "activities" }).el);
        // Asked once more after a lost answer it is the same draw.
        const nonce = newId();
        const run = once(() =>
          call("draw", { lotteryId: id, nonce }).then(
            (came) => shakeView(id, came),
            (failure) => (failure.status === 409 ? shakeView(id).then(() => say(failure.message, true)) : tell(failure, {})),
          ),
        );
        show(
          one.name,
          [drawn && drawnSheet(id, drawn), chances(one), wonRows(one.wins), shakeRules(one)],
          act(one.left > 0 ? `摇一次 · 今天还有 ${one.left} 次` : "摇一次", { run, back: "activities", why: one.left > 0 ? "" : one.why })
            .el,
        );
      },
    );
  /** 我的邀请码: a code and what came of it; nothing here asks anybody to send it round. */
  const inviteView = (id) =>
    load(
      "我的邀请码",
      act("", { back: `activities/${id}` }).el,
      () => call("invitation", { activityId: id, device: device() }),
      (one) =>
        show(
          "我的邀请码",
          [
            h(
              "section",
              { class: "plate" },
              qrOf(one.qr, "我的邀请码", "qr"),
              h("p", { class: "left" }, "朋友用手机扫，入会后来消费，你们就能得礼"),
            ),
            sheet(
              h("h2", {}, "我的进度"),
              h("p", {}, `已成 ${one.done} 位，等朋友消费 ${one.waiting} 位${one.not > 0 ? `，不算 ${one.not} 位` : ""}`),
            ),
          ],
          act("", { back: `activities/${id}` }).el,
        ),
    );
  /** Somebody came by a member's code: it is kept until they join. */
  function invitedView(code) {
    keep("invitation", code);
    if (home || kept("home")) {
      keep("invitation", null);
      return show("朋友推荐", [nothing("你已经是会员了，推荐只对新朋友算")], act("", { back: "code" }).el);
    }
    return signIn("朋友推荐你来：加入会员，来消费后有礼");
  }
  const SCANNED = {
    owed: ["领到了", "马上到账"],
    review: ["已登记", "同一网络领取的人多，等店里确认"],
    refused: ["没有领到", ""],
    known: ["已经领过", ""],
    over: ["活动没有在进行", "可能还没开始、暂停了，或已经结束"],
  };
  /** A code that gives something was opened: who is not signed in does it first, and comes back here. */
  function openCode(way, title, body, bad, draw) {
    const dock = act("", { back: "activities" }).el;
    show(title, [h("p", { class: "loading" }, "正在领取……")], dock);
    const mine = shown;
    call(way, body).then(
      (one) => mine === shown && draw(one, dock),
      (failure) => {
        if (mine !== shown) return;
        if (failure.status === 401) {
          keep("after", `${way}/${body.code}`);
          return signIn("登录或加入会员，就能领取");
        }
        show(title, [nothing(failure.status === 404 || failure.status === 400 ? bad : failure.message)], dock);
      },
    );
  }
  const toPrizes = (id) => button("看活动和我的奖品", () => go(id ? `activities/${id}` : "activities"), "plain");
  const scanView = (code) =>
    openCode("scan", "扫码有礼", { code, device: device() }, "活动码无效，请扫店里新的码", (one, dock) => {
      const [said, why] = SCANNED[one.outcome];
      const again = one.outcome === "known" ? (one.once === "day" ? "今天领过了，明天再来" : "每人一次") : why;
      show(
        said,
        [
          sheet(h("h2", {}, one.name), h("p", { class: "gift" }, one.worth), again && h("p", { class: "under" }, again)),
          one.outcome !== "over" && toPrizes(one.activityId),
        ],
        dock,
      );
    });
  /** The address that the official account sent to a new follower. */
  const fanView = (code) =>
    openCode("fan", "关注礼", { code }, "领取链接无效，请点公众号发来的那一条", ({ accountName, items }, dock) => {
      if (items.length === 0) return show("关注礼", [nothing(`「${accountName}」现在没有关注礼，或已经结束`)], dock);
      show(
        items.length === 1 ? SCANNED[items[0].outcome][0] : "关注礼",
        [
          ...items.map((one) => {
            const [said, why] = SCANNED[one.outcome];
            return sheet(
              h("h2", {}, one.name),
              h("p", { class: "gift" }, one.worth),
              h("p", { class: "under" }, one.outcome === "known" ? "每人一次，你已经领过" : `${said}${why && `，${why}`}`),
            );
          }),
          toPrizes(),
        ],
        dock,
      );
    });
  /** What I get and how far I am stand before the rules. */
  const activityView = (id) =>
    load(
      "活动",
      act("", { back: "activities" }).el,
      () => call("activities"),
      ({ items }) => {
        const one = items.find(({ activityId }) => activityId === id);
        if (!one) return show("活动", [nothing("这个活动已经结束")], act("", { back: "activities" }).el);
        show(
          one.name,
          [
            sheet(h("h2", {}, "你得"), h("p", { class: "gift" }, one.worth)),
            sheet(h("h2", {}, "我的进度"), h("p", {}, one.progress || (one.running ? "还没有领到" : "活动已结束，没有领到"))),
            one.kind === "recommend" && one.running && button("我的邀请码", () => go(`invite/${one.activityId}`), "plain"),
            one.prizes.length > 0 &&
              h(
                "section",
                { class: "rows", "aria-label": "我的奖品" },
                one.prizes.map((prize) => {
                  const what = h("span", {}, h("b", {}, prize.words), prize.reason && h("small", { class: "bad" }, prize.reason));
                  const usable = prize.couponId && prize.status === 1;
                  const how = h("span", { class: usable ? "more" : "num" }, `${prize.said} ${shanghai(prize.at)}`);
                  return usable
                    ? h("button", { type: "button", class: "row", click: () => go("coupons") }, what, how)
                    : h("p", { class: "row" }, what, how);
                }),
              ),
            sheet(
              h("h2", {}, "活动规则"),
              h(
                "ol",
                { class: "said" },
                one.said.map((sentence) => h("li", {}, sentence)),
              ),
            ),
          ],
          act("", { back: "activities" }).el,
        );
      },
    );

  // ── 充值 ──
  function rechargeView() {
    const begun = kept("recharge");
    if (begun) return followView(RECHARGE, begun);
    return askOffer();
  }
  const askOffer = () =>
    load(
      "充值",
      tabs("recharge"),
      () => call("recharge-offer"),
      (offer) => meetPayer(offer, "recharge").then((away) => away || rechargeForm(offer)),
    );
  /** What this page sells: where its order is followed, how it is begun again, and what is said once it is paid. */
  const RECHARGE = { name: "recharge", word: "充值", path: "recharges", wait: "余额会自己变", open: rechargeView, paid };
  const PACKAGE = { name: "package", word: "购买", path: "package-orders", wait: "券会自己到", open: centreView, paid: packagePaid };
  let payer = "";
  /** Inside WeChat the page pays by itself: WeChat is asked once who holds the phone, and comes back with a code. */
  function meetPayer(offer, to) {
    if (!inWechat || !offer.wechatUrl || payer) return Promise.resolve(false);
    const known = kept("payer");
    if (known && known.until > Date.now()) {
      payer = known.payer;
      return Promise.resolve(false);
    }
    const query = new URLSearchParams(location.search);
    const given = query.get("code");
    if (!given) {
      keep("go", to);
      location.replace(offer.wechatUrl);
      return Promise.resolve(true);
    }
    history.replaceState(null, "", location.pathname + location.hash);
    return call("payer", { wechatCode: given }).then(
      (answer) => {
        payer = answer.payer;
        keep("payer", { payer, until: Date.now() + 25 * 60000 });
        return false;
      },
      () => false,
    );
  }
  /** One line of the list of tiers: what it costs, what it gives, and why it can't be taken. */
  function pickOf(tier, choose) {
    const gifts = [tier.points > 0 && `${count(tier.points)} 积分`, tier.coupons].filter(Boolean).join("、");
    const more = tier.why || (gifts && `另送 ${gifts}`);
    return h(
      "label",
      { class: tier.why ? "pick off" : "pick" },
      h("input", { type: "radio", name: "tier", disabled: Boolean(tier.why), change: () => choose(tier.amountCents) }),
      h("span", {}, h("b", {}, yuan(tier.amountCents)), more && h("small", {}, more)),
      h("span", { class: "num" }, tier.giftCents > 0 ? `送 ${plain(tier.giftCents)}` : "不送"),
    );
  }
  /** What a sum brings. */
  const broughtBy = (offer, cents) =>
    offer.tiers
      .filter((tier) => !tier.why && tier.amountCents <= cents)
      .reduce((best, tier) => (tier.amountCents > best.amountCents ? tier : best), {
        amountCents: 0,
        giftCents: 0,
        points: 0,
        coupons: "",
      });
  /** What is there now, and what would be there. */
  function afterOf(offer, cents) {
    const { giftCents, points } = broughtBy(offer, cents);
    const line = (name, now, more, as) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, as(now)), h("td", {}, as(now + more)));
    return [
      line("本金", offer.principalCents, cents, yuan),
      line("赠送", offer.giftCents, giftCents, plain),
      line("积分", offer.points, points, count),
    ];
  }
  function place(offer, cents, own) {
    const before = kept("recharge");
    const { coupons } = broughtBy(offer, cents);
    const begun =
      before && before.amountCents === cents ? before : { requestId: newId(), amountCents: cents, ruleId: offer.ruleId, coupons };
    keep("recharge", begun);
    say("正在下单……");
    return call("recharge", { ...begun, wallet, payer: payer || undefined }).then(
      (payment) => paying(RECHARGE, payment, begun),
      (failure) => {
        // Refused for good: the next try is another recharge. Without an answer it stays this one.
        if (failure.status && failure.status < 500) keep("recharge", null);
        if (failure.status === 409) return askOffer().then(() => say(failure.message, true));
        tell(failure, own ? { amountCents: own } : {});
      },
    );
  }
  const idRow = (offer) =>
    offer.idCardAboveCents !== null &&
    h("div", { class: "rows" }, goes("登记证件号", `本金超过 ${yuan(offer.idCardAboveCents)} 时要`, "idcard/recharge"));
  function idCardView(from) {
    const back = from === "recharge" ? "recharge" : "me";
    return withHome("登记证件号", (me) => {
      if (me.hasIdCard) return doneView("登记过了", "证件号已登记，要改请到店里", back);
      const fields = { idCard: field("身份证号", { maxlength: "18", autocapitalize: "characters" }) };
      step("登记证件号", {
        fields,
        body: h("p", { class: "under" }, "储值多了依法要登记本人证件。加密保存，店里要写明原因才能看。"),
        label: "登记",
        back,
        to: () => (fields.idCard.value ? ["id-card", { idCard: fields.idCard.value }] : lacks(fields.idCard, "请输入 18 位身份证号")),
        after: () => doneView("登记好了", "可以继续充值了", back),
      });
    });
  }
  function rechargeForm(offer) {
    if (offer.bar && offer.bar.code === "member.unconfirmed") return profileView("recharge", "充值要登记姓名，只有你和店里看得到");
    if (!offer.ruleId || offer.bar) return show("充值", [nothing(offer.bar ? offer.bar.why : "店里还没有开通充值")], tabs("recharge"));
    let chosen = 0;
    const own = offer.anyAmount && field("其他金额（元）", { inputmode: "decimal", maxlength: "7" });
    const after = h("tbody", {});
    const dock = act(`${WALLET}支付`, { run: once(() => place(offer, chosen, own)), back: "code", why: "先选一个金额" });
    const choose = (cents) => {
      chosen = cents;
      after.replaceChildren(...afterOf(offer, cents));
      if (cents > 0) dock.set(`${WALLET}支付 ${yuan(cents)}`);
      else dock.set(`${WALLET}支付`, "先选一个金额");
    };
    const picks = offer.tiers.map((tier) =>
      pickOf(tier, (cents) => {
        if (own) {
          own.input.value = "";
          own.fail("");
        }
        choose(cents);
      }),
    );
    if (own)
      own.input.addEventListener("input", () => {
        for (const one of document.querySelectorAll("input[name=tier]")) one.checked = false;
        choose(centsOf(own.value));
      });
    choose(0);
    const head = ["现在", "充后"].map((text) => h("th", { scope: "col" }, text));
    show(
      "充值",
      [
        h(
          "p",
          { class: "under" },
          `现有本金 ${yuan(offer.principalCents)}，赠送 ${plain(offer.giftCents)}，合计上限 ${plain(offer.mostCents)}`,
        ),
        picks.length > 0 && h("fieldset", { class: "picks" }, h("legend", { class: "quiet" }, "充多少"), picks),
        own && sheet(own.el),
        idRow(offer),
        sheet(h("table", {}, h("thead", {}, h("tr", {}, h("td", {}), head)), after)),
        h("p", { class: "under" }, offer.rule),
      ],
      dock.el,
    );
  }
  const stopPaying = (flow) => () => {
    keep(flow.name, null);
    go("code");
  };
  function followView(flow, begun) {
    return call(`${flow.path}/${begun.requestId}`).then(
      (payment) => paying(flow, payment, begun),
      (failure) => {
        if (failure.status === 401) return expired();
        if (failure.status === 404) {
          keep(flow.name, null);
          return flow.open();
        }
        show(flow.word, [nothing("还不知道付成没有，正在查")], act("", { back: stopPaying(flow) }).el);
        timers(() => followView(flow, begun), 4000);
      },
    );
  }
  let asked = "";
  function paying(flow, payment, begun) {
    if (payment.status === 2 || payment.status === 3) return flow.paid(payment, begun);
    if (payment.status === 1) {
      keep(flow.name, null);
      return show(
        "没有付成",
        [
          h(
            "section",
            { class: "sheet done" },
            h("p", { class: "mark bad", "aria-hidden": "true" }, "!"),
            h("p", {}, payment.message || "没有付款，订单已关闭"),
            h("p", { class: "under" }, `没有扣钱，可以重新${flow.word}`),
          ),
        ],
        act(`重新${flow.word}`, { run: flow.open, back: "code" }).el,
      );
    }
    const how = h("p", {}, "");
    const inside = Boolean(payment.clientParams);
    const opens = payment.payUrl || (wallet === "alipay" && (payment.codeUrl || "").startsWith("https:") ? payment.codeUrl : null);
    if (inside) how.textContent = "请在微信支付的窗口里完成付款";
    else if (opens) how.textContent = "在打开的页面完成付款，这里会显示结果";
    else how.textContent = payment.qr ? `请用${WALLET}扫一扫付款` : payment.message || "正在等通道应答";
    show(
      "去付款",
      [
        h(
          "section",
          { class: "sheet paying" },
          h("p", { class: "sum" }, yuan(payment.amountCents)),
          payment.giftCents > 0 &&
            h(
              "p",
              { class: "under" },
              `到账后送 ${plain(payment.giftCents)}（不可退）${payment.points > 0 ? `、${count(payment.points)} 积分` : ""}`,
            ),
          !opens && !inside && payment.qr && qrOf(payment.qr, "付款二维码"),
          opens && h("a", { class: "button", href: opens, target: "_blank", rel: "noopener" }, "去付款"),
          inside && button("继续付款", () => bridge(payment, begun, true), "plain"),
          how,
        ),
        h("p", { class: "under" }, `付完回到这里，${flow.wait}`),
      ],
      act("", { back: stopPaying(flow) }).el,
    );
    say("正在等待付款……");
    if (inside) bridge(payment, begun, false);
    const look = () =>
      call(`${flow.path}/${begun.requestId}`).then(
        (again) => {
          if ($("main").querySelector(".paying") === null) return;
          if (again.status !== 0) return paying(flow, again, begun);
          timers(look, 2000);
        },
        (failure) => {
          if ($("main").querySelector(".paying") === null) return;
          say(failure.message, true);
          timers(look, 4000);
        },
      );
    timers(look, 2000);
    lookNow = look;
  }
  let lookNow = null;
  function bridge(payment, begun, again) {
    if (asked === begun.requestId && !again) return;
    asked = begun.requestId;
    const invoke = () => window.WeixinJSBridge.invoke("getBrandWCPayRequest", payment.clientParams, () => lookNow && lookNow());
    if (window.WeixinJSBridge) invoke();
    else document.addEventListener("WeixinJSBridgeReady", invoke, { once: true });
  }
  function paid(payment) {
    keep("recharge", null);
    home = null;
    keep("home", null);
    const now = h("p", { class: "under" }, "正在看余额……");
    show(
      "充值成功",
      [
        h(
          "section",
          { class: "sheet done" },
          h("p", { class: "mark plus", "aria-hidden": "true" }, "✓"),
          h("p", { class: "sum" }, yuan(payment.amountCents)),
          payment.giftCents > 0 &&
            h("p", {}, `送 ${plain(payment.giftCents)}（不可退）${payment.points > 0 ? `，${count(payment.points)} 积分` : ""}`),
          now,
          h("p", { class: "under num" }, `订单号 ${payment.orderNo}`),
        ),
      ],
      act("看会员码", { run: () => go("code"), back: "recharge" }).el,
    );
    call("home").then(
      (fresh) => {
        home = fresh;
        keep("home", fresh);
        now.textContent = `现在本金 ${yuan(fresh.principalCents)}，赠送 ${plain(fresh.giftCents)}`;
      },
      () => (now.textContent = "余额稍后在会员码页看"),
    );
  }

  // ── 明细 ──
  function recordsView(account) {
    const kind = account === "points" ? "points" : "stored";
    const list = h("div", { class: "rows" });
    const foot = h("div", {});
    const head = h(
      "div",
      { class: "segments", role: "group", "aria-label": "看哪个账户" },
      [
        ["stored", "储值"],
        ["points", "积分"],
      ].map(([name, text]) =>
        h("button", { type: "button", "aria-pressed": String(name === kind), click: () => go(`records/${name}`) }, text),
      ),
    );
    const signed = (n, as) => (n > 0 ? "+" : n < 0 ? "−" : "") + as(Math.abs(n));
    const line = (row) => {
      const stored = kind === "stored";
      const main = row.moved !== 0 || row.second === 0;
      const parts = stored
        ? [row.moved !== 0 && ["本金", row.moved, row.after, yuan], row.second !== 0 && ["赠送", row.second, row.secondAfter, plain]]
        : [row.moved !== 0 && ["积分", row.moved, row.after, count], row.second !== 0 && ["待入账", row.second, row.secondAfter, count]];
      const those = parts.filter(Boolean);
      return h(
        "div",
        { class: "row" },
        h("div", {}, row.cause, h("small", { class: "num" }, [shanghai(row.at), row.place].filter(Boolean).join(" · "))),
        h(
          "div",
          { class: "num" },
          those.map(([name, moved, after, as]) =>
            h(
              "div",
              {},
              h("span", { class: moved > 0 ? "plus" : "" }, `${stored || !main ? name + " " : ""}${signed(moved, as)}`),
              after !== null && h("small", {}, `余 ${as(after)}`),
            ),
          ),
        ),
      );
    };
    const more = (before) =>
      call(`records?account=${kind}${before ? `&before=${before}` : ""}`).then((answer) => {
        list.append(...answer.items.map(line));
        foot.replaceChildren(
          answer.next
            ? button("更早的", () => void more(answer.next).catch((failure) => say(failure.message, true)), "plain")
            : h("p", { class: "under loading" }, "就这些了"),
        );
        return answer;
      });
    return load(
      "明细",
      tabs("records"),
      () => more(),
      (answer) =>
        show(
          "明细",
          [
            head,
            answer.items.length > 0 ? [list, foot] : nothing(kind === "stored" ? "还没有储值往来" : "还没有积分往来，消费后会记在这里"),
          ],
          tabs("records"),
        ),
    );
  }

  // ── 我的 ──
  const withHome = (title, then) =>
    home
      ? then(home)
      : load(
          title,
          tabs("me"),
          () => call("home"),
          (fresh) => ((home = fresh), then(fresh)),
        );
  function meView() {
    return withHome("我的", (me) => {
      const good = me.status === 1;
      show(
        "我的",
        [
          h(
            "div",
            { class: "rows" },
            goes("姓名和生日", me.name || "还没填", "profile"),
            good ? goes("手机号", me.phone, "phone") : h("p", { class: "row" }, h("span", {}, "手机号"), h("span", {}, me.phone)),
            good && goes("支付密码", me.hasPin ? "修改" : "还没设置", "pin"),
            good && goes("证件号", me.hasIdCard ? "已登记" : "还没登记", "idcard"),
          ),
          h(
            "div",
            { class: "rows" },
            good && goes("转余额给别人", "", "transfer"),
            goes("转余额记录", me.incoming > 0 ? `${me.incoming} 笔等你接收` : "", "transfers"),
            goes("充值记录和退卡", "", "refund"),
          ),
          h(
            "div",
            { class: "rows" },
            goes("下载我的数据", "JSON", "data"),
            good && goes("手机丢了，先冻结", "", "freeze"),
            me.status === 3 ? goes("撤回注销", `${me.closeOn} 前`, "keep") : goes("注销会员", "", "close"),
            h("button", { type: "button", class: "row", click: out }, h("span", {}, "在这台手机上退出")),
          ),
          page && page.phone && h("p", { class: "under" }, "有事找店里：", h("a", { href: `tel:${page.phone}` }, page.phone)),
        ],
        tabs("me"),
      );
    });
  }
  const out = once(() =>
    call("leave", {}).then(
      () => signIn("已退出"),
      (failure) => tell(failure, {}),
    ),
  );
  /** A step with fields and one act. */
  function step(title, given) {
    const { fields, body, label, to, after } = given;
    const run = once(() => {
      const asks = to(fields);
      if (!asks) return;
      say("正在提交……");
      return call(asks[0], asks[1]).then(
        (answer) => {
          home = null;
          keep("home", null);
          after(answer);
        },
        (failure) => tell(failure, fields),
      );
    });
    const dock = act(label, { run, back: given.back || "me", danger: given.danger });
    const all = Object.values(fields).map((one) => one.el);
    show(title, [body, all.length > 0 && formOf(run, all)], dock.el);
    return dock;
  }
  const doneView = (title, text, back) =>
    show(
      title,
      [h("section", { class: "sheet done" }, h("p", { class: "mark plus", "aria-hidden": "true" }, "✓"), h("p", {}, text))],
      act("好", { run: () => (payPage ? location.assign(payPage) : go(back || "me")) }).el,
    );
  const ownCode = (fields, purpose) => codeButton(() => call("own-sms", { purpose }), fields);
  /** What asks who is there once more: the PIN, or a code that is good for this alone where there is none. */
  function proofFields(me, purpose) {
    const fields = {};
    if (me.hasPin) fields.pin = digits("支付密码", null, true);
    else fields.sms = digits("短信验证码（发到你的手机号）", ownCode(fields, purpose));
    return fields;
  }
  const proofOf = (fields) => (fields.pin ? { pin: fields.pin.value } : { sms: fields.sms.value });
  function profileView(back, why) {
    return withHome("姓名和生日", (me) => {
      const fields = {
        name: field("姓名", { autocomplete: "name", maxlength: "32", value: me.name }),
        birthday: field("生日", { type: "date", autocomplete: "bday", value: me.birthday || "" }),
      };
      step("姓名和生日", {
        fields,
        body: h("p", { class: "under" }, why || "生日一年只能改一次"),
        label: "保存",
        back: back === "recharge" ? "code" : "me",
        to: () => [
          "profile",
          {
            name: fields.name.value === me.name ? undefined : fields.name.value,
            birthday: fields.birthday.value && fields.birthday.value !== me.birthday ? fields.birthday.value : undefined,
          },
        ],
        after: () => (back === "recharge" ? go("recharge") : doneView("已保存", "资料改好了")),
      });
    });
  }
  function pinView() {
    return withHome("支付密码", (me) => {
      const fields = {};
      if (me.hasPin) fields.oldPin = digits("原支付密码", null, true);
      fields.sms = digits("短信验证码（发到会员手机号）", ownCode(fields, "pin"));
      fields.pin = digits("新的支付密码（6 位数字）", null, true);
      const again = digits("再输一遍", null, true);
      step("支付密码", {
        fields: { ...fields, again },
        body: h(
          "p",
          { class: "under" },
          `用储值、积分金额较大时，店里会请你输入。不要告诉店员。${me.hasPin ? "忘了原支付密码，请本人到店重置。" : ""}别的手机上的登录都会退出。`,
        ),
        label: "保存支付密码",
        to: () => {
          if (fields.pin.value !== again.value) return again.fail("两遍不一样");
          const oldPin = fields.oldPin ? fields.oldPin.value : undefined;
          return ["pin", { sms: fields.sms.value, pin: fields.pin.value, oldPin }];
        },
        after: () => doneView("设好了", "支付密码已生效"),
      });
    });
  }
  function phoneView() {
    return withHome("更换手机号", (me) => {
      const fields = {};
      fields.sms = digits(`现在手机 ${me.phone} 的验证码`, ownCode(fields, "phone"));
      fields.newPhone = phoneField("新手机号");
      fields.newSms = digits(
        "新手机的验证码",
        codeButton(
          () => {
            if (!PHONE.test(fields.newPhone.value)) return fields.newPhone.fail("请输入 11 位手机号");
            return call("own-sms", { purpose: "phone", newPhone: fields.newPhone.value });
          },
          { phone: fields.newPhone, newPhone: fields.newPhone },
        ),
      );
      if (me.hasPin) fields.pin = digits("支付密码", null, true);
      step("更换手机号", {
        fields,
        body: h("p", { class: "under" }, "换好以后，别的手机上的登录都会退出"),
        label: "更换手机号",
        to: () => [
          "phone",
          {
            sms: fields.sms.value,
            newPhone: fields.newPhone.value,
            newSms: fields.newSms.value,
            pin: fields.pin ? fields.pin.value : undefined,
          },
        ],
        after: () => doneView("换好了", "以后用新手机号登录"),
      });
    });
  }
  function transferView() {
    return withHome("转余额", (me) => {
      const fields = {
        phone: phoneField("对方手机号（也得是本店会员）"),
        amountCents: field("转多少（元）", { inputmode: "decimal", maxlength: "7" }),
      };
      const requestId = newId();
      step("转余额给别人", {
        fields,
        body: h(
          "p",
          { class: "under" },
          `能转 本金 ${yuan(me.principalCents)}、赠送 ${plain(me.giftCents)}。按充值先后转出，赠送按比例一起转`,
        ),
        label: "下一步",
        to: () => {
          if (centsOf(fields.amountCents.value) < 1) return fields.amountCents.fail("请输入金额，最多两位小数");
          return ["transfer/receiver", { phone: fields.phone.value }];
        },
        after: (receiver) =>
          confirmTransfer(me, receiver, { requestId, phone: fields.phone.value, amountCents: centsOf(fields.amountCents.value) }),
      });
    });
  }
  function confirmTransfer(me, receiver, given) {
    const fields = proofFields(me, "transfer");
    step("确认转给谁", {
      fields,
      body: sheet(
        h(
          "p",
          { class: "done" },
          h("span", { class: "sum" }, plain(given.amountCents)),
          h("span", {}, `转给 ${receiver.name}`),
          h("span", { class: "under num" }, receiver.phone),
        ),
        h("p", { class: "under" }, "对方 24 小时内在会员页接收才到账，没接收自动退回；这期间你用不了这笔钱，可以撤回"),
      ),
      label: `转出 ${plain(given.amountCents)}`,
      back: "transfer",
      danger: true,
      to: () => ["transfer", { ...given, ...proofOf(fields) }],
      after: (sent) =>
        doneView(
          "等对方接收",
          `本金 ${yuan(sent.principalCents)}、赠送 ${plain(sent.giftCents)} 已先占住，${shanghai(sent.expiresAt)} 前没接收就退回`,
          "transfers",
        ),
    });
  }
  const TRANSFER = { 0: "等接收", 1: "已接收", 2: "被拒绝，已退回", 3: "已撤回", 4: "没接收，已退回" };
  /** One transfer, with what may be done about it. */
  function transferRow(one) {
    const open = one.status === 0;
    const word = one.status === 2 && !one.sent ? "已拒绝" : TRANSFER[one.status];
    const answer = (text, to, name) =>
      button(
        text,
        once(() =>
          call("transfers/answer", { id: one.id, act: to }).then(
            () => {
              home = null;
              keep("home", null);
              return transfersView();
            },
            (failure) => (failure.status === 409 ? transfersView().then(() => say(failure.message, true)) : tell(failure, {})),
          ),
        ),
        name,
      );
    return sheet(
      h(
        "p",
        { class: "row" },
        h(
          "span",
          {},
          one.sent ? `转给 ${one.name}` : `${one.name} 转来`,
          h("small", { class: "num" }, `${one.phone} · ${shanghai(one.at, true)}`),
        ),
        h("span", { class: "num" }, yuan(one.principalCents), h("small", {}, `赠送 ${plain(one.giftCents)}`)),
      ),
      h("p", { class: open ? "notice" : "under" }, open ? `${word}，${shanghai(one.expiresAt)} 前有效` : word),
      open && one.sent && answer("撤回", "withdraw", "plain"),
      open && !one.sent && [answer(`接收 ${yuan(one.principalCents)}`, "accept"), " ", answer("不要", "refuse", "plain")],
    );
  }
  function transfersView() {
    return load(
      "转余额记录",
      act("", { back: "me" }).el,
      () => call("transfers"),
      ({ items }) =>
        show("转余额记录", [items.length === 0 ? nothing("还没有转过余额") : items.map(transferRow)], act("", { back: "me" }).el),
    );
  }
  const REFUND = { 0: "等店里审核", 1: "退款中", 2: "已退", 3: "退款失败，已恢复", 4: "店里没有同意", 5: "已撤回" };
  const REASON = { 1: "七天无理由", 2: "店里的原因", 3: "我自己的原因" };
  function refundView() {
    return load(
      "充值记录和退卡",
      act("", { back: "me" }).el,
      () => call("lots"),
      ({ items }) =>
        show(
          "充值记录和退卡",
          [
            items.length === 0
              ? nothing("还没有充值过")
              : items.map((lot) =>
                  sheet(
                    h(
                      "p",
                      { class: "row" },
                      h(
                        "span",
                        {},
                        h("b", { class: "num" }, yuan(lot.principalCents)),
                        lot.giftCents > 0 && ` 送 ${plain(lot.giftCents)}`,
                        h("small", { class: "num" }, `${["", "转来 ", "导入 "][lot.origin]}${shanghai(lot.at, true)} · ${lot.place}`),
                      ),
                      h("span", { class: "num" }, `剩 ${yuan(lot.principalLeftCents)}`, h("small", {}, `赠送 ${plain(lot.giftLeftCents)}`)),
                    ),
                    lot.refund &&
                      h(
                        "p",
                        {},
                        `退卡 ${yuan(lot.refund.paysCents)}：${REFUND[lot.refund.status]}`,
                        lot.refund.status < 2 && h("small", { class: "under" }, `，最晚 ${lot.refund.dueOn}`),
                      ),
                    lot.refund &&
                      lot.refund.mayWithdraw &&
                      button(
                        "撤回退卡",
                        once(() =>
                          call("card-refunds/withdraw", { id: lot.refund.id }).then(
                            () => refundView(),
                            (failure) => tell(failure, {}),
                          ),
                        ),
                        "plain",
                      ),
                    lot.principalLeftCents + lot.giftLeftCents > 0 &&
                      !(lot.refund && lot.refund.status < 2) &&
                      button("看能退多少", () => go(`refund/${lot.lotId}`), "plain"),
                  ),
                ),
          ],
          act("", { back: "me" }).el,
        ),
    );
  }
  /** One legal sum with its arithmetic, or why it does not apply. */
  function reasonPick(lot, one, choose) {
    const off = Boolean(one.refusal || lot.refusal);
    return h(
      "label",
      { class: off ? "pick off" : "pick" },
      h("input", { type: "radio", name: "reason", disabled: off, change: () => choose(one) }),
      h(
        "span",
        {},
        REASON[one.reason],
        h("small", {}, one.refusal || `${yuan(lot.principalCents)} − ${plain(one.lessCents)}（${one.less}）`),
      ),
      h("b", {}, yuan(one.paysCents)),
    );
  }
  const refundTerms = (lot) =>
    h("p", { class: "under" }, [
      `赠送剩 ${plain(lot.giftLeftCents)} 作废`,
      lot.points > 0 && `，充值送的 ${count(lot.points)} 积分收回`,
      lot.coupons && "，充值送的券没用的作废",
      "。",
      lot.onlyOffline ? `${lot.onlyOffline}，由店里转账。` : "钱原路退回。",
      "申请后这一批先占住，审核期间用不了。",
    ]);
  const askRefundView = (lotId) =>
    load(
      "退卡",
      act("", { back: "refund" }).el,
      () => call(`lots/${lotId}/refund`),
      (lot) => withHome("退卡", (me) => refundForm(lotId, lot, me)),
    );
  function refundForm(lotId, lot, me) {
    const proof = proofFields(me, "refund");
    const requestId = newId();
    let sum = null;
    const note = field("为什么退", { maxlength: "100" });
    const asked = () => {
      home = null;
      keep("home", null);
      doneView("已申请", `店里审核后退 ${yuan(sum.paysCents)}，最晚 ${sum.dueOn}。这一批已先占住，数不会变`, "refund");
    };
    const run = once(() => {
      if (!note.value) return lacks(note, "请说一下为什么退");
      const given = { requestId, lotId, reason: sum.reason, paysCents: sum.paysCents, note: note.value, ...proofOf(proof) };
      return call("card-refunds", given).then(asked, (failure) =>
        failure.status === 409 ? askRefundView(lotId).then(() => say(failure.message, true)) : tell(failure, { note, ...proof }),
      );
    });
    const dock = act("申请退卡", { run, back: "refund", danger: true, why: lot.refusal || "先选一个原因" });
    const choose = (one) => {
      sum = one;
      dock.set(`申请退卡 ${yuan(one.paysCents)}`);
    };
    show(
      "退卡",
      [
        h("p", { class: "under" }, `这一批本金 ${yuan(lot.principalCents)}，赠送 ${plain(lot.giftCents)}，用掉 ${plain(lot.usedCents)}`),
        h(
          "fieldset",
          { class: "picks" },
          h("legend", { class: "quiet" }, "为什么退"),
          lot.sums.map((one) => reasonPick(lot, one, choose)),
        ),
        sheet([note, ...Object.values(proof)].map((one) => one.el)),
        refundTerms(lot),
      ],
      dock.el,
    );
  }
  const freezeView = () =>
    step("手机丢了，先冻结", {
      fields: {},
      body: sheet(h("p", {}, "冻结后谁都用不了你的储值和积分，也不能转、不能退卡。"), h("p", {}, "解冻要本人到店核实。退款还会照常进来。")),
      label: "冻结我的会员",
      danger: true,
      to: () => ["freeze", {}],
      after: () => doneView("已冻结", "到店核实后可以解冻", "code"),
    });
  function closeView() {
    return withHome("注销会员", (me) => {
      const agree = h("input", { type: "checkbox" });
      const gone = me.giftCents + me.points;
      const fields = proofFields(me, "close");
      step("注销会员", {
        fields,
        body: sheet(
          h("p", {}, "注销前要满足："),
          h(
            "ul",
            { class: "under" },
            h(
              "li",
              { class: me.principalCents > 0 ? "bad" : "" },
              me.principalCents > 0 ? `✗ 还有储值本金 ${yuan(me.principalCents)}，先退卡` : "✓ 没有储值本金",
            ),
            h(
              "li",
              { class: me.heldCents > 0 ? "bad" : "" },
              me.heldCents > 0 ? "✗ 还有未付订单、转出或退卡占着余额" : "✓ 没有未完成的订单",
            ),
            h("li", { class: me.status === 2 ? "bad" : "" }, me.status === 2 ? "✗ 会员已冻结，先到店解冻" : "✓ 会员没有冻结"),
          ),
          h("p", {}, "申请后等 7 天，这 7 天里可以撤回。到期后手机号、姓名、生日都清除；依法要留的密封保存，不作他用。"),
          gone > 0 &&
            h("label", { class: "check" }, agree, h("span", {}, `赠送 ${plain(me.giftCents)} 和 ${count(me.points)} 积分会作废，我知道`)),
        ),
        label: "申请注销",
        danger: true,
        to: () => {
          if (gone > 0 && !agree.checked) return say("请先勾选知道会作废什么", true);
          return ["close", { giveUp: agree.checked, ...proofOf(fields) }];
        },
        after: (answer) => doneView("已申请注销", `${answer.closeOn} 之后清除，之前都可以撤回`),
      });
    });
  }
  function dataView() {
    return withHome("下载我的数据", (me) => {
      const fields = proofFields(me, "data");
      step("下载我的数据", {
        fields,
        body: h("p", { class: "under" }, "店里保存的你的资料、余额、明细和订单，一个 JSON 文件。里面有你的手机号，别发给别人。"),
        label: "下载",
        to: () => ["data", proofOf(fields)],
        after: (copy) => {
          const url = URL.createObjectURL(new Blob([JSON.stringify(copy, undefined, 2)], { type: "application/json" }));
          h("a", { href: url, download: `会员数据-${me.memberNo}.json` }).click();
          setTimeout(() => URL.revokeObjectURL(url), 60_000);
          doneView("已下载", "文件在这台手机的下载里");
        },
      });
    });
  }
  const keepView = () =>
    step("撤回注销", {
      fields: {},
      body: sheet(h("p", {}, "撤回后会员照常用，什么都没变。")),
      label: "撤回注销",
      to: () => ["keep", {}],
      after: () => doneView("已撤回", "欢迎回来"),
    });

  // ── the way ──
  const VIEWS = {
    code: codeView,
    centre: centreView,
    coupons: couponsView,
    coupon: couponView,
    package: packageView,
    drop: dropView,
    consume: consumeView,
    scan: scanView,
    fan: fanView,
    invite: inviteView,
    invited: invitedView,
    shake: (id) => shakeView(id),
    activities: (id) => (id ? activityView(id) : activitiesView()),
    recharge: rechargeView,
    records: recordsView,
    me: meView,
    profile: () => profileView(),
    pin: pinView,
    phone: phoneView,
    transfer: transferView,
    transfers: transfersView,
    idcard: idCardView,
    refund: (id) => (id ? askRefundView(id) : refundView()),
    freeze: freezeView,
    close: closeView,
    data: dataView,
    keep: keepView,
  };
  function route() {
    const [name, more] = location.hash.slice(1).split("/");
    if (!page) return;
    (VIEWS[name] || codeView)(more);
  }
  function go(to) {
    if (location.hash === `#${to}`) route();
    else location.hash = to;
  }
  addEventListener("hashchange", route);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !page) return;
    // Somebody looks again: the code and the balances of now.
    if ($("main").querySelector(".plate")) route();
    else if ($("main").querySelector(".paying") && lookNow) lookNow();
  });
  addEventListener("online", () => page && !$("main").querySelector("form") && route());
  const large = $("large");
  const setLarge = (on) => {
    document.documentElement.toggleAttribute("data-large", on);
    large.setAttribute("aria-pressed", String(on));
  };
  try {
    setLarge(localStorage.getItem("zhangfang_large") === "1");
  } catch {
    /* no storage */
  }
  large.addEventListener("click", () => {
    const on = !document.documentElement.hasAttribute("data-large");
    setLarge(on);
    try {
      localStorage.setItem("zhangfang_large", on ? "1" : "0");
    } catch {
      /* no storage */
    }
  });
  function open() {
    call(store ? `page?store=${store}` : "page").then(
      (found) => {
        page = found;
        const { card, merchantName } = found;
        const logo =
          card && card.logoUrl
            ? h("img", { class: "logo", src: card.logoUrl, alt: "" })
            : h("span", { class: "logo", "aria-hidden": "true" }, merchantName.slice(0, 1));
        $("merchant").replaceChildren(logo, h("span", {}, merchantName));
        if (found.closed) return show("会员", [nothing(found.closed)], null);
        const back = kept("go");
        keep("go", null);
        if (back && location.hash !== `#${back}`) location.hash = back;
        else route();
      },
      (failure) =>
        show(
          "会员",
          [
            nothing(
              failure.status === 404 || failure.status === 400 ? "这个会员页不存在，请向店员要新的链接" : failure.message,
              failure.status !== 404 && failure.status !== 400 && button("再试一次", open, "plain"),
            ),
          ],
          null,
        ),
    );
  }
  open();
})();
