import { textWidth } from "@zhangfang/contract/text.ts";

/** One button of a menu, flat: what its kind does not use is empty. One with children does nothing itself. */
export interface MenuButton {
  readonly name: string;
  readonly kind: "view" | "click" | "miniprogram" | "scan" | "other";
  readonly url: string;
  /** What a tap is answered with; of a menu that was read, WeChat's KEY. */
  readonly reply: string;
  readonly appId: string;
  readonly pagePath: string;
  readonly children: readonly Omit<MenuButton, "children">[];
}
export const [MOST_TOP, MOST_SUB] = [3, 5];
/** In hanzi: what is longer WeChat cuts with dots. Two letters count as one. */
export const [TOP_NAME, SUB_NAME] = [4, 8];
/** @example nameWidth("会员 VIP") // 4 */
export const nameWidth = (name: string): number => textWidth(name) / 2;

/** What is wrong with one button, by its field; nothing where all is well. */
export function buttonFault(
  button: Omit<MenuButton, "children">,
  level: "top" | "sub",
  children = 0,
): { field: keyof MenuButton; message: string } | undefined {
  const most = level === "top" ? TOP_NAME : SUB_NAME;
  if (button.name.trim() === "") return { field: "name", message: "请填写名字" };
  if (nameWidth(button.name) > most) return { field: "name", message: `不能超过 ${most} 个汉字` };
  if (children > 0) return undefined;
  if (button.kind === "other") return { field: "kind", message: "请选择点了做什么" };
  if (button.kind === "click") return button.reply.trim() === "" ? { field: "reply", message: "请填写回复的文字" } : undefined;
  if (button.kind === "scan") return undefined;
  if (!/^https:\/\/[^\s]+$/.test(button.url) || !URL.canParse(button.url)) return { field: "url", message: "网址须以 https:// 开头" };
  if (button.kind === "view") return undefined;
  if (!/^wx[0-9a-f]{16}$/.test(button.appId)) return { field: "appId", message: "小程序 AppID 是 wx 开头的 18 位" };
  return button.pagePath.trim() === "" ? { field: "pagePath", message: "请填写小程序页面，如 pages/index" } : undefined;
}
const KINDS = { view: "打开网页", click: "回复文字", miniprogram: "打开小程序", scan: "扫一扫", other: "别的" } as const;
const targetOf = ({ kind, url, reply, appId, pagePath }: Omit<MenuButton, "children">): string =>
  kind === "view" ? url : kind === "miniprogram" ? `${appId} ${pagePath} ${url}` : kind === "scan" ? "" : reply;
/** A menu as lines, for comparing two. @example "服务 › 会员码 · 打开网页 https://…" */
export const menuLines = (menu: readonly MenuButton[]): readonly string[] =>
  menu.flatMap((top) => {
    const line = (one: Omit<MenuButton, "children">, before: string) => `${before}${one.name} · ${KINDS[one.kind]} ${targetOf(one)}`.trim();
    return top.children.length === 0 ? [line(top, "")] : top.children.map((one) => line(one, `${top.name} › `));
  });
/** What publishing would change: lines that stay, go, and come, in the new order with what goes before it. */
export function menuDiff(
  live: readonly MenuButton[],
  draft: readonly MenuButton[],
): readonly { readonly mark: "same" | "gone" | "new"; readonly line: string }[] {
  const [old, now] = [menuLines(live), menuLines(draft)];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => ({ mark: "gone" as const, line })),
    ...now.map((line) => ({ mark: old.includes(line) ? ("same" as const) : ("new" as const), line })),
  ];
}
