import { createHash } from "node:crypto";
import type { Markup } from "../receipts/lay-out.ts";
import { layOut } from "../receipts/lay-out.ts";
import { ask, wordsOf, type Means } from "./ask.ts";
import { ok, refused, unknown, type Outcome, type Printer, type VendorAccount } from "./vendor.ts";

/**
 * 飞鹅. Source: its open interface as its own examples and the clients over it have it (help.feieyun.com/document.php;
 * feiejishu/API-Wechat, antcool/easy-feieyun, @xesam/cloud-vender-feie): form posts to /Api/Open/, sig = sha1(user+UKEY+stime)
 * with stime in seconds, answers `{ret, msg, data}`, 0 is yes; a refused printer stands in `data.no` of a yes. Content holds
 * at most 5,000 bytes. Not verified: that a repeated Open_printMsg is recognised, so that nothing unknown is sent again.
 */
export function feie(means: Means, { account, secret, baseUrl }: VendorAccount): Printer {
  const send = async (apiname: string, fields: Readonly<Record<string, string>>): Promise<Outcome<unknown>> => {
    const stime = String(Math.floor(means.now_ms() / 1000));
    const sig = createHash("sha1").update(`${account}${secret}${stime}`).digest("hex");
    const answer = await ask(means, "POST", `${baseUrl}/Api/Open/`, { user: account, stime, sig, apiname, ...fields });
    if (answer.kind !== "ok") return answer;
    const { ret, msg, data } = answer.value;
    if (ret === 0) return ok(data);
    return typeof ret === "number" ? refused(`飞鹅：${wordsOf(msg)}`) : unknown("飞鹅的应答无法识别");
  };
  /** Calls that name several devices say no inside a yes. */
  const each = async (apiname: string, fields: Readonly<Record<string, string>>): Promise<Outcome<null>> => {
    const answer = await send(apiname, fields);
    if (answer.kind !== "ok") return answer;
    const no = (answer.value as { no?: unknown } | null)?.no;
    const first = Array.isArray(no) && no.length > 0 ? wordsOf(no[0]) : undefined;
    return first === undefined ? ok(null) : refused(`飞鹅：${/错误：([^）)]+)/.exec(first)?.[1] ?? first}`, false);
  };
  const bind = (sn: string, key: string, name: string) =>
    each("Open_printerAddlist", { printerContent: `${sn}#${key}#${name.replaceAll(/[#\r\n]/g, " ")}` });
  return {
    repeatable_ms: 0,
    async bind({ sn, key, name }) {
      const first = await bind(sn, key, name);
      // Left behind by a binding that nobody heard the end of. Taken out first, so that the key is asked for again.
      if (first.kind !== "refused" || !first.message.includes("添加过")) return first;
      const removed = await each("Open_printerDelList", { snlist: sn });
      return removed.kind === "ok" ? bind(sn, key, name) : removed;
    },
    unbind: (sn) => each("Open_printerDelList", { snlist: sn }),
    async status(sn) {
      const answer = await send("Open_queryPrinterStatus", { sn });
      if (answer.kind !== "ok") return answer;
      const words = wordsOf(answer.value);
      return ok(words.startsWith("离线") ? 0 : words.includes("不正常") ? 2 : 1);
    },
    async print({ sn, receipt, copies, columns }) {
      const answer = await send("Open_printMsg", { sn, content: layOut(receipt, columns, MARKUP), times: String(copies) });
      return answer.kind === "ok" ? ok(wordsOf(answer.value)) : answer;
    },
  };
}
const MARKUP: Markup = {
  title: (text) => `<CB>${text}</CB>`,
  big: (text) => `<CB>${text}</CB>`,
  centred: (text) => `<C>${text}</C>`,
  code: (text) => `<C><QR>${text}</QR></C>`,
  newLine: "<BR>",
};
