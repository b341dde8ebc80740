import { menuLines, type MenuButton } from "../../contract/index.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { WechatAnswer } from "../calls/answers.ts";
import { callWechat, type WechatApp } from "../calls/call-wechat.ts";
import { readWechatMenu } from "./wx-menu.ts";

/** WeChat has no menu of the account. */
const NO_MENU = 46_003;
/** What WeChat says that followers see. */
export async function askLive(services: Services, app: WechatApp, ours: readonly MenuButton[]): Promise<WechatAnswer<MenuButton[]>> {
  const answer = await callWechat(services, app, "menu/get");
  if (answer.kind === "refused" && answer.code === NO_MENU) return { kind: "ok", value: [] };
  return answer.kind === "ok" ? { kind: "ok", value: readWechatMenu(answer.value, ours) } : answer;
}
export const sameMenu = (one: readonly MenuButton[], other: readonly MenuButton[]): boolean =>
  menuLines(one).join("\n") === menuLines(other).join("\n");
