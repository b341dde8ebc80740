import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";

// The members' own page as the browser loads it, inside WeChat: who pays is asked of WeChat once, kept for a while, and no more than that.
const PUBLIC = join(import.meta.dirname, "../public");
const code = readFileSync(join(PUBLIC, "member.js"), "utf8");
const [, body = ""] = /<body>([\s\S]*)<\/body>/.exec(readFileSync(join(PUBLIC, "member.html"), "utf8")) ?? [];
const WECHAT = "https://wechat.example/authorize";
const tier = { amountCents: 20_000, giftCents: 0, points: 0, coupons: "满 80 减 20 的券 2 张", why: "" };
const offer = {
  ruleId: "r",
  bar: null,
  anyAmount: false,
  tiers: [tier],
  principalCents: 0,
  giftCents: 0,
  points: 0,
  mostCents: 500_000,
  idCardAboveCents: null,
  rule: "",
};
const page = { merchantName: "蜀味川菜", card: null, closed: null, asks: {}, consent: {}, phone: "" };

interface Asked {
  readonly path: string;
  readonly body: { readonly wechatCode?: string; readonly payer?: string } | undefined;
}
/** Loads the page at an address. @param payer what becomes of a code that WeChat gave */
function load({ search = "", hash = "#recharge", payer = 200, offered = 200 } = {}) {
  document.body.innerHTML = body;
  const [asked, left, heard]: [Asked[], string[], (() => void)[]] = [[], [], []];
  let at = hash;
  const location = {
    pathname: "/m/one",
    search,
    get hash() {
      return at;
    },
    set hash(to: string) {
      at = `#${to.replace("#", "")}`;
      for (const one of heard) one();
    },
    replace: (to: string) => left.push(to),
  };
  const answers: Readonly<Record<string, readonly [number, object]>> = {
    page: [200, page],
    "recharge-offer": [offered, { ...offer, wechatUrl: WECHAT }],
    payer: [payer, { payer: "sealed-1", message: "微信没有认出来" }],
    recharge: [400, { message: "今天先到这里" }],
  };
  const fetch = (url: string, given: { body?: string }) => {
    const path = /\/api\/customer\/one\/([\w-]+)/.exec(url)?.[1] ?? "";
    asked.push({ path, body: given.body === undefined ? undefined : (JSON.parse(given.body) as Asked["body"]) });
    const [status, answer] = answers[path] ?? [404, {}];
    return Promise.resolve({ ok: status === 200, status, json: () => Promise.resolve(answer) });
  };
  const history = { replaceState: () => Object.assign(location, { search: "" }) };
  const hear = (what: string, then: () => void) => what === "hashchange" && heard.push(then);
  // eslint-disable-next-line no-new-func, typescript/no-implied-eval -- the page's own script, with an address of its own
  new Function("location", "history", "navigator", "fetch", "addEventListener", "scrollTo", code)(
    location,
    history,
    { userAgent: "MicroMessenger/8.0.50" },
    fetch,
    hear,
    () => undefined,
  );
  const until = async <T,>(look: () => T | null | undefined | false): Promise<T> => {
    for (let tries = 0; tries < 500; tries++) {
      const found = look();
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`it never came: ${document.body.textContent}`);
  };
  return {
    location,
    left,
    asks: (path: string) => asked.filter((one) => one.path === path),
    until,
    /** Pays the one tier that there is. @returns what was sent */
    async pays() {
      (await until(() => document.querySelector<HTMLInputElement>("input[name=tier]"))).click();
      (await until(() => [...document.querySelectorAll("button")].find((one) => one.textContent?.includes("微信支付 ¥200.00")))).click();
      return (await until(() => asked.find((one) => one.path === "recharge"))).body;
    },
  };
}
const kept = () => JSON.parse(sessionStorage.getItem("zhangfang_member_onepayer") ?? "null") as { until: number } | null;
beforeEach(() => sessionStorage.clear());

test("WeChat is asked who pays, its code is spent and gone from the address, and the answer pays also after a reload", async () => {
  const first = load();
  await first.until(() => first.left.length > 0);
  expect([first.left, first.asks("payer")]).toEqual([[WECHAT], []]);
  // Back from WeChat, where somebody wanted to recharge.
  const back = load({ search: "?code=given-once", hash: "" });
  // With what was shown, so that it is refused where it is something else by then.
  expect(await back.pays()).toMatchObject({ payer: "sealed-1", coupons: tier.coupons });
  expect([back.asks("payer").map((one) => one.body), back.location.search, back.location.hash, back.left]).toEqual([
    [{ wechatCode: "given-once" }],
    "",
    "#recharge",
    [],
  ]);
  const again = load();
  expect(await again.pays()).toMatchObject({ payer: "sealed-1" });
  expect([again.asks("payer"), again.left]).toEqual([[], []]);
});

test("what was kept too long is asked for anew, and a code that WeChat does not know leaves the page to pay as outside", async () => {
  await load({ search: "?code=given-once" }).pays();
  sessionStorage.setItem("zhangfang_member_onepayer", JSON.stringify({ ...kept(), until: Date.now() - 1 }));
  const late = load();
  await late.until(() => late.left.length > 0);
  expect(late.left).toEqual([WECHAT]);
  sessionStorage.clear();
  const unknown = load({ search: "?code=wrong", payer: 400 });
  expect(await unknown.pays()).not.toHaveProperty("payer");
  expect([unknown.asks("payer").length, unknown.left, kept()]).toEqual([1, [], null]);
});

test("whoever signs in next is somebody else: what was kept of who pays goes when a sign-in is over", async () => {
  await load({ search: "?code=given-once" }).pays();
  expect(kept()).not.toBeNull();
  const over = load({ offered: 401 });
  await over.until(() => kept() === null);
  await over.until(() => document.querySelector("input"));
  expect([over.asks("payer"), over.left]).toEqual([[], []]);
});
