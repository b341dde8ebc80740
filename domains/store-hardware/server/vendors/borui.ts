import { plain } from "../receipts/lay-out.ts";
import { ask, wordsOf, type Means } from "./ask.ts";
import { ok, refused, unknown, type Outcome, type Speaker, type VendorAccount } from "./vendor.ts";

/** The maker's codes (channels.md 7.1); 17 is a request that it has taken already. */
const WORDS: Readonly<Record<number, string>> = {
  2: "设备不存在",
  3: "设备已被其他账号绑定",
  5: "设备没有绑定",
  6: "参数不全",
  8: "平台账号无权使用该设备",
  9: "平台账号无效",
};
const REPEATED = 17;

/**
 * 博瑞皓科. Source: the maker's pages 云音箱接口 (yuque.com/lingdutuandui/ugcpag/umbzsd) as copied in public repositories:
 * bind.php (id, m 1 bind 0 unbind, uid, token, version) and notify.php (id, token, version, message up to 128 bytes, seq, vol
 * 0–100); `{errcode, errmsg}`, 0 is yes. The same seq and content within 200 s are dropped with 17, so a request without an
 * answer may be sent again within them. Models on Wi-Fi have no notify.php; it is for those on mobile networks. Not verified:
 * any call that says whether a speaker is online, so that none is asked.
 */
export function borui(means: Means, { account, secret, baseUrl }: VendorAccount): Speaker {
  const send = async (page: string, fields: Readonly<Record<string, string>>, fine: readonly number[]): Promise<Outcome<string>> => {
    const answer = await ask(means, "GET", `${baseUrl}/${page}`, { ...fields, token: secret });
    if (answer.kind !== "ok") return answer;
    const code = Number(answer.value["errcode"] ?? Number.NaN);
    if (fine.includes(code)) return ok(typeof answer.value["detail"] === "string" ? answer.value["detail"] : "");
    return Number.isInteger(code)
      ? refused(`博瑞皓科：${WORDS[code] ?? wordsOf(answer.value["errmsg"])}`)
      : unknown("博瑞皓科的应答无法识别");
  };
  const bound = async (m: "0" | "1", sn: string, protocol: number, user: string, fine: readonly number[]): Promise<Outcome<null>> => {
    const answer = await send("bind.php", { id: sn, m, uid: `${account}-${user}`, version: String(protocol) }, fine);
    return answer.kind === "ok" ? ok(null) : answer;
  };
  return {
    repeatable_ms: 150_000,
    // 4: bound to the same user already.
    bind: ({ sn, protocol, user }) => bound("1", sn, protocol, user, [0, 4]),
    // 5: not bound.
    unbind: ({ sn, protocol, user }) => bound("0", sn, protocol, user, [0, 5]),
    speak: ({ sn, number, protocol, text, volume }) =>
      send(
        "notify.php",
        {
          id: sn,
          version: String(protocol),
          // Brackets would make it read figures one by one.
          message: plain(text).replaceAll(/[[\]]/g, ""),
          vol: String(volume),
          seq: String(Number.parseInt(number.slice(-8), 16)),
          trace_no: number,
        },
        [0, REPEATED],
      ),
  };
}
