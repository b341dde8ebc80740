/** What WeChat lets a merchant grant, by its numbers of 权限集. Source: developers.weixin.qq.com, 权限集介绍; of the others the number is shown. */
const PERMISSIONS: Readonly<Record<number, string>> = {
  1: "消息管理",
  2: "用户管理",
  3: "账号服务",
  4: "网页服务",
  6: "客服",
  7: "群发与通知",
  8: "卡券",
  11: "素材管理",
  15: "自定义菜单",
  24: "开放平台账号管理",
};
export const permissionName = (of: number): string => PERMISSIONS[of] ?? `权限 ${of}`;
/** What stays undone without them. */
const NEEDED: readonly (readonly [number, string])[] = [
  [1, "听不到谁关注了"],
  [2, "不能同步粉丝"],
  [3, "不能做渠道码"],
  [7, "不能群发"],
  [11, "不能群发图片和图文"],
  [15, "不能改自定义菜单"],
];
/** What a merchant did not grant, and what can't be done for it. @example missingPermissions([1, 2, 3, 7, 11]) // ["自定义菜单：不能改自定义菜单"] */
export const missingPermissions = (granted: readonly number[]): string[] =>
  NEEDED.filter(([of]) => !granted.includes(of)).map(([of, words]) => `${permissionName(of)}：${words}`);
