import { createHash } from "node:crypto";
import { layOut, type Markup } from "../receipts/lay-out.ts";
import { ask, wordsOf, type Means } from "./ask.ts";
import { ok, refused, unknown, type Outcome, type Printer, type VendorAccount } from "./vendor.ts";

/** Where the token is kept between calls: it is good for long, and the maker counts how often it is asked for. */
export interface TokenStore {
  load(): Promise<string | undefined>;
  save(token: string, seconds: number): Promise<void>;
}
const EXPIRED = new Set(["14", "18"]);

/**
 * 易联云, 自有型应用. Source: kancloud.cn/elind-dev/openapi (372524, 736522: fields, sign, error codes) and the clients over it
 * (yly-nodejs-sdk, EasySwoole/EasyPrinter): form posts, sign = md5(client_id+timestamp+client_secret) in lower case, id a
 * version 4 UUID; /oauth/oauth with client_credentials gives the token; error "0" is yes, "18" a token that has expired.
 * origin_id is unique for a client; with idempotence=1 a second print of it is dropped (channels.md 7.4).
 * Not verified: "14" as another word for an expired token, as CRMEB takes it.
 */
export function yilian(means: Means, { account, secret, baseUrl }: VendorAccount, tokens: TokenStore): Printer {
  const post = async (path: string, fields: Readonly<Record<string, string>>): Promise<Outcome<unknown> & { code?: string }> => {
    const timestamp = String(Math.floor(means.now_ms() / 1000));
    const sign = createHash("md5").update(`${account}${timestamp}${secret}`).digest("hex");
    const answer = await ask(means, "POST", `${baseUrl}${path}`, { client_id: account, timestamp, sign, id: means.uuid(), ...fields });
    if (answer.kind !== "ok") return answer;
    const { error, error_description, body } = answer.value;
    const code = typeof error === "string" || typeof error === "number" ? String(error) : "";
    if (code === "0") return ok(body);
    return /^\d{1,4}$/.test(code) ? { ...refused(`易联云：${wordsOf(error_description)}`), code } : unknown("易联云的应答无法识别");
  };
  const freshToken = async (): Promise<Outcome<string>> => {
    const answer = await post("/oauth/oauth", { grant_type: "client_credentials", scope: "all" });
    // Without a token nothing was printed, whatever became of the question.
    if (answer.kind !== "ok") return refused(answer.message);
    const { access_token: token, expires_in } = (answer.value ?? {}) as { access_token?: unknown; expires_in?: unknown };
    if (typeof token !== "string" || token === "") return refused("易联云没有给出授权");
    await tokens.save(token, Number(expires_in) > 0 ? Number(expires_in) : 86_400);
    return ok(token);
  };
  const send = async (path: string, fields: Readonly<Record<string, string>>): Promise<Outcome<unknown>> => {
    const kept = await tokens.load();
    const first = kept === undefined ? await freshToken() : ok(kept);
    if (first.kind !== "ok") return first;
    const answer = await post(path, { access_token: first.value, ...fields });
    if (answer.kind !== "refused" || !EXPIRED.has(answer.code ?? "") || kept === undefined) return answer;
    const second = await freshToken();
    return second.kind === "ok" ? post(path, { access_token: second.value, ...fields }) : second;
  };
  const done = async (path: string, fields: Readonly<Record<string, string>>): Promise<Outcome<null>> => {
    const answer = await send(path, fields);
    return answer.kind === "ok" ? ok(null) : answer;
  };
  return {
    repeatable_ms: Number.POSITIVE_INFINITY,
    bind: ({ sn, key, name }) => done("/printer/addprinter", { machine_code: sn, msign: key, print_name: name }),
    unbind: (sn) => done("/printer/deleteprinter", { machine_code: sn }),
    async status(sn) {
      const answer = await send("/printer/getprintstatus", { machine_code: sn });
      if (answer.kind !== "ok") return answer;
      const state = Number((answer.value as { state?: unknown } | null)?.state);
      return state === 0 || state === 1 || state === 2 ? ok(state) : unknown("易联云的应答无法识别");
    },
    async print({ sn, number, receipt, copies, columns }) {
      const content = `${copies > 1 ? `<MN>${copies}</MN>` : ""}${layOut(receipt, columns, MARKUP)}`;
      const answer = await send("/print/index", { machine_code: sn, origin_id: number, idempotence: "1", content });
      if (answer.kind !== "ok") return answer;
      const id = (answer.value as { id?: unknown } | null)?.id;
      return ok(typeof id === "string" ? id.slice(0, 64) : "");
    },
  };
}
const MARKUP: Markup = {
  title: (text) => `<FS2><center>${text}</center></FS2>`,
  big: (text) => `<FS2><center>${text}</center></FS2>`,
  centred: (text) => `<center>${text}</center>`,
  code: (text) => `<QR>${text}</QR>`,
  newLine: "\n",
};
