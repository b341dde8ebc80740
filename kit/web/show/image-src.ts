/** The image host of WeChat, which serves pictures to no other page; ours goes through the server (spec.md section 7). */
const WECHAT_IMAGES = /^https?:\/\/(?:mmbiz\.qpic\.cn|mmbiz\.qlogo\.cn|wx\.qlogo\.cn|thirdwx\.qlogo\.cn)\//;

/**
 * Where a picture is loaded from: WeChat's images through the local path /wxImgfilter, any other as it is.
 * @example imageSrc("https://mmbiz.qpic.cn/a/0") // "/wxImgfilter/mmbiz.qpic.cn/a/0"
 */
export const imageSrc = (url: string): string => (WECHAT_IMAGES.test(url) ? url.replace(/^https?:\/\//, "/wxImgfilter/") : url);
