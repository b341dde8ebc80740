import { createHash } from "node:crypto";
import type { Merchant, State } from "../state.ts";
import { SPECIAL_CODES } from "./trades.ts";

type Fields = Readonly<Record<string, string>>;
const sign = (fields: Fields, key: string): string => {
  const names = Object.keys(fields).filter((name) => name !== "sign" && fields[name] !== "");
  const words = names.toSorted().map((name) => `${name}=${fields[name]}`);
  return createHash("md5")
    .update(`${words.join("&")}&key=${key}`)
    .digest("hex")
    .toUpperCase();
};
const xml = (fields: Fields): string =>
  `<xml>\n${Object.entries(fields)
    .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
    .join("\n")}\n</xml>`;
const WRONG: Readonly<Record<string, string>> = { "code-expired": "AUTHCODEEXPIRE", "system-error": "SYSTEMERROR" };

/**
 * 付款码查询 openid (APIv2): the eight digits behind the first two say who it is. The special codes of payments that end badly do so here;
 * a merchant without a v2 key, or with another one, is refused by the signature.
 */
export function answerAuthCode(state: State, body: string): string {
  const found = body.matchAll(/<(\w+)><!\[CDATA\[(.*?)\]\]><\/\1>/g);
  const given: Fields = Object.fromEntries([...found].map((part) => [part[1]!, part[2]!]));
  const merchant: Merchant | undefined = state.merchants.get(given["mch_id"] ?? "");
  const key = merchant?.apiKey;
  if (!merchant || !key || sign(given, key) !== given["sign"]) return xml({ return_code: "FAIL", return_msg: "签名错误" });
  const answer = (fields: Fields): string => {
    const said = { return_code: "SUCCESS", appid: given["appid"] ?? "", mch_id: merchant.mchId, nonce_str: "simulator", ...fields };
    return xml({ ...said, sign: sign(said, key) });
  };
  const code = given["auth_code"] ?? "";
  if (!/^1[0-5]\d{16}$/.test(code)) return answer({ result_code: "FAIL", err_code: "AUTH_CODE_INVALID", err_code_des: "付款码不正确" });
  const special = SPECIAL_CODES[code.slice(-8) as keyof typeof SPECIAL_CODES];
  const wrong = WRONG[special ?? ""];
  if (wrong !== undefined) return answer({ result_code: "FAIL", err_code: wrong, err_code_des: "付款码有误" });
  const openid = `oSim${given["appid"]?.slice(-6) ?? ""}Code${code.slice(2, 10)}`;
  return answer({ result_code: "SUCCESS", openid });
}
