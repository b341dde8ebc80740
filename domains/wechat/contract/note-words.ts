/** Addresses of others that a note may lead to. Ours (the member page, the short link itself) always may. */
export const LINK_HOSTS: readonly string[] = ["mp.weixin.qq.com"];
/** WeChat's own limits of one message to many. Source: developers.weixin.qq.com, 群发接口. */
export const LEAST_PEOPLE = 2;
export const BATCH_MOST = 10_000;
export const TEXT_MOST = 600;

/** How many a follower may be sent, and in what: 服务号 four in a natural month, 订阅号 one on a day, both by Beijing's calendar. */
export const quotaOf = (kind: 1 | 2): { readonly most: number; readonly per: "month" | "day" } =>
  kind === 1 ? { most: 4, per: "month" } : { most: 1, per: "day" };

/** What is wrong with an address that a note is to lead to; undefined where nothing is. */
export function linkFault(text: string, hosts: readonly string[] = LINK_HOSTS): string | undefined {
  if (!/^https:\/\/[^\s\\]+$/.test(text) || !URL.canParse(text)) return "网址须以 https:// 开头";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return "网址里不能有用户名或密码";
  if (url.port !== "") return "网址不能带端口";
  return hosts.includes(url.hostname) ? undefined : `只能是 ${hosts.join("、")} 的网址`;
}

const LURES = ["转发", "分享到朋友圈", "分享给好友", "分享有礼", "集赞", "点赞送", "邀请好友", "关注送", "不转不是"];
/** Words by which WeChat blocks a message as 诱导分享. */
export const luresIn = (text: string): readonly string[] => LURES.filter((word) => text.includes(word));
