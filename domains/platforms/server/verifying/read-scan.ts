import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type Adapted, shortLinkAt } from "../platform/open-platform.ts";

/** What was scanned or typed: a code, or what stands in a QR code. Never kept. */
export interface Scanned {
  readonly platform: Adapted | undefined;
  readonly code?: string;
  readonly encryptedData?: string;
  readonly tail: string;
}
const LINK_MS = 3_000;

/**
 * Reads what came from a scanner or a keyboard. A short link of 抖音 is asked for its target once; nothing is followed.
 * @throws 400 at `scan` in words for whoever scans
 */
export async function readScan(services: Services, given: string): Promise<Scanned> {
  const text = given.trim();
  const digits = text.replaceAll(/[\s-]/g, "");
  if (/^\d+$/.test(digits)) {
    if (/^9[89]\d{18}$/.test(digits))
      throw invalid("scan", digits.startsWith("98") ? "这是本店的优惠券，在收银机结账时扫" : "这是会员码，次卡在收银机核销");
    if (digits.length < 8 || digits.length > 24) throw invalid("scan", "券码是 8 到 24 位数字，请核对");
    return { platform: undefined, code: digits, tail: digits.slice(-4) };
  }
  if (/^https?:\/\//i.test(text)) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.hostname !== "v.douyin.com" || url.port !== "") throw invalid("scan", "不是团购券的二维码，请扫抖音或快手的券码");
    return { platform: "dy", encryptedData: await targetOf(services, url), tail: "" };
  }
  if (/^[\w+/=.-]{24,2000}$/.test(text)) return { platform: "ks", encryptedData: text, tail: "" };
  throw invalid("scan", "读不懂这个码，请扫抖音或快手的券码，或输入数字");
}
/** The object_id of where a short link leads. @throws 409 where 抖音 does not say it */
async function targetOf(services: Services, url: URL): Promise<string> {
  const at = new URL(shortLinkAt(services, `${url.pathname}${url.search}`));
  const send = openOutbound([at.host], { loopback: at.protocol === "http:" });
  const answer = await send({ method: "GET", url: at.href, headers: {}, timeout_ms: LINK_MS }).catch(() => undefined);
  const target = answer?.headers["location"] ?? "";
  const id = URL.canParse(target) ? new URL(target).searchParams.get("object_id") : null;
  if (id === null || id === "") throw conflict("抖音没有说出这个二维码是哪张券，请输入券码", "voucher.link");
  return id.slice(0, 2_000);
}
