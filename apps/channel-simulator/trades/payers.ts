import { randomBytes } from "node:crypto";

const LIVES_MS = 5 * 60_000;
/** What WeChat would ask of an application before it names a payer. */
const SECRET = /^[0-9A-Za-z]{32}$/;

/**
 * 网页授权 snsapi_base: WeChat's browser is sent on at once with a code, and the code names the payer once. Whoever holds the
 * phone is one payer, known to each application by another name. A secret of 32 noughts is a wrong one.
 */
export function openPayers(now: () => number): {
  /** @returns the address that the browser goes on to; undefined where it is none of ours */
  authorize(url: URL): string | undefined;
  exchange(url: URL): object;
} {
  const codes = new Map<string, { readonly appId: string; readonly until_ms: number }>();
  const used = new Set<string>();
  return {
    authorize(url) {
      const appId = url.searchParams.get("appid") ?? "";
      const back = url.searchParams.get("redirect_uri") ?? "";
      if (appId === "" || url.searchParams.get("response_type") !== "code" || !URL.canParse(back)) return undefined;
      const code = `0${randomBytes(15).toString("hex")}`;
      codes.set(code, { appId, until_ms: now() + LIVES_MS });
      const to = new URL(back);
      to.searchParams.set("code", code);
      to.searchParams.set("state", url.searchParams.get("state") ?? "");
      return to.href;
    },
    exchange(url) {
      const asked = (name: string) => url.searchParams.get(name) ?? "";
      const code = asked("code");
      const known = codes.get(code);
      if (!SECRET.test(asked("secret")) || /^0+$/.test(asked("secret"))) return { errcode: 40125, errmsg: "invalid appsecret" };
      if (used.has(code)) return { errcode: 40163, errmsg: "code been used" };
      if (!known || known.appId !== asked("appid")) return { errcode: 40029, errmsg: "invalid code" };
      codes.delete(code);
      used.add(code);
      if (known.until_ms <= now()) return { errcode: 42003, errmsg: "code expired" };
      return {
        access_token: randomBytes(24).toString("hex"),
        expires_in: 7200,
        openid: `o${known.appId.slice(-6)}PhoneOfTheDemo`,
        scope: "snsapi_base",
      };
    },
  };
}
