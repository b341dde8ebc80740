// 公示 of a lottery, with a check that the browser works out by itself: the chain of seeds, every draw of days that are over, the chain of
// hashes and the counts. It stands alone and asks nobody but this server; docs/lottery.md says the same for whoever checks elsewhere.
(() => {
  "use strict";
  const id = location.pathname.split("/")[2] || "";
  const main = document.getElementById("main");
  const WHOLE = 1000000n;
  const AT_ONCE = 500;
  const SHOWN = 50;

  // ── what is worked out ──
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) || [], (two) => parseInt(two, 16));
  const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const utf8 = (text) => new TextEncoder().encode(text);
  const sha256 = (bytes) => crypto.subtle.digest("SHA-256", bytes).then(hexOf);
  const keyOf = (seed) => crypto.subtle.importKey("raw", bytesOf(seed), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const rollOf = (key, text) => crypto.subtle.sign("HMAC", key, utf8(text)).then((mac) => Number(BigInt(`0x${hexOf(mac)}`) % WHOLE));
  const shanghaiDay = (ms) => new Date(ms + 28800000).toISOString().slice(0, 10);
  const dayNo = (first, day) => Math.round((Date.parse(day) - Date.parse(first)) / 86400000) + 1;
  function hitOf(roll, prizes) {
    let end = 0;
    for (const { place, chance } of prizes) if (roll < (end += chance)) return place;
    return 0;
  }
  const stockAt = (head, place, no) =>
    head.raises.reduce(
      (most, one) => (one.place === place && one.afterNo < no ? Math.max(most, one.to) : most),
      head.prizes.find((prize) => prize.place === place).firstStock,
    );
  const plural = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");

  /** What the check finds, line by line: `ok`, `wrong`, or `open` where it can't be known yet. @param told says how far it is */
  async function check(head, draws, told) {
    const found = [];
    const say = (kind, text) => found.push({ kind, text });
    const rules = await sha256(utf8(head.said.join("\n")));
    say(rules === head.rulesSha256 ? "ok" : "wrong", rules === head.rulesSha256 ? "规则和公布时的指纹一致" : "规则和公布时的指纹对不上");
    const keys = new Map();
    let before = head.seed0;
    let broken = 0;
    for (const { n, seed } of head.seeds) {
      if (n !== keys.size + 1 || (await sha256(bytesOf(seed))) !== before) broken = broken || n;
      before = seed;
      keys.set(n, await keyOf(seed));
    }
    if (broken) say("wrong", `种子链断了：第 ${broken} 天的种子推不回前一天`);
    else say("ok", head.seeds.length > 0 ? `种子链：${head.seeds.length} 天的种子都推得回开始前公布的 seed(0)` : "种子还没有到公布的日子");

    const bad = { chain: 0, result: 0, nth: 0, day: 0 };
    const times = new Map();
    const nonces = new Set();
    const drawn = new Map(head.prizes.map(({ place }) => [place, 0]));
    let prev = head.seed0;
    let recomputed = 0;
    let last = "";
    for (let from = 0; from < draws.length; from += AT_ONCE) {
      told(`正在重算 ${plural(from)} / ${plural(draws.length)}`);
      const some = draws.slice(from, from + AT_ONCE);
      const rolls = await Promise.all(
        some.map((d) => {
          const key = keys.get(dayNo(head.firstDay, d.day));
          return key ? rollOf(key, `${head.id}|${d.day}|${d.nth}|${d.person}|${d.nonce}`) : undefined;
        }),
      );
      for (const [at, d] of some.entries()) {
        const wrong = (what) => (bad[what] = bad[what] || d.no);
        if (rolls[at] !== undefined) {
          recomputed++;
          if (rolls[at] !== d.roll) wrong("result");
        }
        const hit = hitOf(d.roll, head.prizes);
        const won = hit > 0 && drawn.get(hit) < stockAt(head, hit, d.no) ? hit : 0;
        if (won > 0) drawn.set(won, drawn.get(won) + 1);
        if (hit !== d.hit || won !== d.prize) wrong("result");
        const who = `${d.person}|${d.day}`;
        times.set(who, (times.get(who) || 0) + 1);
        // A person's draws of a day are numbered without a hole from 1 on: one that was left out shows.
        if (d.nth !== times.get(who) || nonces.has(d.nonce)) wrong("nth");
        nonces.add(d.nonce);
        if (d.day !== shanghaiDay(d.at) || d.day < head.firstDay || d.day > head.lastDay || d.day < last) wrong("day");
        last = d.day;
        const fields = [prev, head.id, d.no, d.day, d.nth, d.person, d.nonce, d.roll, d.hit, d.prize, d.at];
        const hash = await sha256(utf8(fields.join("|")));
        if (d.no !== from + at + 1 || hash !== d.hash) wrong("chain");
        prev = d.hash;
      }
    }
    const line = (no, good, text) => say(no ? "wrong" : "ok", no ? `第 ${plural(no)} 次起对不上：${text}` : good);
    line(bad.chain, `${plural(draws.length)} 次抽奖一次不少，每一次都带着前一次的指纹`, "记录被改过、删过或换过顺序");
    line(bad.result, `公布了种子的 ${plural(recomputed)} 次，结果都重算得出来`, "结果和种子、机会表、库存算出来的不一样");
    line(bad.nth, "每人每天的次数从 1 连着数，没有漏掉的", "有人的次数不连，可能少了记录");
    line(bad.day, "每一次都在活动日期里，先后没有颠倒", "日期和时间不符");
    const counts = head.prizes.every(({ place, drawn: n, stock }) => drawn.get(place) === n && n <= stock);
    const end = prev === head.lastHash && draws.length === head.draws;
    say(counts && end ? "ok" : "wrong", counts && end ? "每样奖发出的数和公布的一致，没有多发" : "发出的数或最后的指纹和公布的不一致");
    const open = draws.length - recomputed;
    if (open > 0) say("open", `${plural(open)} 次的种子还没公布（当天的第二天公布），结果到时候再来重算`);
    return found;
  }
  const CANT = [
    "运营方和抽奖的人串通：运营方提前知道种子，能替人挑中奖的请求。任何这类抽奖都证明不了这一点，本页也不声称能证明。",
    "摇的人是不是真人、是不是不同的人：这里只看得到打码的编号。",
    "整段记录在第一次公布前被换掉：请隔几天各下载一份，两份对得上才算数。",
  ];

  // ── what is shown ──
  function h(tag, given, ...kids) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(given || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (typeof value === "function") made.addEventListener(name, value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    for (const kid of kids.flat(3)) if (kid !== null && kid !== undefined && kid !== false) made.append(kid);
    return made;
  }
  const sheet = (title, ...kids) => h("section", { class: "sheet", "aria-label": title }, h("h2", {}, title), ...kids);
  const yuan = (cents) => (cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ",");
  const share = (chance) => `${chance / 10000} %`;
  const masked = (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;
  const time = (ms) => new Date(ms + 28800000).toISOString().slice(5, 19).replace("T", " ");
  const table = (label, heads, rows) =>
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `${label}表` },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map(([text, end]) => h("th", { class: end && "end", scope: "col" }, text)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    );
  const cell = (text, end) => h("td", { class: end && "end" }, text);

  const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
  /** Asks the server; where that is asked too often, waits as long as it says and asks anew. */
  async function ask(path) {
    for (;;) {
      const answer = await fetch(`/api/lottery-proof/${id}${path}`);
      const data = await answer.json().catch(() => ({}));
      if (answer.ok) return data;
      if (answer.status !== 429) throw Object.assign(new Error(data.message || "暂时打不开"), { status: answer.status });
      await wait(Math.max(1, Number(answer.headers.get("retry-after")) || 5));
    }
  }
  /** The draws that a head tells of. Who draws meanwhile comes after them: numbers only go up. */
  async function everyDraw(head, told) {
    const all = [];
    for (let more = head.draws > 0; more;) {
      const some = await ask(`/draws?after=${all.length > 0 ? all[all.length - 1].no : 0}`);
      all.push(...some.items.filter(({ no }) => no <= head.draws));
      more = some.more && some.items.length > 0 && some.items[some.items.length - 1].no < head.draws;
      told(`正在取记录 ${plural(all.length)} / ${plural(head.draws)}`);
    }
    return all;
  }
  const STATE = { RUNNING: "进行中", PAUSED: "已暂停", STOPED: "已结束", UNAUDIT: "待审核" };
  const prizeOf = (head, place) => (head.prizes.find((one) => one.place === place) || { name: "谢谢参与" }).name;
  const resultOf = (head, { hit, prize }) => (prize > 0 ? prizeOf(head, prize) : hit > 0 ? `${prizeOf(head, hit)}已发完` : "谢谢参与");

  function checkSheet() {
    const said = h("p", { role: "status", class: "under" }, "在你自己的浏览器里重算，不经过别人");
    const list = h("ul", { class: "found" });
    const MARK = { ok: "✓", wrong: "✗", open: "…" };
    /** Head and draws of one moment. What is missing is for the check to find. */
    const gather = async () => {
      const now = await ask("");
      return { head: now, draws: await everyDraw(now, (text) => (said.textContent = text)) };
    };
    const busy = (made, run) => async () => {
      if (made.disabled) return;
      made.disabled = true;
      await run().catch((failure) => (said.textContent = failure.message));
      made.disabled = false;
    };
    const go = h("button", { type: "button" }, "重算检查");
    go.addEventListener(
      "click",
      busy(go, async () => {
        if (!window.crypto || !crypto.subtle) {
          said.textContent = "这个网址不是 https，浏览器不给算；请下载记录，用文档里的程序检查";
          return;
        }
        list.replaceChildren();
        const { head: now, draws } = await gather();
        const found = await check(now, draws, (text) => (said.textContent = text));
        const wrong = found.filter(({ kind }) => kind === "wrong").length;
        said.textContent = wrong > 0 ? `查出 ${wrong} 处不对` : `都对得上：${plural(draws.length)} 次`;
        said.className = wrong > 0 ? "wrong" : "ok";
        list.replaceChildren(
          ...found.map(({ kind, text }) => h("li", { class: kind }, h("b", { "aria-hidden": "true" }, MARK[kind]), text)),
        );
      }),
    );
    const save = h("button", { type: "button", class: "plain" }, "下载全部记录");
    save.addEventListener(
      "click",
      busy(save, async () => {
        const given = await gather();
        const url = URL.createObjectURL(new Blob([JSON.stringify(given)], { type: "application/json" }));
        h("a", { href: url, download: `lottery-${id}.json` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
        said.textContent = `已下载 ${plural(given.draws.length)} 次的记录`;
      }),
    );
    return sheet(
      "检查",
      h("div", { class: "acts" }, go, save),
      said,
      list,
      h(
        "details",
        {},
        h("summary", {}, "这样检查证明不了什么"),
        h(
          "ul",
          { class: "under" },
          CANT.map((text) => h("li", {}, text)),
        ),
      ),
    );
  }
  function drawsSheet(head) {
    const body = h("div", {});
    const wanted = Number(location.hash.slice(1)) || 0;
    async function show(last) {
      const after = Math.max(0, last - SHOWN);
      const { items } = await ask(`/draws?after=${after}&most=${Math.max(1, last - after)}`);
      const rows = [];
      // The newest first.
      for (const d of items)
        rows.unshift(
          h(
            "tr",
            { class: d.no === wanted && "mine" },
            cell(plural(d.no), true),
            cell(resultOf(head, d)),
            cell(time(d.at)),
            cell(h("code", { title: d.person }, masked(d.person))),
            cell(d.nth, true),
            cell(plural(d.roll), true),
          ),
        );
      const step = (text, to, on) => h("button", { type: "button", class: "plain", disabled: !on, click: () => show(to) }, text);
      const parts = [
        table("抽奖记录", [["序号", true], ["结果"], ["时间"], ["谁（打码）"], ["当天第几次", true], ["号码", true]], rows),
        head.draws > SHOWN &&
          h(
            "div",
            { class: "acts" },
            step("更新的", Math.min(head.draws, last + SHOWN), last < head.draws),
            step("更早的", Math.max(1, after), after > 0),
          ),
      ];
      body.replaceChildren(...parts.filter(Boolean));
    }
    if (head.draws === 0) body.append(h("p", { class: "under" }, "还没有人摇"));
    else
      void show(wanted > 0 && wanted <= head.draws ? Math.min(head.draws, Math.max(wanted + 5, Math.min(SHOWN, head.draws))) : head.draws);
    return sheet("抽奖记录", h("p", { class: "under" }, "编号是顾客的指纹，只在这个活动里用，查不出是谁。"), body);
  }
  function view(head) {
    const rest = 1000000 - head.prizes.reduce((sum, { chance }) => sum + chance, 0);
    const prizes = head.prizes.map(({ name, words, valueCents, chance, stock, drawn }) =>
      h(
        "tr",
        {},
        cell(words === name ? name : [name, h("small", { class: "under" }, ` ${words}`)]),
        cell(yuan(valueCents), true),
        cell(share(chance), true),
        cell(drawn < stock ? `${plural(stock - drawn)} / ${plural(stock)}` : `已发完 / ${plural(stock)}`, true),
      ),
    );
    prizes.push(h("tr", {}, cell("谢谢参与"), cell("—", true), cell(share(rest), true), cell("—", true)));
    document.title = `${head.name} · 公示`;
    const parts = [
      h("h1", {}, `${head.name} 公示`),
      h(
        "p",
        { class: "under" },
        `${head.host} · ${head.firstDay} 至 ${head.lastDay} · ${STATE[head.state]} · 摇了 ${plural(head.draws)} 次`,
      ),
      checkSheet(),
      head.big.length > 0 &&
        sheet(
          "500 元以上的奖",
          table(
            "500 元以上的奖",
            [["序号", true], ["时间"], ["谁（打码）"], ["奖品"]],
            head.big.map((d) =>
              h("tr", {}, cell(plural(d.no), true), cell(time(d.at)), cell(h("code", {}, masked(d.person))), cell(prizeOf(head, d.prize))),
            ),
          ),
        ),
      sheet("奖品和机会", table("奖品和机会", [["奖品"], ["价值（元）", true], ["机会", true], ["还剩", true]], prizes)),
      sheet(
        "规则",
        h(
          "ol",
          {},
          head.said.map((sentence) => h("li", {}, sentence)),
        ),
        h("p", { class: "under" }, head.raises.length === 0 ? "公布以后没有改过。" : "公布以后只加过奖："),
        head.raises.length > 0 &&
          h(
            "ul",
            { class: "under" },
            head.raises.map((one) =>
              h("li", {}, `第 ${plural(one.afterNo)} 次之后，${prizeOf(head, one.place)} 从 ${plural(one.from)} 加到 ${plural(one.to)}`),
            ),
          ),
      ),
      sheet(
        "种子",
        h("p", { class: "under" }, "seed(0) 在开始前公布；每天的种子第二天公布，SHA-256 一次就是前一天的。"),
        table(
          "种子",
          [["哪天"], ["种子"]],
          [
            h("tr", {}, cell("seed(0)"), cell(h("code", {}, head.seed0))),
            head.seeds.map(({ day, seed }) => h("tr", {}, cell(day), cell(h("code", {}, seed)))),
          ],
        ),
      ),
      drawsSheet(head),
    ];
    main.replaceChildren(...parts.filter(Boolean));
    main.setAttribute("aria-busy", "false");
  }
  ask("").then(view, (failure) => {
    main.replaceChildren(
      h("h1", {}, "摇一摇公示"),
      h("p", { class: "empty" }, failure.status === 404 || failure.status === 400 ? "没有这个公示，请核对链接" : failure.message),
    );
    main.setAttribute("aria-busy", "false");
  });
})();
