import { expect, test } from "vitest";
import type { OutboundAnswer, OutboundRequest } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { nuonuo, nuonuoSignature } from "./nuonuo.ts";
import { invoicesOf } from "./open-provider.ts";
import { type BlueOrder, QUOTA_SHORT, SAME_NUMBER, SEALED_ENOUGH, SESSION_LOST, UNKNOWN_NUMBER } from "./provider.ts";

// Bytes written by hand, from the public description (docs/invoices.md): what is sent to the letter, and what answers mean.
const ACCOUNT = { app_key: "SD12345678", app_secret: "secret", token: "token-1", tax_no: "91510100MA6CGHJK2C", extension: "888" };
function over(answer: object | string | Error, status = 200) {
  const sent: OutboundRequest[] = [];
  const provider = nuonuo({
    base_url: "https://sdk.nuonuo.com",
    now_ms: () => 1_764_126_000_500,
    senid: () => "0123456789abcdef0123456789abcdef",
    nonce: () => "12345678",
    transport: async (request): Promise<OutboundAnswer> => {
      sent.push(request);
      if (answer instanceof Error) throw answer;
      return { status, headers: {}, body: Buffer.from(typeof answer === "string" ? answer : JSON.stringify(answer)) };
    },
  });
  return { provider, sent };
}
const ORDER: BlueOrder = {
  number: "B2611251100000000001",
  kind: "bs",
  at: "2026-11-25 11:00:00",
  seller: {
    name: "四川蜀味餐饮有限公司",
    address: "春熙路 1 号",
    phone: "02886001234",
    bank: "工行春熙支行",
    bankAccount: "6222",
    extension: "0",
    drawer: "李娟",
  },
  buyer: {
    buyer: "organisation",
    title: "成都测试科技有限公司",
    taxNo: "91510100MA62RTYU1J",
    address: "",
    phone: "",
    bank: "",
    bankAccount: "",
    mail: "a@b.cn",
    mobile: "",
  },
  lines: [
    { name: "餐饮服务", tax_code: "3070401000000000000", tax_rate: 6_000, tax_policy: 0, units: 2, total_cents: 10_600, tax_cents: 600 },
    { name: "预付卡", tax_code: "6010000000000000000", tax_rate: 0, tax_policy: 2, units: null, total_cents: 333, tax_cents: 0 },
  ],
  remark: "订单 P1",
  callback_url: "https://zf.example/notify",
};

test("an invoice goes out signed over its very bytes", async () => {
  const { provider, sent } = over({ code: "E0000", describe: "ok", result: { invoiceSerialNum: "S1" } });
  expect(await provider.issue(ACCOUNT, ORDER)).toEqual({ kind: "ok", value: { serial: "S1" } });
  const [{ url, headers, body }] = sent as [OutboundRequest];
  expect(url).toBe(
    "https://sdk.nuonuo.com/open/v1/services?senid=0123456789abcdef0123456789abcdef&nonce=12345678&timestamp=1764126000&appkey=SD12345678",
  );
  expect(headers).toMatchObject({ accessToken: "token-1", userTax: "91510100MA6CGHJK2C", method: "nuonuo.OpeMplatform.requestBillingNew" });
  const signed = { app_key: "SD12345678", senid: "0123456789abcdef0123456789abcdef", nonce: "12345678", timestamp: "1764126000" };
  expect(headers["X-Nuonuo-Sign"]).toBe(nuonuoSignature("secret", { ...signed, body: String(body) }));
  expect(JSON.parse(String(body))).toEqual({
    order: {
      orderNo: "B2611251100000000001",
      invoiceDate: "2026-11-25 11:00:00",
      invoiceType: "1",
      invoiceLine: "bs",
      salerTaxNum: "91510100MA6CGHJK2C",
      salerTel: "02886001234",
      salerAddress: "春熙路 1 号",
      salerAccount: "工行春熙支行 6222",
      extensionNumber: "0",
      clerk: "李娟",
      buyerName: "成都测试科技有限公司",
      naturalPersonFlag: "0",
      buyerTaxNum: "91510100MA62RTYU1J",
      buyerAddress: "",
      buyerTel: "",
      buyerAccount: "",
      pushMode: "0",
      email: "a@b.cn",
      remark: "订单 P1",
      callBackUrl: "https://zf.example/notify",
      invoiceDetail: [
        {
          goodsName: "餐饮服务",
          goodsCode: "3070401000000000000",
          withTaxFlag: "1",
          num: "2",
          price: "53.00",
          taxRate: "0.06",
          taxIncludedAmount: "106.00",
          tax: "6.00",
          taxExcludedAmount: "100.00",
          invoiceLineProperty: "0",
          favouredPolicyFlag: "0",
        },
        {
          goodsName: "预付卡",
          goodsCode: "6010000000000000000",
          withTaxFlag: "1",
          taxRate: "0",
          taxIncludedAmount: "3.33",
          tax: "0.00",
          taxExcludedAmount: "3.33",
          invoiceLineProperty: "0",
          favouredPolicyFlag: "1",
          zeroRateFlag: "2",
          favouredPolicyName: "不征税",
        },
      ],
    },
  });
});
test.each([
  ["01", "2"],
  ["02", "1"],
  ["03", "3"],
  ["04", "4"],
] as const)(
  "unverified: N6, a red letter for the bureau's reason %s has 诺诺's %s, the whole blue one and its kind",
  async (reason, redReason) => {
    const { provider, sent } = over({ code: "E0000", describe: "", result: "R1" });
    const red = {
      number: "R1",
      kind: "bs",
      invoice_no: "26512000000000000001",
      seller_name: "四川蜀味餐饮有限公司",
      buyer_name: "成都测试科技有限公司",
    } as const;
    expect(await provider.requestRed(ACCOUNT, { ...red, reason, buyer_tax_no: "91510100MA62RTYU1J" })).toMatchObject({ kind: "ok" });
    expect(JSON.parse(String(sent[0]!.body))).toEqual({
      billId: "R1",
      blueInvoiceLine: "bs",
      applySource: "0",
      blueElecInvoiceNumber: "26512000000000000001",
      sellerTaxNo: "91510100MA6CGHJK2C",
      sellerName: "四川蜀味餐饮有限公司",
      buyerName: "成都测试科技有限公司",
      buyerTaxNo: "91510100MA62RTYU1J",
      redReason,
      autoInvoice: "1",
    });
  },
);
test("unverified: N1, the signature is base64 of HMAC-SHA1 over the call's words", () => {
  // openssl dgst -sha1 -hmac secret -binary | base64 of: a=services&l=v1&p=open&k=K&i=I&n=1&t=2&f={}
  expect(nuonuoSignature("secret", { app_key: "K", senid: "I", nonce: "1", timestamp: "2", body: "{}" })).toBe(
    "qCyA6GbpS0J89NB6poZP/85rkcw=",
  );
});

const row = { serialNo: "S1", orderNo: "B1", statusMsg: "", status: "2" };
const asked = (result: unknown, code = "E0000") => over({ code, describe: "说明", result }).provider.query(ACCOUNT, "B1");
test.each([
  ["20", { state: "issuing", serial: "S1" }],
  ["21", { state: "issuing", serial: "S1" }],
  ["24", { state: "unsealed", serial: "S1", why: "" }],
  ["22", { state: "failed", serial: "S1", why: "平台开票失败" }],
  ["3", { state: "failed", serial: "S1", why: "平台开票失败" }],
  ["31", { state: "issuing", serial: "S1" }],
])("unverified: N5, status %s", async (status, value) => expect(await asked([{ ...row, status }])).toEqual({ kind: "ok", value }));
test("unverified: N5, files stand under pdfUrl, ofdUrl and xmlUrl", async () => {
  const issued = { ...row, allElectronicInvoiceNumber: "26512000000000000001", invoiceTime: 1_764_126_000_000, orderAmount: "1.00" };
  const told = await asked([
    { ...issued, pdfUrl: "https://fp/1.pdf", ofdUrl: "https://fp/1.ofd", xmlUrl: "https://fp/1.xml", url: "https://fp/1" },
  ]);
  const files = ["pdf", "ofd", "xml"].map((format) => ({ format, url: `https://fp/1.${format}` }));
  expect(told).toMatchObject({ value: { files } });
});
test.each([
  ["E9500", UNKNOWN_NUMBER],
  ["E9106", SAME_NUMBER],
  ["E9613", SEALED_ENOUGH],
  ["E9900", SESSION_LOST],
  ["E9901", QUOTA_SHORT],
  // On no list: a no under the platform's own code.
  ["E9400", "E9400"],
])("unverified: N2, %s is %s", async (theirs, ours) =>
  expect(await over({ code: theirs, describe: "说明", result: null }).provider.issue(ACCOUNT, ORDER)).toEqual({
    kind: "refused",
    code: ours,
    message: "说明",
  }),
);
test.each(["S0001", "S0002", "E9999", "070002", "070101"])("unverified: N3, after %s nobody knows whether it was done", async (code) =>
  expect(await over({ code, describe: "忙", result: null }).provider.issue(ACCOUNT, ORDER)).toEqual({
    kind: "unknown",
    reason: `${code} 忙`,
  }),
);
test.each([
  ["", "", { pushMode: "-1" }],
  ["a@b.cn", "", { pushMode: "0", email: "a@b.cn" }],
  ["", "13800000000", { pushMode: "1", buyerPhone: "13800000000" }],
  ["a@b.cn", "13800000000", { pushMode: "2", email: "a@b.cn", buyerPhone: "13800000000" }],
])("unverified: N4, the platform sends to 「%s」 and 「%s」 by its pushMode", async (mail, mobile, asks) => {
  const { provider, sent } = over({ code: "E0000", describe: "", result: { invoiceSerialNum: "S1" } });
  await provider.issue(ACCOUNT, { ...ORDER, buyer: { ...ORDER.buyer, mail, mobile } });
  const { order } = JSON.parse(String(sent[0]!.body)) as { order: Record<string, unknown> };
  const { pushMode, email, buyerPhone } = order;
  expect({ pushMode, email, buyerPhone }).toEqual({ email: undefined, buyerPhone: undefined, ...asks });
});
test.each([
  [0, { favouredPolicyFlag: "0" }],
  [1, { favouredPolicyFlag: "1", zeroRateFlag: "1", favouredPolicyName: "免税" }],
  [2, { favouredPolicyFlag: "1", zeroRateFlag: "2", favouredPolicyName: "不征税" }],
  [3, { favouredPolicyFlag: "1", zeroRateFlag: "3", favouredPolicyName: "普通零税率" }],
] as const)("unverified: N4, 优惠政策 %s, and amounts as text in yuan", async (tax_policy, flags) => {
  const { provider, sent } = over({ code: "E0000", describe: "", result: { invoiceSerialNum: "S1" } });
  await provider.issue(ACCOUNT, { ...ORDER, lines: [{ ...ORDER.lines[1]!, total_cents: 5, tax_policy }] });
  const { order } = JSON.parse(String(sent[0]!.body)) as { order: { invoiceDetail: unknown } };
  expect(order.invoiceDetail).toMatchObject([{ ...flags, taxIncludedAmount: "0.05", tax: "0.00" }]);
});
test("issued: number, moment, amount and files", async () => {
  const issued = {
    ...row,
    allElectronicInvoiceNumber: "26512000000000000001",
    invoiceTime: 1_764_126_000_000,
    orderAmount: "109.33",
    pdfUrl: "https://fp/1.pdf",
  };
  expect(await asked([issued])).toEqual({
    kind: "ok",
    value: {
      state: "issued",
      serial: "S1",
      invoice_no: "26512000000000000001",
      issued_at: "2025-11-26T03:00:00.000Z",
      total_cents: 10_933,
      files: [{ format: "pdf", url: "https://fp/1.pdf" }],
    },
  });
  // Issued without a number is not understood, and so not known.
  expect(await asked([{ ...issued, allElectronicInvoiceNumber: "" }])).toMatchObject({ kind: "unknown" });
});
test("what is no answer is unknown, and codes of theirs are ours", async () => {
  expect(await asked([], "E0000")).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
  expect(await asked(null, "E9500")).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
  expect(await asked(null, "E9106")).toMatchObject({ kind: "refused", code: "DUPLICATE" });
  expect(await asked(null, "E9613")).toMatchObject({ kind: "refused", code: "SEAL_LIMIT" });
  expect(await asked(null, "S0001")).toMatchObject({ kind: "unknown" });
  expect(await asked([{ ...row, orderNo: "B2" }])).toMatchObject({ kind: "unknown" });
  expect(await over(new Error("ECONNRESET")).provider.query(ACCOUNT, "B1")).toMatchObject({ kind: "unknown" });
  expect(await over("<html>", 502).provider.query(ACCOUNT, "B1")).toMatchObject({ kind: "unknown" });
  expect(await over("[1]").provider.query(ACCOUNT, "B1")).toMatchObject({ kind: "unknown" });
});
test("what no database or clock can take is unknown or cleaned, and never thrown", async () => {
  const issued = { ...row, invoiceNo: "26512000000000000001", invoiceTime: 1_764_126_000_000, orderAmount: "109.33" };
  expect(await asked([{ ...issued, allElectronicInvoiceNumber: "" }])).toMatchObject({ value: { invoice_no: "26512000000000000001" } });
  expect(await asked([{ ...issued, invoiceTime: 1e20 }])).toMatchObject({ kind: "unknown" });
  expect(await asked([{ ...issued, pdfUrl: `https://fp/${"1".repeat(2_000)}` }])).toMatchObject({ value: { files: [] } });
  expect(await asked([{ ...row, status: "22", serialNo: `S\u0000${"1".repeat(5_000)}`, failCause: "税号\u0000有误" }])).toMatchObject({
    value: { serial: `S ${"1".repeat(98)}`, why: "税号 有误" },
  });
  expect(await over({ code: "E1", describe: "忙\u0000碌", result: null }).provider.query(ACCOUNT, "B1")).toEqual({
    kind: "refused",
    code: "E1",
    message: "忙 碌",
  });
});
test("unverified: N7, a red form counts by its state and its red number", async () => {
  const ask = (list: object[]) =>
    over({ code: "E0000", describe: "", result: { total: list.length, list } }).provider.queryRed(ACCOUNT, "R1");
  expect(await ask([{ billId: "R1", billStatus: "01", redElecInvoiceNumber: "26512000000000000002" }])).toMatchObject({
    value: { bureau: "01", red_no: "26512000000000000002" },
  });
  expect(await ask([{ billId: "R1", billStatus: "02" }])).toMatchObject({ value: { bureau: "02", red_no: undefined } });
  expect(await ask([])).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
});
test("unverified: N8, what a red letter takes back stands in taxExcludedAmount and taxAmount, with a sign or without, as text or as numbers", async () => {
  const said = async (more: object) => {
    const list = [{ billId: "R1", billStatus: "01", redElecInvoiceNumber: "26512000000000000002", ...more }];
    const asked = await over({ code: "E0000", describe: "", result: { total: 1, list } }).provider.queryRed(ACCOUNT, "R1");
    return asked.kind === "ok" && asked.value.total_cents;
  };
  expect(await said({ taxExcludedAmount: "-94.34", taxAmount: "-5.66" })).toBe(10_000);
  expect(await said({ taxExcludedAmount: "94.34", taxAmount: "5.66" })).toBe(10_000);
  expect(await said({ taxExcludedAmount: -94.34, taxAmount: -5.66 })).toBe(10_000);
  expect(await said({ taxExcludedAmount: 100, taxAmount: 0 })).toBe(10_000);
  // What is named and not understood is no sum; what is not named leaves it to the red number.
  expect(await said({ taxExcludedAmount: "94.34" })).toBeUndefined();
  expect(await said({ taxExcludedAmount: "九十四", taxAmount: "5.66" })).toBeUndefined();
  expect(await said({})).toBeNull();
  expect(await said({ taxExcludedAmount: null, taxAmount: "" })).toBeNull();
});
test("unverified: N10, a callback is a number to ask about, or nothing", () => {
  const { provider } = over({});
  expect(provider.readNotice(Buffer.from("operater=callback&orderno=B2611251100000000001&content=%7B%7D"))).toEqual([
    "B2611251100000000001",
  ]);
  expect(provider.readNotice(Buffer.from('{"orderno":"B2611251100000000001"}'))).toEqual(["B2611251100000000001"]);
  for (const raw of ["", "{", "orderno=", "orderno=%27%20or%201", '{"orderno":1}', '[["x"]]'])
    expect(provider.readNotice(Buffer.from(raw))).toEqual([]);
});

const said = (result: unknown, code = "E0000") => over({ code, describe: "说明", result });
const bodyOf = ({ body }: OutboundRequest): unknown => JSON.parse(String(body));
const methodOf = ({ headers }: OutboundRequest): unknown => headers["method"];
test("签章失败 is signed again by reInvoice: its serial and our number, and a limit that is told", async () => {
  const { provider, sent } = said("成功");
  expect(await provider.retrySeal(ACCOUNT, { number: "B1", serial: "S1" })).toEqual({ kind: "ok", value: null });
  expect([methodOf(sent[0]!), bodyOf(sent[0]!)]).toEqual(["nuonuo.OpeMplatform.reInvoice", { fpqqlsh: "S1", orderNo: "B1" }]);
  expect(await said(null, "E9613").provider.retrySeal(ACCOUNT, { number: "B1", serial: "S1" })).toMatchObject({ code: "SEAL_LIMIT" });
  expect(await over("", 504).provider.retrySeal(ACCOUNT, { number: "B1", serial: "S1" })).toMatchObject({ kind: "unknown" });
});
test("unverified: N9, what is left of the quota stands in availableCreditLine, in yuan", async () => {
  const { provider, sent } = said({ requestStatus: "1", availableCreditLine: "123456.70" });
  expect(await provider.quota(ACCOUNT)).toEqual({ kind: "ok", value: { left_cents: 12_345_670 } });
  expect(sent.map((one) => [methodOf(one), bodyOf(one)])).toEqual([
    ["nuonuo.OpeMplatform.getCreditLine", { extensionNumber: "888", queryType: "1" }],
  ]);
  expect(await said({ availableCreditLine: 8 }).provider.quota(ACCOUNT)).toEqual({ kind: "ok", value: { left_cents: 800 } });
  for (const odd of [{ availableCreditLine: "很多" }, [], "8"])
    expect(await said(odd).provider.quota(ACCOUNT)).toMatchObject({ kind: "unknown" });
  expect(await said(null, "E9901").provider.quota(ACCOUNT)).toMatchObject({ kind: "refused", code: "QUOTA_SHORT" });
  // It knows of none yet: told to ask the bureau, and asked again later.
  for (const none of [{}, { requestStatus: "0", availableCreditLine: null }, null]) {
    const asked = said(none);
    expect(await asked.provider.quota(ACCOUNT)).toMatchObject({ kind: "unknown" });
    expect(asked.sent.map((one) => (bodyOf(one) as { queryType: string }).queryType)).toEqual(["1", "0"]);
  }
});
/** Answers one after another, as they came over the wire. */
function inTurn(...answers: readonly string[]) {
  const sent: OutboundRequest[] = [];
  const left = [...answers];
  const provider = nuonuo({
    base_url: "https://sdk.nuonuo.com",
    now_ms: () => 1_764_126_000_500,
    senid: () => "0123456789abcdef0123456789abcdef",
    nonce: () => "12345678",
    transport: async (request): Promise<OutboundAnswer> => {
      sent.push(request);
      return { status: 200, headers: {}, body: Buffer.from(left.shift() ?? "") };
    },
  });
  return { provider, sent };
}
const STANDS = (status: string) => `{"code":"E0000","describe":"成功","result":{"certificationStatus":${status}}}`;
const QR = '{"code":"E0000","describe":"成功","result":{"status":"1","qrCode":"https://etax.example/q/1"}}';
const [NO_QR, OK] = ['{"code":"E0000","result":{"status":"0","message":"获取二维码中"}}', '{"code":"E0000","describe":"请求成功"}'];
const VERIFIED = (status: string) => `{"code":"E0000","result":{"status":"${status}"}}`;
const [STATUS, CODE, VERIFY] = ["getCertificationStatus", "getQrCode", "verifyComplete"];
const NONE = { code: null, old: null, scanned: false, face: false };
const askedOf = (sent: readonly OutboundRequest[]) =>
  sent.map((one) => [String(methodOf(one)).replace("nuonuo.OpeMplatform.", ""), (bodyOf(one) as { queryType: string }).queryType]);
test("unverified: N9, a drawer who is signed out is shown the code that is there, or a new one", async () => {
  const shown = { kind: "ok", value: { state: "login", qr: "https://etax.example/q/1" } };
  const there = inTurn(STANDS('"0"'), QR);
  expect(await there.provider.session(ACCOUNT, { ...NONE, code: "known" })).toEqual(shown);
  expect(bodyOf(there.sent[0]!)).toEqual({ extensionNumber: "888", queryType: "2" });
  expect(askedOf(there.sent)).toEqual([
    [STATUS, "2"],
    [CODE, "3"],
  ]);
  const none = inTurn(STANDS("0"), NO_QR, OK, QR);
  expect(await none.provider.session(ACCOUNT, { ...NONE, code: "known" })).toEqual(shown);
  expect(askedOf(none.sent).slice(1)).toEqual([
    [CODE, "3"],
    [CODE, "2"],
    [CODE, "3"],
  ]);
  const anew = inTurn(STANDS("0"), OK, QR);
  expect(await anew.provider.session(ACCOUNT, { ...NONE, code: "new" })).toEqual(shown);
  expect(askedOf(anew.sent).slice(1)).toEqual([
    [CODE, "2"],
    [CODE, "3"],
  ]);
  // Still the one that was to be replaced: the bureau takes some seconds.
  expect(await inTurn(STANDS("0"), OK, QR).provider.session(ACCOUNT, { ...NONE, code: "new", old: "https://etax.example/q/1" })).toEqual({
    kind: "ok",
    value: { state: "login", qr: null },
  });
  // No code that nobody wants, and none that could not be had.
  const unwanted = inTurn(STANDS("0"));
  expect([await unwanted.provider.session(ACCOUNT, NONE), unwanted.sent.length]).toEqual([
    { kind: "ok", value: { state: "login", qr: null } },
    1,
  ]);
  for (const bad of ['{"code":"E9000","describe":"忙"}', NO_QR, "<html>"])
    expect(await inTurn(STANDS("0"), bad, bad, bad).provider.session(ACCOUNT, { ...NONE, code: "known" })).toEqual({
      kind: "ok",
      value: { state: "login", qr: null },
    });
});
test("unverified: N9, what was scanned is completed by verifyComplete, and what was not stays out", async () => {
  const scanned = { ...NONE, scanned: true };
  const done = inTurn(STANDS("0"), OK, VERIFIED("1"), OK, STANDS("1"));
  expect(await done.provider.session(ACCOUNT, scanned)).toEqual({ kind: "ok", value: { state: "ok" } });
  expect(askedOf(done.sent)).toEqual([
    [STATUS, "2"],
    [VERIFY, "0"],
    [VERIFY, "1"],
    [STATUS, "0"],
    [STATUS, "1"],
  ]);
  for (const answers of [[OK, VERIFIED("0")], [OK, VERIFIED("2")], [OK, "<html>"], ['{"code":"E9999","describe":"系统繁忙"}']])
    expect(await inTurn(STANDS("0"), ...answers).provider.session(ACCOUNT, scanned)).toEqual({
      kind: "ok",
      value: { state: "login", qr: null },
    });
});
test("unverified: N9, signed in a drawer may have to show a face; what else is said leaves it unknown", async () => {
  const face = inTurn(STANDS("1"), STANDS("2"), QR);
  expect(await face.provider.session(ACCOUNT, { ...NONE, code: "known" })).toEqual({
    kind: "ok",
    value: { state: "face", qr: "https://etax.example/q/1" },
  });
  expect(askedOf(face.sent)).toEqual([
    [STATUS, "2"],
    [STATUS, "1"],
    [CODE, "1"],
  ]);
  // One that was wanted before is looked at anew, for the next question to find it.
  for (const scanned of [true, false]) {
    const later = inTurn(STANDS("1"), STANDS("2"), OK);
    expect(await later.provider.session(ACCOUNT, { ...NONE, scanned, face: true })).toEqual({
      kind: "ok",
      value: { state: "face", qr: null },
    });
    expect(askedOf(later.sent)).toEqual([
      [STATUS, "2"],
      [STATUS, "1"],
      [STATUS, "0"],
    ]);
  }
  // Not known, seen, on its way, not told at all: issuing will tell.
  for (const seen of [STANDS("0"), STANDS('"1"'), STANDS("3"), '{"code":"E9000","describe":"方法不存在"}'])
    expect(await inTurn(STANDS("1"), seen).provider.session(ACCOUNT, NONE)).toEqual({ kind: "ok", value: { state: "ok" } });
  for (const odd of [STANDS('"4"'), STANDS("null"), '{"code":"E0000","result":null}', ""])
    expect(await inTurn(odd).provider.session(ACCOUNT, NONE)).toMatchObject({ kind: "unknown" });
  expect(await inTurn('{"code":"E9000","describe":"方法不存在"}').provider.session(ACCOUNT, NONE)).toMatchObject({ kind: "refused" });
});
test("unverified: N12, files are fetched from these hosts alone", () => {
  const { fileHosts } = invoicesOf({ config: { demo: false } } as Services);
  expect(fileHosts).toEqual(["inv.jss.com.cn", "fp.nuonuo.com", "fpxz.nuonuo.com", "nnfp.jss.com.cn"]);
});
test("a red form is taken back by confirmInfoCancel, as its seller", async () => {
  const { provider, sent } = said(null);
  expect(await provider.revokeRed(ACCOUNT, "R1")).toEqual({ kind: "ok", value: null });
  expect([methodOf(sent[0]!), bodyOf(sent[0]!)]).toEqual(["nuonuo.OpeMplatform.confirmInfoCancel", { billId: "R1", identity: "0" }]);
  expect(await said(null, "E9503").provider.revokeRed(ACCOUNT, "R1")).toEqual({ kind: "refused", code: "E9503", message: "说明" });
  expect(await over(new Error("ECONNRESET")).provider.revokeRed(ACCOUNT, "R1")).toMatchObject({ kind: "unknown" });
});
