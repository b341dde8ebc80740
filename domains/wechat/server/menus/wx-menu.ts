import { sha256 } from "@zhangfang/server/crypto.ts";
import type { MenuButton } from "../../contract/index.ts";
import type { WechatJson } from "../calls/answers.ts";

// menu/create and menu/get. Source: developers.weixin.qq.com, 自定义菜单; no call was ever taken from the real service.
type Leaf = Omit<MenuButton, "children">;
/** What a tap with an answer is called at WeChat: by its text, so that the same answer is the same KEY. */
export const keyOf = (reply: string): string => `r${sha256(reply).toString("hex").slice(0, 24)}`;

function asWechat({ name, kind, url, reply, appId, pagePath }: Leaf): object {
  if (kind === "click") return { type: "click", name, key: keyOf(reply) };
  if (kind === "scan") return { type: "scancode_push", name, key: "scan" };
  if (kind === "miniprogram") return { type: "miniprogram", name, url, appid: appId, pagepath: pagePath };
  return { type: "view", name, url };
}
export const menuBody = (menu: readonly MenuButton[]): object => ({
  button: menu.map(({ children, ...one }) =>
    children.length === 0 ? asWechat(one) : { name: one.name, sub_button: children.map(asWechat) },
  ),
});

const textOf = (given: unknown): string => (typeof given === "string" ? given : "");
const listOf = (given: unknown): readonly WechatJson[] =>
  Array.isArray(given) ? given.filter((one): one is WechatJson => typeof one === "object" && one !== null) : [];
const KINDS: Readonly<Record<string, MenuButton["kind"]>> = {
  view: "view",
  click: "click",
  miniprogram: "miniprogram",
  scancode_push: "scan",
};
function fromWechat(one: WechatJson, replies: ReadonlyMap<string, string>): Leaf {
  const kind = KINDS[textOf(one["type"])] ?? "other";
  const key = textOf(one["key"]);
  return {
    name: textOf(one["name"]).slice(0, 20),
    kind,
    url: textOf(one["url"]).slice(0, 1_000),
    reply: kind === "click" || kind === "other" ? (replies.get(key) ?? key).slice(0, 600) : "",
    appId: textOf(one["appid"]).slice(0, 18),
    pagePath: textOf(one["pagepath"]).slice(0, 200),
  };
}
/** The menu of an answer to menu/get. @param ours menus that its KEYs may be of */
export function readWechatMenu(answer: WechatJson, ours: readonly MenuButton[]): MenuButton[] {
  const replies = new Map(ours.flatMap((top) => [top, ...top.children]).map(({ reply }) => [keyOf(reply), reply] as const));
  const { button } = (answer["menu"] ?? {}) as { button?: unknown };
  return listOf(button)
    .slice(0, 3)
    .map((top) => ({
      ...fromWechat(top, replies),
      children: listOf(top["sub_button"])
        .slice(0, 5)
        .map((one) => fromWechat(one, replies)),
    }));
}
/** What a tap on a button is answered with; undefined where it is none of ours. */
export const replyOf = (live: readonly MenuButton[], key: string): string | undefined =>
  live.flatMap((top) => [top, ...top.children]).find(({ kind, reply }) => kind === "click" && reply !== "" && keyOf(reply) === key)?.reply;
