import { Readable } from "node:stream";
import { WECHAT_IMAGE_HOSTS } from "@zhangfang/contract/wechat-images.ts";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import { getWechatImage } from "../contract.ts";

const TIMEOUT_MS = 5_000;
/** What a picture begins with; anything else is not passed on, whatever it calls itself. */
const BEGINS: readonly (readonly [type: string, extension: string, fits: (bytes: Buffer) => boolean])[] = [
  ["image/jpeg", "jpg", (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ["image/png", "png", (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
  ["image/gif", "gif", (bytes) => /^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))],
  ["image/webp", "webp", (bytes) => bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP"],
];
const away = () => new Refusal(502, "image.away", "图片暂时无法加载");

/**
 * 微信图片 through this server (reliability row /wxImgfilter). The host is one of a constant list and never the caller's; the address is looked
 * at when connecting, no redirect is followed, 5 MB and 5 seconds are the most.
 * @param origin where a host is asked, and `send` how; for tests
 */
export function wechatImage(origin = (host: string): string => `https://${host}`, send = openOutbound(WECHAT_IMAGE_HOSTS)): Route {
  return implement(getWechatImage, async (ctx, { host }): Promise<FileAnswer> => {
    const asked = ctx.incoming.url.slice(`/wxImgfilter/${host}`.length);
    // As it came, with its query: what is not plain is no address of a picture.
    if (!(WECHAT_IMAGE_HOSTS as readonly string[]).includes(host) || !/^\/[\w\-./%~=&?+,:;!]{1,1500}$/.test(asked)) throw notFound("图片");
    const url = new URL(origin(host));
    const whole = new URL(`${url.origin}${asked}`);
    if (whole.host !== url.host || whole.username !== "") throw notFound("图片");
    const answer = await send({ method: "GET", url: whole.href, headers: { accept: "image/*" }, timeout_ms: TIMEOUT_MS }).catch(
      (error: unknown) => {
        ctx.services.log.info({ err: error, host }, "wechat image");
        throw away();
      },
    );
    if (answer.status !== 200) throw answer.status >= 500 ? away() : notFound("图片");
    const kind = BEGINS.find(([, , fits]) => fits(answer.body));
    if (!kind) throw notFound("图片");
    const [contentType, extension] = kind;
    return {
      stream: Readable.from([answer.body]),
      fileName: `image.${extension}`,
      contentType,
      size_bytes: answer.body.length,
      cache: "public, max-age=86400",
    };
  });
}
