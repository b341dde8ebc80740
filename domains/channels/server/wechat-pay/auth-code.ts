import { createHash, randomBytes } from "node:crypto";
import { type Fields, readXml, writeXml } from "@zhangfang/server/outside/flat-xml.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import { sameText } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount, Outcome, Transport } from "../channel.ts";
import { CHANNEL_HOSTS } from "../payment-channel.ts";

const TIMEOUT_MS = 5_000;
/** The code names nobody, and asking again changes nothing. */
const REFUSED: Readonly<Record<string, string>> = {
  AUTHCODEEXPIRE: "付款码已过期，请顾客刷新",
  AUTH_CODE_ERROR: "付款码无效，请顾客刷新",
  AUTH_CODE_INVALID: "付款码无效，请顾客刷新",
  SIGNERROR: "APIv2 密钥不对",
  NO_AUTH: "商户没有这个接口的权限",
  APPID_NOT_EXIST: "AppID 无效",
  MCHID_NOT_EXIST: "商户号无效",
  APPID_MCHID_NOT_MATCH: "AppID 和商户号不匹配",
};

/** Who asks, and for whom. */
export type CodeReader = Pick<ChannelAccount, "appId" | "mchId" | "subMchId" | "baseUrl">;

/**
 * 付款码查询 openid: whose pay code, or face, a till has read. For learning the openid only: before money or points are taken the payer
 * proves themselves again; the code then pays this merchant alone. APIv2, XML, signed by MD5 under that API's own key.
 * Source: pay.weixin.qq.com/wiki/doc/api/micropay.php?chapter=9_13; no call was ever made to the real service.
 */
export interface AuthCodeDoor {
  openIdOf(account: CodeReader, apiKey: string, authCode: string): Promise<Outcome<string>>;
}

/** @example signV2({ a: "1" }, key) // MD5 of a=1&key=…, in capitals */
function signV2(fields: Fields, key: string): string {
  const named = Object.entries(fields)
    .filter(([name, value]) => name !== "sign" && value !== "")
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return createHash("md5")
    .update([...named, `key=${key}`].join("&"))
    .digest("hex")
    .toUpperCase();
}

export function authCodeDoor(transport: Transport): AuthCodeDoor {
  return {
    async openIdOf({ appId, mchId, subMchId, baseUrl }, apiKey, authCode) {
      const asked = {
        appid: appId,
        mch_id: mchId,
        ...(subMchId !== undefined && { sub_mch_id: subMchId }),
        auth_code: authCode,
        nonce_str: randomBytes(16).toString("hex"),
      };
      try {
        const { status, body } = await transport({
          method: "POST",
          url: `${baseUrl}/tools/authcodetoopenid`,
          headers: { "Content-Type": "text/xml; charset=utf-8" },
          body: writeXml({ ...asked, sign: signV2(asked, apiKey) }),
          timeout_ms: TIMEOUT_MS,
        });
        if (status !== 200) return { kind: "unknown", reason: `微信应答 ${status}` };
        const said = readXml(body.toString("utf8"));
        // What is wrong with the request itself is said without a signature.
        if (said["return_code"] !== "SUCCESS") {
          const why = said["return_msg"] ?? "";
          return /签名|sign/i.test(why)
            ? { kind: "refused", code: "SIGNERROR", message: REFUSED["SIGNERROR"]! }
            : { kind: "unknown", reason: why };
        }
        if (!sameText(said["sign"] ?? "", signV2(said, apiKey))) return { kind: "unknown", reason: "微信应答的签名不对" };
        const openId = said["openid"];
        if (said["result_code"] === "SUCCESS" && openId) return { kind: "ok", value: openId };
        const code = said["err_code"] ?? "";
        const why = REFUSED[code];
        return why === undefined
          ? { kind: "unknown", reason: `${code} ${said["err_code_des"] ?? ""}` }
          : { kind: "refused", code, message: why };
      } catch (error) {
        return { kind: "unknown", reason: `没有收到应答：${(error as { code?: string }).code ?? "中断"}` };
      }
    },
  };
}

const opened = new WeakMap<Services, AuthCodeDoor>();
/** The door of these services; in the demo to the simulator on this machine as well. */
export function authCodeDoorOf(services: Services): AuthCodeDoor {
  const known = opened.get(services);
  if (known) return known;
  const { demo, simulator_port } = services.config;
  const door = authCodeDoor(openOutbound(demo ? [...CHANNEL_HOSTS, `127.0.0.1:${simulator_port}`] : CHANNEL_HOSTS, { loopback: demo }));
  opened.set(services, door);
  return door;
}
/** Gives these services another one, for a test. */
export function giveAuthCodeDoor(services: Services, door: AuthCodeDoor): void {
  opened.set(services, door);
}
