import { createHmac } from "node:crypto";
import { z } from "zod";
import { centsOf } from "@zhangfang/contract/money.ts";
import type { OutboundAnswer, OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { Outcome } from "../../../channels/server/index.ts";
import {
  type BlueLine,
  type BlueOrder,
  type BlueState,
  type InvoiceAccount,
  type InvoiceProvider,
  type IssuedFile,
  QUOTA_SHORT,
  type RedState,
  SAME_NUMBER,
  SEALED_ENOUGH,
  SESSION_LOST,
  type SessionAsks,
  type SessionState,
  UNKNOWN_NUMBER,
} from "./provider.ts";

// 诺诺开放平台. Nothing here was tried at the real one (it has no sandbox); docs/invoices.md lists what is to be checked, each behind one
// place of this file.

/** What the adapter needs from outside. */
export interface Means {
  readonly transport: (request: OutboundRequest) => Promise<OutboundAnswer>;
  readonly base_url: string;
  readonly now_ms: () => number;
  /** 32 hex signs for one call, and eight digits. */
  readonly senid: () => string;
  readonly nonce: () => string;
}
const TIMEOUT_MS = 8_000;
const METHOD = "nuonuo.OpeMplatform.";

/** What their answers' codes mean for us; every other no is one. */
const CODES: Readonly<Record<string, string>> = {
  E9500: UNKNOWN_NUMBER,
  E9106: SAME_NUMBER,
  E9613: SEALED_ENOUGH,
  // Unverified: what an issue is answered with where the drawer is not signed in at the bureau.
  E9900: SESSION_LOST,
  // Unverified: what one is answered with that is more than the quota.
  E9901: QUOTA_SHORT,
};
/** The platform itself failed or is busy: nobody knows whether it was done. */
const UNSURE = new Set(["S0001", "S0002", "E9999", "070002", "070101"]);

/** base64 of HMAC-SHA1 over the call's words and its body. */
export function nuonuoSignature(
  secret: string,
  {
    app_key,
    senid,
    nonce,
    timestamp,
    body,
  }: { readonly app_key: string; readonly senid: string; readonly nonce: string; readonly timestamp: string; readonly body: string },
): string {
  const text = `a=services&l=v1&p=open&k=${app_key}&i=${senid}&n=${nonce}&t=${timestamp}&f=${body}`;
  return createHmac("sha1", secret).update(text).digest("base64");
}

/** Their words as the database takes them: no control signs, and no longer than anybody reads. */
const clean = (said: string): string => said.replaceAll(/\p{Cc}/gu, " ").slice(0, 500);
const words = z.string().transform(clean);
const wrapped = z.object({ code: z.string().max(32).transform(clean), describe: words.nullish(), result: z.unknown().optional() });

async function ask<T>(
  means: Means,
  account: InvoiceAccount,
  method: string,
  content: object,
  readResult: (result: unknown) => T | undefined,
): Promise<Outcome<T>> {
  const body = JSON.stringify(content);
  const [senid, nonce, timestamp] = [means.senid(), means.nonce(), String(Math.floor(means.now_ms() / 1000))];
  const words = new URLSearchParams({ senid, nonce, timestamp, appkey: account.app_key });
  let answer: OutboundAnswer;
  try {
    answer = await means.transport({
      method: "POST",
      url: `${means.base_url}/open/v1/services?${words.toString()}`,
      headers: {
        "Content-Type": "application/json",
        "X-Nuonuo-Sign": nuonuoSignature(account.app_secret, { app_key: account.app_key, senid, nonce, timestamp, body }),
        accessToken: account.token,
        userTax: account.tax_no,
        method: METHOD + method,
      },
      body,
      timeout_ms: TIMEOUT_MS,
    });
  } catch (error) {
    return unknown(`没有收到应答：${(error as Error).message}`);
  }
  const said = answer.status === 200 ? wrapped.safeParse(parsed(answer.body)) : undefined;
  if (!said?.success) return unknown(`应答内容无法识别：HTTP ${answer.status}`);
  const { code, result } = said.data;
  const describe = said.data.describe ?? "";
  if (code === "E0000") {
    const value = understood(readResult, result);
    return value === undefined ? unknown("应答内容无法识别") : { kind: "ok", value };
  }
  if (UNSURE.has(code)) return unknown(`${code} ${describe}`.slice(0, 200));
  return { kind: "refused", code: CODES[code] ?? code, message: (describe || code).slice(0, 160) };
}
const unknown = (reason: string) => ({ kind: "unknown", reason: reason.slice(0, 200) }) as const;
/** What throws over an answer has not understood it. */
function understood<T>(readResult: (result: unknown) => T | undefined, result: unknown): T | undefined {
  try {
    return readResult(result);
  } catch {
    return undefined;
  }
}
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Yuan with two decimals, as their fields are. */
const yuanText = (cents: number): string =>
  `${cents < 0 ? "-" : ""}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, "0")}`;
const rateText = (rate: number): string => String(rate / 100_000);
/** 优惠政策: 免税 1, 不征税 2, 普通零税率 3; without one the flag is 0. */
const policyOf = ({ tax_policy }: BlueLine) =>
  tax_policy === 0
    ? { favouredPolicyFlag: "0" }
    : { favouredPolicyFlag: "1", zeroRateFlag: String(tax_policy), favouredPolicyName: ["", "免税", "不征税", "普通零税率"][tax_policy] };
function lineOf(line: BlueLine) {
  const { name, tax_code, units, total_cents, tax_cents } = line;
  return {
    goodsName: name,
    goodsCode: tax_code,
    withTaxFlag: "1",
    ...(units !== null && total_cents % units === 0 && { num: String(units), price: yuanText(total_cents / units) }),
    taxRate: rateText(line.tax_rate),
    taxIncludedAmount: yuanText(total_cents),
    tax: yuanText(tax_cents),
    taxExcludedAmount: yuanText(total_cents - tax_cents),
    invoiceLineProperty: "0",
    ...policyOf(line),
  };
}
function requestOf({ number, kind, at, seller, buyer, lines, remark, callback_url }: BlueOrder, { tax_no }: InvoiceAccount) {
  const person = buyer.buyer === "person";
  return {
    order: {
      orderNo: number,
      invoiceDate: at,
      invoiceType: "1",
      invoiceLine: kind,
      salerTaxNum: tax_no,
      salerTel: seller.phone,
      salerAddress: seller.address,
      salerAccount: `${seller.bank} ${seller.bankAccount}`.trim(),
      extensionNumber: seller.extension,
      clerk: seller.drawer,
      buyerName: buyer.title,
      naturalPersonFlag: person ? "1" : "0",
      ...(!person && { buyerTaxNum: buyer.taxNo }),
      buyerAddress: buyer.address,
      buyerTel: buyer.phone,
      buyerAccount: `${buyer.bank} ${buyer.bankAccount}`.trim(),
      // The platform sends the invoice itself, where the buyer left an address.
      pushMode: buyer.mail !== "" && buyer.mobile !== "" ? "2" : buyer.mail !== "" ? "0" : buyer.mobile !== "" ? "1" : "-1",
      ...(buyer.mail !== "" && { email: buyer.mail }),
      ...(buyer.mobile !== "" && { buyerPhone: buyer.mobile }),
      remark,
      callBackUrl: callback_url,
      invoiceDetail: lines.map(lineOf),
    },
  };
}

const text = z.union([z.string(), z.number()]).transform((said) => clean(String(said)).slice(0, 100));
// An address that is none loses a file, not the answer.
const url = z
  .string()
  .max(1000)
  .regex(/^\P{Cc}*$/u)
  .nullish()
  .catch(null);
const found = z.object({
  serialNo: text.default(""),
  orderNo: text,
  status: text,
  statusMsg: words.nullish(),
  failCause: words.nullish(),
  allElectronicInvoiceNumber: z.string().nullish(),
  invoiceNo: z.string().nullish(),
  invoiceTime: z.int().min(1).max(8.64e15).nullish(),
  orderAmount: text.nullish(),
  pdfUrl: url,
  ofdUrl: url,
  xmlUrl: url,
});
function filesOf({
  pdfUrl,
  ofdUrl,
  xmlUrl,
}: {
  readonly pdfUrl?: string | null | undefined;
  readonly ofdUrl?: string | null | undefined;
  readonly xmlUrl?: string | null | undefined;
}): IssuedFile[] {
  const named = [
    ["pdf", pdfUrl],
    ["ofd", ofdUrl],
    ["xml", xmlUrl],
  ] as const;
  return named.flatMap(([format, at]) => (at ? [{ format, url: at }] : []));
}
/** Their status: 2 完成, 20 开票中, 21 签章中, 22 失败, 24 签章失败, 3 已作废, 31 作废中. */
function readBlue(number: string, result: unknown): BlueState | undefined {
  const rows = z.array(found).safeParse(result);
  const row = rows.success ? rows.data.find(({ orderNo }) => orderNo === number) : undefined;
  if (!row) return undefined;
  const { serialNo: serial, status } = row;
  const why = (row.failCause || row.statusMsg || "").slice(0, 160);
  if (status === "20" || status === "21" || status === "31") return { state: "issuing", serial };
  if (status === "24") return { state: "unsealed", serial, why };
  if (status === "22" || status === "3") return { state: "failed", serial, why: why || "平台开票失败" };
  const invoice_no = row.allElectronicInvoiceNumber || row.invoiceNo || "";
  const total_cents = centsOf(row.orderAmount ?? "");
  if (status !== "2" || !/^\d{8,20}$/.test(invoice_no) || !row.invoiceTime || total_cents === undefined) return undefined;
  return { state: "issued", serial, invoice_no, issued_at: new Date(row.invoiceTime).toISOString(), total_cents, files: filesOf(row) };
}
const redRow = z.object({
  billId: text,
  billStatus: text,
  billMessage: words.nullish(),
  redElecInvoiceNumber: z.string().nullish(),
  taxExcludedAmount: text.nullish(),
  taxAmount: text.nullish(),
  pdfUrl: url,
  ofdUrl: url,
  xmlUrl: url,
});
type Sum = number | null | undefined;
/** Both together; null where neither is named. */
function redSum(net: Sum, tax: Sum): Sum {
  if (net === null && tax === null) return null;
  return typeof net === "number" && typeof tax === "number" ? Math.abs(net + tax) : undefined;
}
function readRed(number: string, result: unknown): RedState | undefined {
  const rows = z.object({ list: z.array(redRow) }).safeParse(result);
  const row = rows.success ? rows.data.list.find(({ billId }) => billId === number) : undefined;
  if (!row || !/^\d{2}$/.test(row.billStatus)) return undefined;
  const red_no = row.redElecInvoiceNumber;
  // Red sums come with their sign or without, as text or as numbers.
  const [net, tax] = [row.taxExcludedAmount || null, row.taxAmount || null].map((sum): Sum => (sum === null ? null : centsOf(sum)));
  return {
    bureau: row.billStatus,
    red_no: red_no && /^\d{8,20}$/.test(red_no) ? red_no : undefined,
    total_cents: redSum(net, tax),
    why: row.billMessage ?? "",
    files: filesOf(row),
  };
}
const certification = z.object({ certificationStatus: text });
const code = z.object({ qrCode: z.string().min(1).max(4000) });
const verified = z.object({ status: text });
const line = z.object({ availableCreditLine: text.nullish() });
const done = (): null => null;

/** `queryType` of the login at the bureau, and of the face that it may want to see after it: how it stands, the code that is there, a new one. */
const SIGNS = { login: { stands: "2", known: "3", renew: "2" }, face: { stands: "1", known: "1", renew: "0" } } as const;
const LOOK_ANEW = "0";
const [COMPLETE, COMPLETED] = ["0", "1"];

async function askSession(
  means: Means,
  account: InvoiceAccount,
  { code: wanted, old, scanned, face: faces }: SessionAsks,
): Promise<Outcome<SessionState>> {
  const by = (queryType: string) => ({ ...(account.extension !== "" && { extensionNumber: account.extension }), queryType });
  const standing = (queryType: string, known: RegExp) =>
    ask(means, account, "getCertificationStatus", by(queryType), (result) => {
      const said = certification.safeParse(result);
      return said.success && known.test(said.data.certificationStatus) ? said.data.certificationStatus : undefined;
    });
  const codeNow = async (queryType: string): Promise<string | null> => {
    const shown = await ask(means, account, "getQrCode", by(queryType), (result) => {
      const said = code.safeParse(result);
      return said.success ? said.data.qrCode : undefined;
    });
    return shown.kind === "ok" && !(wanted === "new" && shown.value === old) ? shown.value : null;
  };
  const out = async (state: "login" | "face"): Promise<Outcome<SessionState>> => {
    const { known, renew } = SIGNS[state];
    const found = wanted === "known" ? await codeNow(known) : null;
    if (wanted === null || found !== null) return { kind: "ok", value: { state, qr: found } };
    // The bureau takes some seconds for it: not there yet (the old one is still told, or none), the next question finds it.
    await ask(means, account, "getQrCode", by(renew), done);
    return { kind: "ok", value: { state, qr: await codeNow(known) } };
  };
  // 0 signed out, 1 signed in.
  const login = await standing(SIGNS.login.stands, /^[01]$/);
  if (login.kind !== "ok") return login;
  if (login.value === "0" && !(scanned && (await completed(means, account, by)))) return out("login");
  const look = () => ask(means, account, "getCertificationStatus", by(LOOK_ANEW), done);
  // 0 not known, 1 seen, 2 wants to be seen, 3 on its way.
  if (scanned && !faces) await look();
  const face = await standing(SIGNS.face.stands, /^[0-3]$/);
  if (face.kind === "unknown") return face;
  if (face.kind !== "ok" || face.value !== "2") return { kind: "ok", value: { state: "ok" } };
  // Looked at anew for the next question: asked at once it may be on its way, which says nothing of the face.
  if (faces) await look();
  return out("face");
}
/** A login that was scanned is completed by a call of its own; where nobody scanned it nothing comes of that. */
async function completed(means: Means, account: InvoiceAccount, by: (queryType: string) => object): Promise<boolean> {
  const began = await ask(means, account, "verifyComplete", by(COMPLETE), done);
  if (began.kind !== "ok") return false;
  // 0 on its way, 1 done, 2 not.
  const said = await ask(means, account, "verifyComplete", by(COMPLETED), (result) => {
    const told = verified.safeParse(result);
    return told.success ? told.data.status : undefined;
  });
  return said.kind === "ok" && said.value === "1";
}
/** What is left of the month: what the platform knows of it; where it knows nothing yet it is told to ask the bureau, and knows later. */
async function askQuota(means: Means, account: InvoiceAccount): Promise<Outcome<{ readonly left_cents: number }>> {
  const by = (queryType: string) => ({ ...(account.extension !== "" && { extensionNumber: account.extension }), queryType });
  const found = await ask(means, account, "getCreditLine", by("1"), (result) => {
    const said = line.safeParse(result ?? {});
    if (!said.success) return undefined;
    const { availableCreditLine: left } = said.data;
    if (left === null || left === undefined) return "none";
    const left_cents = centsOf(left);
    return left_cents === undefined ? undefined : { left_cents };
  });
  if (found.kind !== "ok" || found.value !== "none") return found as Outcome<{ readonly left_cents: number }>;
  await ask(means, account, "getCreditLine", by("0"), done);
  return unknown("平台还没有额度，已让它向税局取");
}
function readNotice(rawBody: Buffer): readonly string[] {
  // Unverified: form or JSON, and unsigned as far as is known.
  const raw = rawBody.toString("utf8");
  const given = raw.trimStart().startsWith("{") ? parsed(rawBody) : Object.fromEntries(new URLSearchParams(raw));
  const named = z.object({ orderno: z.string().optional(), orderNo: z.string().optional() }).safeParse(given);
  const number = named.success ? (named.data.orderno ?? named.data.orderNo) : undefined;
  return number !== undefined && /^[0-9A-Z]{8,32}$/.test(number) ? [number] : [];
}
/** 诺诺 counts 销货退回 and 开票有误 the other way round than the bureau does. */
const RED_REASONS = { "01": "2", "02": "1", "03": "3", "04": "4" } as const;
/** The adapter over any way out. A red letter takes the whole back: `detail` (部分冲红) is left out. */
export function nuonuo(means: Means): InvoiceProvider {
  return {
    issue: (account, order) =>
      ask(means, account, "requestBillingNew", requestOf(order, account), (result) => {
        const taken = z.object({ invoiceSerialNum: text }).safeParse(result);
        return taken.success ? { serial: taken.data.invoiceSerialNum } : undefined;
      }),
    async query(account, number) {
      const outcome = await ask(means, account, "queryInvoiceResult", { orderNos: [number], isOfferInvoiceDetail: "0" }, (result) =>
        Array.isArray(result) && result.length === 0 ? "none" : readBlue(number, result),
      );
      if (outcome.kind !== "ok") return outcome;
      return outcome.value === "none"
        ? { kind: "refused", code: UNKNOWN_NUMBER, message: "平台没有这张发票" }
        : { kind: "ok", value: outcome.value };
    },
    retrySeal: (account, { number, serial }) => ask(means, account, "reInvoice", { fpqqlsh: serial, orderNo: number }, done),
    requestRed: (account, { number, kind, invoice_no, reason, seller_name, buyer_name, buyer_tax_no }) =>
      ask(
        means,
        account,
        "saveInvoiceRedConfirm",
        {
          billId: number,
          blueInvoiceLine: kind,
          applySource: "0",
          blueElecInvoiceNumber: invoice_no,
          sellerTaxNo: account.tax_no,
          sellerName: seller_name,
          buyerName: buyer_name,
          ...(buyer_tax_no !== "" && { buyerTaxNo: buyer_tax_no }),
          redReason: RED_REASONS[reason],
          autoInvoice: "1",
        },
        done,
      ),
    async queryRed(account, number) {
      const outcome = await ask(
        means,
        account,
        "queryInvoiceRedConfirm",
        { identity: "0", billId: number, pageNo: "1", pageSize: "10" },
        (result) => {
          const rows = z.object({ list: z.array(z.unknown()) }).safeParse(result);
          return rows.success && rows.data.list.length === 0 ? "none" : readRed(number, result);
        },
      );
      if (outcome.kind !== "ok") return outcome;
      return outcome.value === "none"
        ? { kind: "refused", code: UNKNOWN_NUMBER, message: "平台没有这张确认单" }
        : { kind: "ok", value: outcome.value };
    },
    revokeRed: (account, number) => ask(means, account, "confirmInfoCancel", { billId: number, identity: "0" }, done),
    quota: (account) => askQuota(means, account),
    session: (account, asks) => askSession(means, account, asks),
    readNotice,
  };
}
