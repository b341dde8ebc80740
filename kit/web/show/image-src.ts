import { WECHAT_IMAGE_HOSTS } from "@zhangfang/contract/wechat-images.ts";

const WECHAT_IMAGES = new RegExp(`^https?://(?:${WECHAT_IMAGE_HOSTS.map((host) => host.replaceAll(".", "\\.")).join("|")})/`);

/**
 * Where a picture is loaded from: WeChat's images through the local path /wxImgfilter, any other as it is.
 * @example imageSrc("https://mmbiz.qpic.cn/a/0") // "/wxImgfilter/mmbiz.qpic.cn/a/0"
 */
export const imageSrc = (url: string): string => (WECHAT_IMAGES.test(url) ? url.replace(/^https?:\/\//, "/wxImgfilter/") : url);
