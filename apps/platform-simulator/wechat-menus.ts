import { said, SAID_OK, type WechatAccount, type WechatRoom } from "./wechat-api.ts";

type Json = Readonly<Record<string, unknown>>;
const list = (given: unknown): readonly Json[] => (Array.isArray(given) ? (given as Json[]) : []);
/** What WeChat finds wrong with one button. */
function wrong(one: Json, bytes: number): Json | undefined {
  if (typeof one["name"] !== "string" || one["name"] === "") return said(40_018, "invalid button name size");
  if (Buffer.byteLength(one["name"]) > bytes) return said(40_018, "invalid button name size");
  const subs = list(one["sub_button"]);
  if (subs.length > 5) return said(40_023, "invalid sub button size");
  if (subs.length > 0) return subs.map((sub) => wrong(sub, 60)).find((fault) => fault !== undefined);
  if (one["type"] === "view") return typeof one["url"] === "string" ? undefined : said(40_054, "invalid sub button url domain");
  return one["type"] === "click" || one["type"] === "scancode_push" || one["type"] === "miniprogram"
    ? undefined
    : said(40_017, "invalid button type");
}
/** 自定义菜单 of official accounts: `menu/create`, `menu/get`, `menu/delete`. */
export function openWechatMenus(): WechatRoom {
  const menus = new WeakMap<WechatAccount, Json>();
  return (account, path, _query, body) => {
    if (path === "menu/get") {
      const menu = menus.get(account);
      return menu ? { menu } : said(46_003, "menu no exist");
    }
    if (path === "menu/delete") {
      menus.delete(account);
      return SAID_OK;
    }
    if (path !== "menu/create") return undefined;
    const buttons = list(body["button"]);
    if (buttons.length === 0 || buttons.length > 3) return said(40_016, "invalid button size");
    const fault = buttons.map((one) => wrong(one, 16)).find((one) => one !== undefined);
    if (fault) return fault;
    menus.set(account, body);
    return SAID_OK;
  };
}
