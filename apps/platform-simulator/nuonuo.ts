import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

type Answer = { readonly status: number; readonly type: string; readonly text: string } | "silence";
type Body = Readonly<Record<string, unknown>>;
const json = (status: number, body: object): Answer => ({ status, type: "application/json; charset=utf-8", text: JSON.stringify(body) });
const said = (code: string, describe: string, result: unknown = null): Answer => json(200, { code, describe, result });

/** What goes wrong with the next call of a kind, or with a number that ends so. */
const FAULTS = {
  "00901": "lost",
  "00902": "unsealed",
  "00903": "duplicate",
  "00904": "hidden",
  "00905": "session",
  "00906": "refused",
  "00907": "failed",
  "00911": "red-waiting",
  "00912": "red-refused",
  "00913": "red-expired",
  "00914": "red-amount",
} as const;
type Fault =
  | (typeof FAULTS)[keyof typeof FAULTS]
  | "deaf"
  | "wrong-amount"
  | "slow"
  | "refused-late"
  | "names-buyer"
  | "session-unsaid"
  | "late-code"
  | "no-files";
interface Blue {
  readonly number: string;
  readonly serial: string;
  readonly tax: string;
  readonly buyer: string;
  readonly cents: number;
  readonly invoiceNo: string;
  readonly at: number;
  readonly content: string;
  readonly failure: string;
  status: "20" | "2" | "22" | "24";
  asked: number;
  hiddenFor: number;
  /** Its files are told from so many questions on. */
  readonly filesFrom: number;
}
interface Red {
  readonly number: string;
  readonly blue: string;
  cents: number;
  bill: string;
  redNo: string;
}
const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");
const centsOf = (value: unknown): number => Math.round(Number(text(value)) * 100);

/** 诺诺 as it is described: POST /nuonuo/open/v1/services, /nuonuo/files for what was issued, /nuonuo for people, /nuonuo/_control for tests. */
class Nuonuo {
  private readonly secrets = new Map([["zhangfang-demo", "nuonuo-simulator-secret"]]);
  private readonly blues = new Map<string, Blue>();
  private readonly reds = new Map<string, Red>();
  private readonly quotas = new Map<string, number>();
  /** 1 signed in, 2 to be scanned, 3 wants a face; `scanned`, `faced`: done, and nobody has completed it or looked anew. */
  private readonly sessions = new Map<string, "1" | "2" | "3" | "scanned" | "faced">();
  /** Codes that were asked of the bureau, by kind and tax number; one that is late is told from the second question on. */
  private readonly late = new Map<string, string>();
  private readonly shown = new Map<string, string>();
  /** Codes for signing in, each another. */
  private codes = 0;
  private readonly armed: { fault: Fault; times: number }[] = [];
  private calls = 0;
  private serials = 0;
  private readonly now_ms: () => number;
  constructor(now_ms: () => number) {
    this.now_ms = now_ms;
  }
  private take(wanted: readonly Fault[]): Fault | undefined {
    const found = this.armed.find(({ fault, times }) => times > 0 && wanted.includes(fault));
    if (found) found.times -= 1;
    return found?.fault;
  }
  private faultOf(number: string, wanted: readonly Fault[]): Fault | undefined {
    const byEnding = (FAULTS as Readonly<Record<string, Fault>>)[number.slice(-5)];
    return byEnding && wanted.includes(byEnding) ? byEnding : this.take(wanted);
  }
  private digits(count: number): string {
    return String((this.serials += 1)).padStart(count, "0");
  }

  private issue(tax: string, given: Body): Answer {
    const order = (given["order"] ?? {}) as Body;
    const number = text(order["orderNo"]);
    const lines = (order["invoiceDetail"] ?? []) as readonly Body[];
    const content = JSON.stringify(order);
    if (!/^[0-9A-Za-z]{1,20}$/.test(number)) return said("E9001", "orderNo 长度须为 1-20");
    const fault = this.faultOf(number, [
      "lost",
      "duplicate",
      "session",
      "refused",
      "failed",
      "unsealed",
      "hidden",
      "deaf",
      "wrong-amount",
      "no-files",
      "slow",
      "refused-late",
      "names-buyer",
    ]);
    // Never arrives.
    if (fault === "deaf") return "silence";
    if (fault === "session" || (this.sessions.get(tax) ?? "1") !== "1") {
      if (fault === "session") this.sessions.set(tax, "2");
      return said("E9900", "开票员未登录电子税务局，请扫码登录");
    }
    if (fault === "refused") return said("E9001", "商品税收分类编码不可用");
    const known = this.blues.get(number);
    if (known) return said("E9106", known.content === content ? "订单号已存在" : "订单号已存在，内容不同");
    if (lines.length === 0) return said("E9001", "没有商品明细");
    let cents = 0;
    let bare = 0;
    for (const line of lines) {
      const [total, tax_cents, without] = [centsOf(line["taxIncludedAmount"]), centsOf(line["tax"]), centsOf(line["taxExcludedAmount"])];
      const rate = Number(text(line["taxRate"]));
      if (total !== tax_cents + without) return said("E9002", "含税金额不等于不含税金额加税额");
      if (Math.abs((total * rate) / (1 + rate) - tax_cents) > 6) return said("E9003", "税额误差超过 0.06");
      if (!/^\d{19}$/.test(text(line["goodsCode"]))) return said("E9004", "税收分类编码有误");
      cents += total;
      bare += without;
    }
    if (order["naturalPersonFlag"] === "0" && !/^[0-9A-Z]{15,20}$/.test(text(order["buyerTaxNum"]))) return said("E9005", "购方税号有误");
    const left = this.quotas.get(tax) ?? 100_000_000_00;
    if (bare > left) return said("E9901", "剩余额度不足");
    this.quotas.set(tax, left - bare);
    const blue: Blue = {
      number,
      serial: `S${this.digits(19)}`,
      tax,
      buyer: text(order["buyerName"]),
      cents: fault === "wrong-amount" ? cents + 1 : cents,
      invoiceNo: `26${String(this.now_ms()).slice(-8)}${this.digits(10)}`,
      at: Math.floor(this.now_ms() / 1000) * 1000,
      content,
      status: fault === "failed" || fault === "names-buyer" ? "22" : fault === "unsealed" ? "24" : "20",
      asked: fault === "slow" ? -3 : 0,
      failure:
        fault === "names-buyer"
          ? `购方税号 ${text(order["buyerTaxNum"])} 与名称 ${text(order["buyerName"])} 不符`
          : "电子税务局返回：商品信息有误",
      hiddenFor: fault === "hidden" || fault === "refused-late" ? 3 : 0,
      filesFrom: fault === "no-files" ? 4 : 0,
    };
    this.blues.set(number, blue);
    if (fault === "lost") return "silence";
    // A no, and it comes out all the same.
    if (fault === "refused-late") return said("E9808", "税局繁忙");
    if (fault === "duplicate") return said("E9106", "订单号已存在");
    return said("E0000", "成功", { invoiceSerialNum: blue.serial });
  }
  private query(given: Body, base: string): Answer {
    const numbers = (given["orderNos"] ?? []) as readonly unknown[];
    const found = numbers.flatMap((one) => {
      const blue = this.blues.get(text(one));
      if (!blue) return [];
      if (blue.hiddenFor > 0) {
        blue.hiddenFor -= 1;
        return [];
      }
      blue.asked += 1;
      if (blue.status === "20" && blue.asked > 1) blue.status = "2";
      const { number: orderNo, serial: serialNo, status, invoiceNo, cents, at } = blue;
      const formats = blue.asked < blue.filesFrom ? [] : ["pdf", "ofd", "xml"];
      const files = Object.fromEntries(formats.map((format) => [`${format}Url`, `${base}/nuonuo/files/${invoiceNo}.${format}`]));
      return [
        {
          serialNo,
          orderNo,
          status,
          statusMsg: status === "20" ? "开票中" : status === "2" ? "开票完成" : status === "24" ? "签章失败" : "开票失败",
          ...(status === "22" && { failCause: blue.failure }),
          ...(status === "2" && {
            allElectronicInvoiceNumber: invoiceNo,
            invoiceTime: at,
            orderAmount: (cents / 100).toFixed(2),
            ...files,
          }),
        },
      ];
    });
    return found.length === 0 ? said("E9500", "查询的发票不存在") : said("E0000", "成功", found);
  }
  private requestRed(tax: string, given: Body): Answer {
    if ((this.sessions.get(tax) ?? "1") !== "1") return said("E9900", "开票员未登录电子税务局，请扫码登录");
    const number = text(given["billId"]);
    if (this.reds.has(number)) return said("E9106", "确认单已存在");
    if (!/^(bs|pc)$/.test(text(given["blueInvoiceLine"])) || !/^[1-4]$/.test(text(given["redReason"])))
      return said("E9400", "蓝票种类或冲红原因不对");
    const blue = [...this.blues.values()].find(({ invoiceNo }) => invoiceNo === text(given["blueElecInvoiceNumber"]));
    if (!blue || blue.status !== "2") return said("E9501", "蓝票不存在");
    if ([...this.reds.values()].some((red) => red.blue === blue.number && !/0[56789]/.test(red.bill)))
      return said("E9502", "蓝票已有确认单");
    const fault = this.faultOf(number, ["red-waiting", "red-refused", "red-expired", "red-amount", "lost", "deaf"]);
    if (fault === "deaf") return "silence";
    // Who has entered the invoice in their books has to confirm.
    const bill =
      fault === "red-waiting" || blue.buyer.includes("入账")
        ? "02"
        : fault === "red-refused" || blue.buyer.includes("不认")
          ? "05"
          : fault === "red-expired"
            ? "07"
            : "01";
    this.reds.set(number, {
      number,
      blue: blue.number,
      cents: fault === "red-amount" ? blue.cents - 1_000 : blue.cents,
      bill,
      redNo: bill === "01" ? `26${String(this.now_ms()).slice(-8)}${this.digits(10)}` : "",
    });
    return fault === "lost" ? "silence" : said("E0000", "成功", { billId: number });
  }
  private queryRed(given: Body, base: string): Answer {
    const red = this.reds.get(text(given["billId"]));
    if (!red) return said("E0000", "成功", { total: 0, list: [] });
    const { number: billId, bill: billStatus, redNo, cents } = red;
    const tax_cents = Math.round((cents * 6) / 106);
    return said("E0000", "成功", {
      total: 1,
      list: [
        {
          billId,
          billStatus,
          billMessage: "",
          taxExcludedAmount: (-(cents - tax_cents) / 100).toFixed(2),
          taxAmount: (-tax_cents / 100).toFixed(2),
          ...(redNo !== "" && { redElecInvoiceNumber: redNo, pdfUrl: `${base}/nuonuo/files/${redNo}.pdf` }),
        },
      ],
    });
  }
  private moveRed(number: string, bill: string): boolean {
    const red = this.reds.get(number);
    if (!red || (red.bill !== "02" && red.bill !== "03")) return false;
    red.bill = bill;
    if (bill === "04") red.redNo = `26${String(this.now_ms()).slice(-8)}${this.digits(10)}`;
    return true;
  }
  /** The drawer at the bureau: how they stand, a code to scan, and the login that a scanned code begins. */
  private session(method: string, tax: string, queryType: string): Answer {
    const now = this.sessions.get(tax) ?? "1";
    if (method === "verifyComplete") {
      if (queryType === "0" && now === "scanned") this.signs(tax, "1");
      return queryType === "0" ? said("E0000", "请求成功") : said("E0000", "成功", { status: this.sessions.get(tax) === "1" ? "1" : "2" });
    }
    if (method === "getQrCode") {
      const kind = queryType === "0" || queryType === "1" ? "face" : "login";
      const at = `${kind} ${tax}`;
      if (queryType === "0" || queryType === "2")
        (this.take(["late-code"]) ? this.late : this.shown).set(at, `https://etax.example/${kind}?tax=${tax}&n=${++this.codes}`);
      const qrCode = this.shown.get(at);
      if (queryType === "1" || queryType === "3") {
        const late = this.late.get(at);
        if (late !== undefined) this.shown.set(at, late);
        this.late.delete(at);
      }
      return said(
        "E0000",
        "成功",
        queryType === "1" || queryType === "3" ? { status: "1", ...(qrCode !== undefined && { qrCode }) } : undefined,
      );
    }
    if (queryType === "2") return said("E0000", "成功", { certificationStatus: now === "2" || now === "scanned" ? "0" : "1" });
    if (queryType === "0" && now === "faced") this.signs(tax, "1");
    return said("E0000", "成功", { certificationStatus: now === "3" || now === "faced" ? "2" : "1" });
  }
  private service(method: string, tax: string, given: Body, base: string): Answer {
    if (method === "requestBillingNew") return this.issue(tax, given);
    if (method === "queryInvoiceResult") return this.query(given, base);
    if (method === "reInvoice") {
      const blue = this.blues.get(text(given["orderNo"]));
      if (blue?.status !== "24") return said("E9613", "没有可重试的发票");
      blue.status = "20";
      return said("E0000", "成功");
    }
    if (method === "saveInvoiceRedConfirm") return this.requestRed(tax, given);
    if (method === "queryInvoiceRedConfirm") return this.queryRed(given, base);
    if (method === "confirmInfoCancel")
      return this.moveRed(text(given["billId"]), "09") ? said("E0000", "成功") : said("E9503", "确认单不能撤销");
    if (method === "getCreditLine")
      return text(given["queryType"]) === "0"
        ? said("E0000", "成功")
        : said("E0000", "成功", { requestStatus: "1", availableCreditLine: ((this.quotas.get(tax) ?? 100_000_000_00) / 100).toFixed(2) });
    if (method === "getCertificationStatus" && this.take(["session-unsaid"])) return said("E9000", "方法不存在");
    if (method === "getCertificationStatus" || method === "getQrCode" || method === "verifyComplete")
      return this.session(method, tax, text(given["queryType"]));
    return said("E9000", "方法不存在");
  }
  private gateway(request: IncomingMessage, url: URL, body: string): Answer {
    this.calls += 1;
    const word = (name: string) => url.searchParams.get(name) ?? "";
    const [key, tax] = [word("appkey"), text(request.headers["usertax"])];
    const secret = this.secrets.get(key);
    if (secret === undefined) return said("070301", "appKey 不存在");
    const signed = `a=services&l=v1&p=open&k=${key}&i=${word("senid")}&n=${word("nonce")}&t=${word("timestamp")}&f=${body}`;
    const due = Buffer.from(createHmac("sha1", secret).update(signed).digest("base64"));
    const given = Buffer.from(text(request.headers["x-nuonuo-sign"]));
    if (due.length !== given.length || !timingSafeEqual(due, given)) return said("070302", "签名验证失败");
    if (text(request.headers["accesstoken"]).length < 4 || text(request.headers["accesstoken"]) === "token-expired")
      return said("070303", "accessToken 无效或已过期");
    return this.service(
      text(request.headers["method"]).replace("nuonuo.OpeMplatform.", ""),
      tax,
      JSON.parse(body) as Body,
      `http://${request.headers.host ?? ""}`,
    );
  }
  private signs(tax: string, session: string): void {
    this.sessions.set(tax, session as "1");
    // Signed in, a code is used up.
    if (session === "1") for (const kind of ["login", "face"]) this.shown.delete(`${kind} ${tax}`);
  }
  private control(body: string): Answer {
    const given = JSON.parse(body === "" ? "{}" : body) as Readonly<Record<string, string | number>>;
    if (given["fault"]) this.armed.push({ fault: given["fault"] as Fault, times: Number(given["times"] ?? 1) });
    if (given["reset"]) this.armed.splice(0);
    if (given["forget"]) {
      this.blues.clear();
      this.reds.clear();
    }
    if (given["tax"] && given["session"]) this.signs(text(given["tax"]), text(given["session"]));
    if (given["tax"] && given["quota"] !== undefined) this.quotas.set(text(given["tax"]), Number(given["quota"]));
    // The bureau puts right what it took back.
    const red = this.reds.get(text(given["red"]));
    if (red && given["cents"] !== undefined) red.cents = Number(given["cents"]);
    if (given["red"] && given["bill"] !== undefined) return json(200, { ok: this.moveRed(text(given["red"]), text(given["bill"])) });
    return json(200, {
      calls: this.calls,
      blues: [...this.blues.values()].map(({ content: _content, ...blue }) => blue),
      reds: [...this.reds.values()],
    });
  }
  answer(request: IncomingMessage, body: string): Answer | undefined {
    const url = new URL(request.url ?? "/", "http://simulator");
    if (!url.pathname.startsWith("/nuonuo")) return undefined;
    if (request.method === "GET" && url.pathname === "/nuonuo") return { status: 200, type: "text/html; charset=utf-8", text: PAGE };
    if (url.pathname === "/nuonuo/_control") return this.control(body);
    if (request.method === "POST" && url.pathname === "/nuonuo/open/v1/services") return this.gateway(request, url, body);
    const file = /^\/nuonuo\/files\/(\d{20})\.(pdf|ofd|xml)$/.exec(url.pathname);
    if (!file) return json(404, { message: "没有这个地址" });
    return fileOf(file[1]!, file[2] as "pdf");
  }
}
export function openNuonuo(now_ms: () => number): (request: IncomingMessage, body: string) => Answer | undefined {
  const platform = new Nuonuo(now_ms);
  return (request, body) => platform.answer(request, body);
}
function fileOf(no: string, format: "pdf" | "ofd" | "xml"): Answer {
  if (format === "xml")
    return { status: 200, type: "application/xml", text: `<?xml version="1.0" encoding="UTF-8"?><EInvoice><EIid>${no}</EIid></EInvoice>` };
  if (format === "ofd") return { status: 200, type: "application/octet-stream", text: `PK\u0003\u0004 ${no}` };
  const stream = `BT /F1 18 Tf 60 780 Td (E-INVOICE ${no}) Tj ET`;
  const parts = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj",
    `4 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`,
    "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj",
  ];
  return { status: 200, type: "application/pdf", text: `%PDF-1.4\n${parts.join("\n")}\ntrailer<</Root 1 0 R>>\n%%EOF\n` };
}
const PAGE = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>诺诺模拟器</title>
<style>body{font:16px/1.6 system-ui;margin:24px;max-width:800px}label{display:block;margin-top:12px}input,select{font:inherit;padding:6px}button{font:inherit;margin:12px 8px 0 0;padding:6px 16px}pre{white-space:pre-wrap}</style>
<h1>诺诺模拟器</h1><p>开票平台这一边：下一次出什么错，开票人登录没有，额度还有多少，对方确认红字没有。</p>
<form id="f"><label>下一次 <select name="fault"><option value="lost">开了，不应答</option><option value="deaf">没收到</option><option value="unsealed">签章失败</option><option value="duplicate">重复 E9106</option><option value="hidden">查不到 E9500 三次</option><option value="session">登录失效</option><option value="refused">拒绝</option><option value="failed">开票失败 22</option><option value="wrong-amount">金额不对</option><option value="no-files">先不给文件</option><option value="red-waiting">红字待购方确认</option><option value="red-refused">红字被否认</option><option value="red-expired">红字超 72 小时</option><option value="red-amount">红字金额不对</option></select></label><button>就这样出错</button></form>
<form id="s"><label>税号 <input name="tax" required></label><label>登录 <select name="session"><option value="1">已登录</option><option value="2">要扫码</option><option value="scanned">已扫码，等平台确认</option><option value="3">要人脸</option><option value="faced">已人脸，等平台去看</option></select></label><label>额度（分） <input name="quota" inputmode="numeric"></label><button>改</button></form>
<form id="r"><label>确认单号 <input name="red" required></label><label>结果 <select name="bill"><option value="04">确认</option><option value="05">否认</option><option value="07">超 72 小时</option><option value="08">购方撤销</option></select></label><button>回答</button></form><pre></pre>
<script>const send=async b=>{document.querySelector("pre").textContent=JSON.stringify(await(await fetch("/nuonuo/_control",{method:"POST",body:JSON.stringify(b)})).json(),null,1)};for(const f of document.forms)f.onsubmit=e=>{e.preventDefault();const b=Object.fromEntries(new FormData(f));if(!b.quota)delete b.quota;send(b)};send({})</script></html>`;
