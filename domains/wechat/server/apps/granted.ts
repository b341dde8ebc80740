import { conflict } from "@zhangfang/server/calls/errors.ts";
import { permissionName } from "../../contract/index.ts";

/** 权限集 that a call needs. Source: developers.weixin.qq.com, 权限集介绍. */
const NEEDS: readonly (readonly [RegExp, number])[] = [
  [/^user\//, 2],
  [/^qrcode\//, 3],
  [/^message\/mass\//, 7],
  [/^(media|material|draft)\//, 11],
  [/^menu\//, 15],
];
/** @example needFor("menu/get") // 15 */
export const needFor = (path: string): number | undefined => NEEDS.find(([of]) => of.test(path))?.[1];
/** What has to be granted, by name, and where. */
export const notGranted = (missing: readonly number[]): string =>
  `公众号没有授权「${missing.map(permissionName).join("、")}」，请到 微信应用 点重新授权，在微信的页面上勾选`;
/** What tells whether an account can be called. */
export interface Callable {
  readonly way: string;
  readonly may_call: boolean;
  readonly permissions: readonly number[];
}
/** @throws 409 where it was authorised, and that was taken back or lacks what is needed; one with an AppSecret may do whatever WeChat lets it */
export function mustBeGranted({ way, may_call, permissions }: Callable, needs: readonly number[]): void {
  if (way !== "component") return;
  if (!may_call) throw conflict("公众号已取消授权，请到 微信应用 重新授权", "wx-app.unauthorised");
  const missing = needs.filter((one) => !permissions.includes(one));
  if (missing.length > 0) throw conflict(notGranted(missing), "wx-app.not-granted");
}
