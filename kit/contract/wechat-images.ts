/** The image hosts of WeChat. They serve no page but WeChat's own, hence `/wxImgfilter/<host>/<path>` (spec.md section 7); no other host is ever asked. */
export const WECHAT_IMAGE_HOSTS = ["mmbiz.qpic.cn", "mmbiz.qlogo.cn", "wx.qlogo.cn", "thirdwx.qlogo.cn"] as const;
