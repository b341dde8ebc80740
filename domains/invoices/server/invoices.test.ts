import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { addDays, addMonths, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  cancelApplication,
  decideApplication,
  fetchFilesAgain,
  getApplication,
  getInvoice,
  listApplications,
  listInvoices,
  listReds,
  listTaxSubjects,
  refreshSession,
  retryInvoice,
  revealBuyer,
  setTaxRule,
  startRed,
  steerRed,
  takeIssued,
  takeRed,
  testTaxSubject,
  updateTaxSubject,
} from "../contract/index.ts";
import { live, failAtCalls } from "../../orders/server/testing/failpoints.ts";
import { ISSUE } from "./issue/invoice-calls.ts";
import { COMPANY, type InvoiceWorld, openInvoiceWorld, PERSON, SELLER } from "./testing/invoice-world.ts";

let world: InvoiceWorld;
/** What comes instead of an XML, one after another. */
const pages: string[] = [];
/** What happens once between the platform's answer about a quota and its hearing. */
let afterQuota: (() => Promise<void>) | undefined;
beforeAll(async () => {
  world = await openInvoiceWorld((opened) => ({
    ...opened,
    provider: failAtCalls({
      ...opened.provider,
      async quota(account) {
        const answer = await opened.provider.quota(account);
        const happens = afterQuota;
        afterQuota = undefined;
        await happens?.();
        return answer;
      },
    }),
    files: async (request) => {
      const answer = await opened.files(request);
      const page = request.url.endsWith(".xml") ? pages.shift() : undefined;
      return page === undefined ? answer : { ...answer, body: Buffer.from(page) };
    },
  }));
});
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const invoicesNow = () => world.call("mch01", listInvoices, {}).then(({ items }) => items);
const platform = () => world.control({});

describe("from the receipt to the file", () => {
  test("a person's order is applied for on the page, issued, fetched and offered there", async () => {
    const { token, orderNo } = await world.paid(10_600);
    expect(await world.page(token)).toMatchObject({
      cents: 10_600,
      closed: null,
      subjectName: "四川蜀味餐饮有限公司",
      lines: [{ name: "餐饮服务", cents: 10_600 }],
    });
    expect(await world.apply(token, 10_600)).toEqual({ status: 1 });
    await world.run(3);
    const [invoice] = await invoicesNow();
    expect(invoice).toMatchObject({ status: 2, totalCents: 10_600, taxCents: 600, title: "张**", kind: "pc" });
    expect(invoice!.invoiceNo).toMatch(/^\d{20}$/);
    expect((await platform()).blues).toEqual(
      [expect.objectContaining({ number: invoice!.number, invoiceNo: invoice!.invoiceNo, cents: 10_600 })].concat([]),
    );
    const page = await world.page(token);
    expect(page).toMatchObject({ cents: 0, application: { status: 2, invoices: [{ status: 2 }] } });
    expect(page.application!.invoices[0]!.files.map(({ format }) => format)).toEqual(["pdf", "ofd", "xml"]);
    const one = await world.call("mch01", getInvoice, { id: invoice!.id });
    expect(one.lines).toMatchObject([{ name: "餐饮服务", taxRate: 6_000, totalCents: 10_600, taxCents: 600, orderNo }]);
    expect(one.calls.map(({ operation }) => operation).toReversed()).toEqual(["quota", "issue", "query", "query"]);
    await expect(world.apply(token, 10_600)).rejects.toMatchObject({ status: 409 });
  });

  test("the page tells why the order came to its price", async () => {
    const { token } = await world.paid(10_000, { couponCents: 800 });
    expect(await world.page(token)).toMatchObject({ paidCents: 9_200, why: { steps: ["收银优惠：减 8.00，剩 92.00"], refused: [] } });
  });

  test("a company needs its tax number, right to the check digit, and the field says the fix", async () => {
    const { token } = await world.paid(5_000);
    await expect(world.apply(token, 5_000, { ...COMPANY, taxNo: "" })).rejects.toMatchObject({ fields: { taxNo: "企业抬头要填税号" } });
    await expect(world.apply(token, 5_000, { ...COMPANY, taxNo: "91510100MA62RTYU1C" })).rejects.toMatchObject({
      fields: { taxNo: "第 18 位应为 J，请核对税号" },
    });
    expect(await world.apply(token, 5_000, COMPANY)).toEqual({ status: 1 });
    await world.run(3);
    const { id, applicationId, title } = (await invoicesNow())[0]!;
    expect(title).toBe("成都****公司");
    expect(await world.call("mch01", revealBuyer, { id: applicationId })).toMatchObject({ title: COMPANY.title, taxNo: COMPANY.taxNo });
    const looks = await world.owner("select detail from audit_log where endpoint = '/api/invoices/applications/reveal'");
    expect(looks).toHaveLength(1);
    expect(JSON.stringify(await world.call("mch01", getInvoice, { id }))).not.toContain(COMPANY.taxNo);
    expect(JSON.stringify(await world.owner("select * from invoice_applications"))).not.toContain(COMPANY.taxNo);
  });

  test("专票 and what is over the limit wait for approval; a no is read on the page and the order is free again", async () => {
    const { token } = await world.paid(20_000);
    expect(await world.apply(token, 20_000, { ...COMPANY, kind: "bs" })).toEqual({ status: 0 });
    const { application } = await world.page(token);
    expect(application).toMatchObject({ status: 0, kind: "bs" });
    const [row] = await world.owner<{ id: string }>("select id from invoice_applications");
    await expect(world.call("mch01", decideApplication, { id: row!.id, approve: false })).rejects.toMatchObject({
      fields: { why: expect.any(String) },
    });
    await world.call("mch01", decideApplication, { id: row!.id, approve: false, why: "抬头和税号不符" });
    expect(await world.page(token)).toMatchObject({ cents: 20_000, application: { status: 3, why: "抬头和税号不符" } });
    expect(await world.apply(token, 20_000, { ...COMPANY, kind: "bs" })).toEqual({ status: 0 });
    const [again] = await world.owner<{ id: string }>("select id from invoice_applications where status = 0");
    await world.call("mch01", decideApplication, { id: again!.id, approve: true });
    await expect(world.call("mch01", decideApplication, { id: again!.id, approve: true })).rejects.toMatchObject({ status: 409 });
    await world.run(3);
    expect((await invoicesNow()).map(({ status, kind }) => [status, kind])).toEqual([[2, "bs"]]);
  });

  test("a file's address ends with the next day, and the page gives none half a year after the invoice", async () => {
    const { token } = await world.paid(10_600);
    await world.apply(token, 10_600);
    await world.run(3);
    const url = async () => (await world.page(token)).application!.invoices[0]!.files[0]?.url;
    const first = (await url())!;
    expect(await world.file(first)).toMatchObject({ contentType: "application/pdf" });
    world.services.clock.advance(86_400_000);
    expect(await world.file(first)).toMatchObject({ contentType: "application/pdf" });
    world.services.clock.advance(86_400_000);
    await expect(world.file(first)).rejects.toMatchObject({ status: 404 });
    expect(await world.file((await url())!)).toMatchObject({ contentType: "application/pdf" });
    world.services.clock.advance(190 * 86_400_000);
    expect((await world.page(token)).application).toMatchObject({ waits: "store-files", invoices: [{ files: [] }] });
  });
  test("the page says who is waited for, and nowhere does the buyer's tax number stand in what the platform answered", async () => {
    const { token } = await world.paid(10_600);
    await world.control({ fault: "names-buyer" });
    await world.apply(token, 10_600, COMPANY);
    expect((await world.page(token)).application).toMatchObject({ waits: "issue" });
    await world.run(2);
    expect((await world.page(token)).application).toMatchObject({ status: 1, waits: "store" });
    expect(await invoicesNow()).toMatchObject([{ status: 3, why: "购方税号 **** 与名称 **** 不符" }]);
    const said = await world.owner(
      "select message from invoice_calls union all select why from invoices union all select body from messages",
    );
    expect(JSON.stringify(said)).not.toMatch(/91510100MA62RTYU1J|成都测试科技/);
  });
  test("applications and invoices are found by the store of their orders", async () => {
    const [here, there] = [await world.paid(1_000), await world.paid(2_000, {}, 1)];
    for (const [order, cents] of [
      [here, 1_000],
      [there, 2_000],
    ] as const)
      await world.apply(order.token, cents);
    await world.run(3);
    const of = async (storeId: string) => {
      const [asked, made] = [
        await world.call("mch01", listApplications, { storeId }),
        await world.call("mch01", listInvoices, { storeId }),
      ];
      return [asked.items.map(({ totalCents }) => totalCents), made.items.map(({ totalCents }) => totalCents)];
    };
    const [first, second] = world.tree.merchants.mch01.stores;
    expect(await of(first!.id)).toEqual([[1_000], [1_000]]);
    expect(await of(second!.id)).toEqual([[2_000], [2_000]]);
  });
  test("ten orders of one subject are one application, each order once", async () => {
    const orders = [];
    for (let n = 0; n < 3; n++) orders.push(await world.paid(1_000 + n));
    const [first, ...others] = orders;
    expect(await world.apply(first!.token, 3_003, { others: others.map(({ token }) => token) })).toEqual({ status: 1 });
    await expect(world.apply(others[0]!.token, 1_001)).rejects.toMatchObject({ status: 409 });
    await world.run(3);
    expect(await invoicesNow()).toMatchObject([{ status: 2, totalCents: 3_003 }]);
    await expect(world.apply(first!.token, 1, { others: Array.from({ length: 10 }, () => first!.token) })).rejects.toMatchObject({
      status: 400,
    });
  });

  test("lines and money beyond the limits are further invoices of the same application", async () => {
    await world.owner("update tax_subjects set most_cents = 5000");
    const { token } = await world.paid(10_600);
    await world.apply(token, 10_600);
    await world.run(3);
    expect((await invoicesNow()).map(({ totalCents, taxCents }) => totalCents - taxCents).toSorted((a, b) => a - b)).toEqual([
      5_000, 5_000,
    ]);
    expect(await world.status("invoice_applications")).toEqual([2]);
  });

  test("what is not paid with money, has no code, is too old or of no subject says why", async () => {
    const { token, id } = await world.paid(5_000);
    await world.owner("update tax_subjects set tax_code = null, tax_rate = null");
    expect(await world.page(token)).toMatchObject({
      cents: 0,
      closed: expect.stringContaining("税收分类编码"),
      without: [{ cents: 5_000, why: expect.stringContaining("不能开票") }],
    });
    await expect(world.apply(token, 5_000)).rejects.toMatchObject({ status: 409 });
    await world.owner("update tax_subjects set tax_code = '3070401000000000000', tax_rate = 6000");
    world.services.clock.advance(181 * 86_400_000);
    expect((await world.page(token)).closed).toBe("支付已超过 180 天，不能开票");
    await world.owner("update tax_subjects set state = 'paused'");
    expect((await world.page(token)).closed).toContain("还没有开通");
    await world.owner("update pay_orders set refunded_cents = 0 where id = $1", [id]);
    await expect(world.page("A".repeat(44))).rejects.toMatchObject({ status: 404 });
  });

  test("the last day to apply on is a day of Shanghai, the whole of it", async () => {
    // 00:30 in Shanghai, the day before in UTC.
    const at = Date.parse(dayStart(shanghaiDay(world.services.clock.now_ms() + 86_400_000))) + 30 * 60_000;
    world.services.clock.advance(at - world.services.clock.now_ms());
    const { token } = await world.paid(5_000);
    const paid = shanghaiDay(at);
    const last = addDays(paid, 180);
    expect(await world.page(token)).toMatchObject({ lastDay: last });
    world.services.clock.advance(Date.parse(dayStart(addDays(last, 1))) - 60_000 - world.services.clock.now_ms());
    expect(await world.page(token)).toMatchObject({ cents: 5_000, closed: null });
    world.services.clock.advance(60_000);
    expect(await world.page(token)).toMatchObject({ cents: 0, closed: "支付已超过 180 天，不能开票" });
  });

  test("code and rate come from the trade where the subject has none", async () => {
    await world.owner("update tax_subjects set tax_code = null, tax_rate = null");
    const [{ trade }] = (await world.owner<{ trade: string }>("select coalesce(trade, '餐饮') as trade from merchants where id = $1", [
      world.tree.merchants.mch01.id,
    ])) as [{ trade: string }];
    await world.owner("update merchants set trade = $1 where id = $2", [trade, world.tree.merchants.mch01.id]);
    await world.call("sp01", setTaxRule, { name: trade, taxCode: "3070401000000000000", taxRate: 6_000 });
    const { token } = await world.paid(5_000);
    expect(await world.page(token)).toMatchObject({ cents: 5_000, closed: null });
    await emptyTables(world.owner, "tax_rules");
    await world.owner("update tax_subjects set tax_code = '3070401000000000000', tax_rate = 6000");
  });
});

describe("one number, one invoice", () => {
  const applied = async (cents = 10_000) => {
    const order = await world.paid(cents);
    await world.apply(order.token, cents);
    return order;
  };
  test.each([
    ["lost", 3],
    ["duplicate", 3],
    ["hidden", 6],
    ["unsealed", 6],
    ["slow", 6],
  ])("%s: it is asked about, and there is one", async (fault, rounds) => {
    await world.control({ fault });
    const before = (await platform()).blues.length;
    await applied();
    await world.run(rounds);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
    expect((await platform()).blues.length - before).toBe(1);
  });
  test("never arrived: it goes out again under its number once ten minutes are over", async () => {
    await world.control({ fault: "deaf" });
    await applied();
    await world.run(5);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([1]);
    world.services.clock.advance(600_000);
    await world.run();
    await world.run();
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
    expect(
      new Set(
        (await world.owner<{ number: string }>("select number from invoice_calls where operation = 'issue'")).map(({ number }) => number),
      ).size,
    ).toBe(1);
  });
  test("a refusal is one where the platform does not know the number ten minutes later; 重试 goes under the same one", async () => {
    await world.control({ fault: "refused" });
    await applied();
    await world.run(1);
    expect(await invoicesNow()).toMatchObject([{ status: 1, why: expect.stringContaining("编码不可用") }]);
    world.services.clock.advance(600_000);
    await world.run(1);
    const [failed] = await invoicesNow();
    expect(failed).toMatchObject({ status: 3, why: expect.stringContaining("编码不可用") });
    await world.call("mch01", retryInvoice, { id: failed!.id });
    await world.run(3);
    expect(await invoicesNow()).toMatchObject([{ status: 2, number: failed!.number }]);
  });
  test("refused, and issued all the same: a part of it given back, there is one number and no second invoice", async () => {
    await world.control({ fault: "refused-late" });
    const before = (await platform()).blues.length;
    const { tillNo } = await applied();
    await world.run(1);
    await world.refund(tillNo, 4_000);
    await world.run();
    await world.run();
    const { blues, reds } = await platform();
    const ours = await invoicesNow();
    expect(ours.map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 6_000],
      [5, 10_000],
    ]);
    expect(
      blues
        .slice(before)
        .map(({ number }) => number)
        .toSorted(),
    ).toEqual(ours.map(({ number }) => number).toSorted());
    expect(reds.at(-1)!.blue).toBe(ours.find(({ status }) => status === 5)!.number);
  });
  test("a failure that is certain uses the number up; 重试 goes under a new one", async () => {
    await world.control({ fault: "failed" });
    await applied();
    await world.run(2);
    const [failed] = await invoicesNow();
    expect(failed).toMatchObject({ status: 3, why: "电子税务局返回：商品信息有误" });
    await world.call("mch01", retryInvoice, { id: failed!.id });
    await world.run(3);
    const [issued] = await invoicesNow();
    expect(issued!.status).toBe(2);
    expect(issued!.number).not.toBe(failed!.number);
  });
  test("another amount than ours is never taken: a person looks at it", async () => {
    await world.control({ fault: "wrong-amount" });
    await applied();
    await world.run(3);
    expect(await invoicesNow()).toMatchObject([{ status: 1, manual: true, why: expect.stringContaining("应为 100.00") }]);
  });
  test("what the platform issued with another sum counts on a person's word, is taken back at once, and issued anew as it should be", async () => {
    await world.control({ fault: "wrong-amount" });
    await applied();
    await world.run(3);
    const [odd] = await invoicesNow();
    const id = odd!.id;
    expect(await world.call("mch01", getInvoice, { id })).toMatchObject({ issuedCents: 10_001, takeWhy: null });
    await expect(world.call("mch01", takeIssued, { id, cents: 10_002 as never, reason: "已在平台核对" })).rejects.toMatchObject({
      status: 409,
    });
    await world.call("mch01", takeIssued, { id, cents: 10_001 as never, reason: "已在平台核对" });
    for (let round = 0; round < 3; round++) await world.run();
    expect(await world.call("mch01", getInvoice, { id })).toMatchObject({ status: 5, issuedCents: 10_001, takeWhy: "已在平台核对" });
    expect((await world.call("mch01", listReds, {})).items).toMatchObject([{ status: 3, totalCents: 10_001, reason: 1 }]);
    expect((await invoicesNow()).map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 10_000],
      [5, 10_000],
    ]);
    await expect(world.call("mch01", takeIssued, { id, cents: 10_001 as never, reason: "已在平台核对" })).rejects.toMatchObject({
      status: 409,
    });
  });
  test("files that the platform did not tell are asked for again by a person, and kept", async () => {
    await world.control({ fault: "no-files" });
    await applied();
    await world.run(3);
    const id = (await invoicesNow())[0]!.id;
    expect(await world.call("mch01", getInvoice, { id })).toMatchObject({ status: 2, files: [] });
    await expect(world.call("mch01", fetchFilesAgain, { id })).rejects.toMatchObject({ code: "invoice.no-files" });
    expect(await world.call("mch01", fetchFilesAgain, { id })).toEqual({ files: 3 });
    await world.run(1);
    expect((await world.call("mch01", getInvoice, { id })).files.map(({ url }) => url === null)).toEqual([false, false, false]);
  });
  test("a page that says something is wrong is no invoice: it is fetched again", async () => {
    pages.push(
      "<html><body>502 Bad Gateway</body></html>",
      '\uFEFF<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"><html/>',
      '{"code":"E9999"}',
    );
    await applied();
    await world.run(3);
    const xml = () =>
      world.owner<{ kept: boolean; why: string | null; tries: number }>(
        "select sha256 is not null as kept, why, tries from invoice_files where format = 'xml'",
      );
    const seen = new Set<string | null>();
    for (let round = 0; round < 6 && pages.length > 0; round++) {
      seen.add((await xml())[0]!.why);
      expect((await xml())[0]!.kept).toBe(false);
      world.services.clock.advance(3_601_000);
      await world.sweep("fetch-invoice-files");
    }
    expect([...seen]).toContain("内容不是 XML");
    world.services.clock.advance(3_601_000);
    await world.sweep("fetch-invoice-files");
    expect(await xml()).toEqual([{ kept: true, why: null, tries: 4 }]);
  });
  test("an XML that begins with comments is an invoice, whatever a later comment stands before", async () => {
    pages.push('<?xml version="1.0"?><!-- a --><Invoice><!-- b --><Title>餐饮</Title></Invoice>');
    await applied();
    await world.run(3);
    const kept = () => world.owner("select sha256 is not null as kept, why from invoice_files where format = 'xml'");
    expect(await kept()).toEqual([{ kept: true, why: null }]);
    // One that holds little else: looking at it takes no longer than its length.
    pages.push("<!---->".repeat(200));
    await world.owner("update invoice_files set sha256 = null, size_bytes = null, next_at = created_at where format = 'xml'");
    await world.sweep("fetch-invoice-files");
    expect(await kept()).toEqual([{ kept: true, why: null }]);
  });
  test("a file whose address lies outside of the platform's known hosts is not fetched, and that is said", async () => {
    let heard = 0;
    const elsewhere = createServer((_request, reply) => {
      heard++;
      reply.end("%PDF-1.7");
    }).listen(0, "127.0.0.1");
    await once(elsewhere, "listening");
    const { port } = elsewhere.address() as AddressInfo;
    const { token } = await world.paid(10_000);
    await world.apply(token, 10_000);
    await world.run(3);
    const id = (await invoicesNow())[0]!.id;
    const forget = (format: string, url: string) =>
      world.owner(
        "update invoice_files set sha256 = null, size_bytes = null, url = $2, tries = 0, next_at = created_at where format = $1",
        [format, url],
      );
    await forget("pdf", `http://127.0.0.1:${port}/1.pdf`);
    await forget("ofd", `http://169.254.169.254/latest/meta-data`);
    await forget("xml", "javascript:alert(1)");
    await world.sweep("fetch-invoice-files");
    expect(heard).toBe(0);
    const { files } = await world.call("mch01", getInvoice, { id });
    expect(files.map(({ format, url, why }) => [format, url, why])).toEqual([
      ["pdf", null, `平台给的文件地址在「127.0.0.1:${port}」，不是平台已知的网址，为安全没有取。请在平台上下载`],
      ["ofd", null, "平台给的文件地址在「169.254.169.254」，不是平台已知的网址，为安全没有取。请在平台上下载"],
      ["xml", null, "平台给的文件地址不是网址，没有取。请在平台上下载"],
    ]);
    // It is not tried again, and the customer is sent to the store instead of being given the address.
    expect(await world.owner("select 1 from invoice_files where next_at is not null")).toEqual([]);
    expect((await world.page(token)).application).toMatchObject({ waits: "store-files", invoices: [{ files: [] }] });
    elsewhere.close();
  });
  test("a day without an answer is for a person, who asks again", async () => {
    await world.control({ fault: "slow" });
    await world.owner("update tax_subjects set quota_at = now() + interval '10 years'");
    const { token } = await world.paid(10_000);
    await world.apply(token, 10_000);
    await world.sweep("issue-invoices");
    await world.owner("update invoices set asked = 29");
    world.services.clock.advance(10_000);
    await world.sweep("issue-invoices");
    world.services.clock.advance(4_000_000);
    await world.sweep("issue-invoices");
    const [waiting] = await invoicesNow();
    expect(waiting).toMatchObject({ status: 1, manual: true });
    await world.call("mch01", retryInvoice, { id: waiting!.id });
    await world.run();
    expect((await invoicesNow())[0]).toMatchObject({ status: 2, manual: false });
  });
  test("the drawer is signed out: the queue rests with the code, nothing is burnt, and goes on when they are back", async () => {
    await world.control({ tax: SELLER, session: "2" });
    await applied();
    await applied(2_000);
    await world.run(2);
    expect((await invoicesNow()).every(({ status }) => status < 2)).toBe(true);
    const [subject] = (await world.call("mch01", listTaxSubjects, {})).items;
    expect(subject).toMatchObject({ session: "login", sessionQr: expect.stringContaining("https://etax.example/") });
    const issued = (await world.owner("select 1 from invoice_calls where operation = 'issue'")).length;
    await applied(3_000);
    await world.run(3);
    expect((await world.owner("select 1 from invoice_calls where operation = 'issue'")).length).toBe(issued);
    await world.control({ tax: SELLER, session: "1" });
    world.services.clock.advance(120_000);
    expect(await world.call("mch01", refreshSession, { id: world.subject })).toEqual({ session: "ok", qr: null });
    await world.run(4);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2, 2, 2]);
  });
  test("the code is asked for once, the drawer each minute: scanned at night, the queue goes on by itself", async () => {
    await world.control({ tax: SELLER, session: "2" });
    await applied();
    await world.run(1);
    const code = async () => (await world.call("mch01", listTaxSubjects, {})).items[0]!.sessionQr;
    await world.sweep("ask-invoice-sessions");
    const first = await code();
    expect(first).toContain("https://etax.example/");
    for (let minute = 0; minute < 25; minute++) {
      world.services.clock.advance(60_000);
      await world.sweep("ask-invoice-sessions");
    }
    expect(await code()).toBe(first);
    const { qr } = await world.call("mch01", refreshSession, { id: world.subject });
    expect(qr).not.toBe(first);
    // Scanned, and nothing more: the platform logs in once it is told to.
    await world.control({ tax: SELLER, session: "scanned" });
    world.services.clock.advance(60_000);
    await world.run(3);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
  });
  test("a new code that comes late is shown a minute later, and never the one before it as new", async () => {
    await world.control({ tax: SELLER, session: "2" });
    await applied();
    await world.run(1);
    await world.sweep("ask-invoice-sessions");
    const code = async () => (await world.call("mch01", listTaxSubjects, {})).items[0]!.sessionQr;
    const first = await code();
    world.services.clock.advance(600_000);
    await world.control({ fault: "late-code" });
    expect(await world.call("mch01", refreshSession, { id: world.subject })).toEqual({ session: "login", qr: null });
    world.services.clock.advance(60_000);
    await world.sweep("ask-invoice-sessions");
    expect(await code()).toContain("https://etax.example/login");
    expect(await code()).not.toBe(first);
  });
  test("a login that wants a face gets the face's code, and a face is seen however late it is shown", async () => {
    await world.control({ tax: SELLER, session: "2" });
    await applied();
    await world.run(1);
    const minute = async () => {
      world.services.clock.advance(60_000);
      await world.sweep("ask-invoice-sessions");
      return (await world.call("mch01", listTaxSubjects, {})).items[0]!;
    };
    expect((await minute()).sessionQr).toContain("https://etax.example/login");
    await world.control({ tax: SELLER, session: "3" });
    expect(await minute()).toMatchObject({ session: "face", sessionQr: null });
    expect(await minute()).toMatchObject({ session: "face", sessionQr: expect.stringContaining("https://etax.example/face") });
    world.services.clock.advance(600_000);
    await minute();
    await world.control({ tax: SELLER, session: "faced" });
    await minute();
    expect(await minute()).toMatchObject({ session: "ok", sessionQr: null });
  });
  test("where the platform does not say how the drawer stands, what waits is tried each hour", async () => {
    await world.control({ tax: SELLER, session: "2" });
    await world.control({ fault: "session-unsaid", times: 9 });
    await world.owner("update tax_subjects set session_qr = 'used up'");
    await applied();
    await world.run(3);
    expect((await world.call("mch01", listTaxSubjects, {})).items[0]).toMatchObject({ session: "ok", sessionQr: null });
    const sent = async () => (await world.owner("select 1 from invoice_calls where operation = 'issue'")).length;
    expect(await sent()).toBe(1);
    await world.control({ tax: SELLER, session: "1" });
    world.services.clock.advance(3_600_000);
    await world.run(3);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
    expect(await sent()).toBe(2);
  });
  test("the quota is short: nothing is sent", async () => {
    await world.control({ tax: SELLER, quota: 5_000 });
    await applied();
    await world.run(2);
    expect(await invoicesNow()).toMatchObject([{ status: 0, why: expect.stringContaining("额度不足") }]);
    expect(await world.owner("select 1 from invoice_calls where operation = 'issue'")).toEqual([]);
    const [row] = await world.owner<{ id: string }>("select id from invoice_applications");
    await world.call("mch01", cancelApplication, { id: row!.id });
    expect(await world.status("invoices")).toEqual([7]);
    expect(await world.call("mch01", getApplication, { id: row!.id })).toMatchObject({ status: 4 });
  });
  test("the quota of the month before holds nothing back from the 1st at 00:00 on, nor lets anything out", async () => {
    const now_ms = world.services.clock.now_ms();
    const first_ms = Date.parse(dayStart(`${addMonths(shanghaiDay(now_ms), 1).slice(0, 7)}-01`));
    const at = (ms: number) => world.services.clock.set(new Date(ms).toISOString());
    at(first_ms - 5 * 60_000);
    await world.control({ tax: SELLER, quota: 5_000 });
    await applied();
    await world.sweep("issue-invoices");
    await world.sweep("issue-invoices");
    expect(await invoicesNow()).toMatchObject([{ status: 0, why: expect.stringContaining("额度不足") }]);
    await world.control({ tax: SELLER, quota: 20_000 });
    at(first_ms - 1);
    await world.sweep("issue-invoices");
    expect((await invoicesNow())[0]!.status).toBe(0);
    // At the very moment it is read anew, though it was read five minutes ago.
    at(first_ms);
    await world.run(3);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
    expect(await world.owner("select 1 from invoice_calls where operation = 'quota'")).toHaveLength(2);
  });
  test("a quota asked before the 1st at 00:00 and heard after it is the month's before: it is read anew at once", async () => {
    const first_ms = Date.parse(dayStart(`${addMonths(shanghaiDay(world.services.clock.now_ms()), 1).slice(0, 7)}-01`));
    world.services.clock.set(new Date(first_ms - 1_000).toISOString());
    await world.control({ tax: SELLER, quota: 5_000 });
    await applied();
    afterQuota = async () => {
      world.services.clock.set(new Date(first_ms + 1_000).toISOString());
      await world.control({ tax: SELLER, quota: 20_000 });
    };
    await world.run(3);
    expect((await invoicesNow()).map(({ status }) => status)).toEqual([2]);
    expect(await world.owner("select 1 from invoice_calls where operation = 'quota'")).toHaveLength(2);
  });
  test("the quota is enough for one of three at once: one goes out", async () => {
    const before = (await platform()).blues.length;
    await world.control({ tax: SELLER, quota: 10_000 });
    for (let n = 0; n < 3; n++) await applied();
    await world.run(3);
    expect((await invoicesNow()).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([0, 0, 2]);
    expect((await platform()).blues.length - before).toBe(1);
    expect(await world.owner("select 1 from invoice_calls where operation = 'issue'")).toHaveLength(1);
  });
  test("wherever the process ends, there is one invoice in the end", async () => {
    for (let at = 1; at < 40; at++) {
      await world.clean();
      const before = (await platform()).blues.length;
      await applied();
      const { crashed } = await live(at, () => world.sweep("issue-invoices"));
      for (let round = 0; round < 4; round++) await world.run();
      expect([at, (await invoicesNow()).map(({ status }) => status)]).toEqual([at, [2]]);
      expect((await platform()).blues.length - before).toBe(1);
      if (!crashed) return;
    }
    throw new Error("never lived to the end");
  }, 120_000);
  test("wherever the process ends in a red letter, one takes the invoice back", async () => {
    for (let at = 1; at < 40; at++) {
      await world.clean();
      await applied();
      await world.run(3);
      const { id, number } = (await invoicesNow())[0]!;
      const requestId = randomUUID();
      const act = () => world.call("mch01", startRed, { requestId, id, reason: 2 });
      const { crashed } = await live(at, async () => {
        await act();
        await world.sweep("chase-invoice-reds");
        world.services.clock.advance(5_000);
        await world.sweep("chase-invoice-reds");
      });
      await act().catch(() => undefined);
      for (let round = 0; round < 3; round++) await world.run();
      expect([at, (await invoicesNow()).map(({ status }) => status)]).toEqual([at, [5]]);
      const reds = (await platform()).reds.filter(({ blue, redNo }) => blue === number && redNo !== "");
      expect([at, reds.length, await world.status("invoice_reds")]).toEqual([at, 1, [3]]);
      if (!crashed) {
        expect(at).toBeGreaterThanOrEqual(8);
        return;
      }
    }
    throw new Error("never lived to the end");
  }, 120_000);
  test("several processes at once send it once", async () => {
    const before = (await platform()).calls;
    await applied();
    await Promise.all(Array.from({ length: 4 }, () => world.sweep("issue-invoices")));
    await world.run();
    expect((await platform()).blues.length).toBeGreaterThan(0);
    expect((await world.owner("select 1 from invoice_calls where operation = 'issue'")).length).toBe(1);
    expect((await platform()).calls - before).toBeLessThan(6);
  });
});

describe("测试 of a subject", () => {
  test("an order that can't exist proves application, token and signature; a wrong token does not", async () => {
    expect(await world.call("mch01", testTaxSubject, { id: world.subject })).toMatchObject({ ok: true });
    const [subject] = (await world.call("mch01", listTaxSubjects, {})).items;
    expect(subject!.testedAt).not.toBeNull();
    const { id, revision, name, drawer, taxpayer, taxCode, taxRate, goodsName, auto, special, autoLimitCents, applyDays, redFirst } =
      subject!;
    const facts = {
      id,
      revision,
      name,
      drawer,
      taxpayer,
      taxCode,
      taxRate,
      goodsName,
      auto,
      special,
      autoLimitCents,
      applyDays,
      redFirst,
      active: true,
    };
    await world.call("mch01", updateTaxSubject, { ...facts, token: "token-expired" });
    expect(await world.call("mch01", testTaxSubject, { id })).toMatchObject({ ok: false, said: expect.stringContaining("accessToken") });
    await expect(world.call("mch01", updateTaxSubject, { ...facts, token: "tok-123456" })).rejects.toMatchObject({ status: 409 });
    await world.call("mch01", updateTaxSubject, { ...facts, revision: revision + 1, token: "tok-123456" });
  });
});

describe("refunds and red letters", () => {
  const issued = async (cents: number, buyer: object = PERSON) => {
    const order = await world.paid(cents);
    await world.apply(order.token, cents, buyer);
    await world.run(3);
    return order;
  };
  test("before it is issued the application is lowered, or over", async () => {
    await world.owner("update tax_subjects set auto = false");
    const { token, tillNo } = await world.paid(10_000);
    expect(await world.apply(token, 10_000)).toEqual({ status: 0 });
    await world.refund(tillNo, 4_000);
    expect((await world.page(token)).application).toMatchObject({ status: 0, totalCents: 6_000 });
    await world.refund(tillNo, 6_000);
    expect((await world.page(token)).application).toMatchObject({ status: 4, why: "订单已退款" });
  });
  test("full: the person's invoice is taken back in red, and the order is free of it", async () => {
    const { token, tillNo } = await issued(10_000);
    await world.refund(tillNo, 10_000);
    await world.run(3);
    expect(await world.status("invoices")).toEqual([5]);
    expect((await world.call("mch01", listReds, {})).items).toMatchObject([{ status: 3, reason: 2, totalCents: 10_000, bureau: 1 }]);
    expect((await world.page(token)).application).toMatchObject({ status: 5 });
  });
  test("a part: the whole is taken back, and the rest is issued for the same buyer", async () => {
    const { token, tillNo } = await issued(10_000);
    await world.refund(tillNo, 3_000);
    await world.run();
    await world.run();
    expect((await invoicesNow()).map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 7_000],
      [5, 10_000],
    ]);
    expect((await world.page(token)).application).toMatchObject({ status: 2, totalCents: 7_000 });
  });
  /** A of 60.00 at 13 %, B of 40.00 at the subject's 6 %. */
  const sold = async () => {
    const tillNo = `L${world.services.ids.digits(8)}`;
    const lines = [
      { place: 1, name: "啤酒", units: 3, unitCents: 2_000 },
      { place: 2, name: "烤鱼", units: 1, unitCents: 4_000 },
    ];
    const store = world.tree.merchants.mch01.stores[0]!;
    const { quote } = await world.till(store, "quotePrice", { tillNo, lines });
    const order = { subject: "午餐", grossCents: 10_000 as never, lines, quote };
    await world.till(store, "createTillOrder", { tillNo, tradeType: "MICROPAY", authCode: "130000000000000009", ...order });
    await world.runJobs();
    const [{ id } = { id: "" }] = await world.owner<{ id: string }>("select id from pay_orders where till_no = $1", [tillNo]);
    await world.owner("update order_lines set tax_code = '1030307010000000000', tax_rate = 13000 where order_id = $1 and place = 1", [id]);
    return { id, tillNo, token: world.tokenOf(id) };
  };
  const living = async () => {
    const rows = await world.owner<{ name: string; units: number | null; total: number; rate: number; tax: number }>(
      `select l.name, l.units, l.total_cents::int as total, l.tax_rate as rate, i.tax_cents::int as tax from invoice_lines l join invoices i on i.id = l.invoice_id
        where i.status = 2 order by l.total_cents`,
    );
    return rows.map(({ name, units, total, rate, tax }) => [name, units, total, rate, tax]);
  };
  const giveBack = async (orderId: string, units: readonly { place: number; units: number }[]) => {
    const { refundNo } = await world.as("mch01", "refundOrder", {
      requestId: randomUUID(),
      orderId,
      units: units as never,
      reason: "退菜",
    });
    await world.runJobs();
    await world.settleRefund(refundNo);
  };
  test("goods that went back are on no invoice any more, and the tax is that of what stayed", async () => {
    const { id, token } = await sold();
    await world.apply(token, 10_000);
    await world.run(3);
    await giveBack(id, [{ place: 1, units: 2 }]);
    await world.run();
    await world.run();
    expect(await living()).toEqual([
      ["啤酒", 1, 2_000, 13_000, 456],
      ["烤鱼", 1, 4_000, 6_000, 456],
    ]);
    const other = await sold();
    await giveBack(other.id, [{ place: 1, units: 3 }]);
    expect((await world.page(other.token)).lines).toEqual([expect.objectContaining({ name: "烤鱼", cents: 4_000 })]);
  });
  test("goods without a code are on no invoice, and don't keep one for goods that went back", async () => {
    await world.owner("update tax_subjects set tax_code = null, tax_rate = null");
    const { id, token } = await sold();
    expect((await world.page(token)).lines).toEqual([expect.objectContaining({ name: "啤酒", cents: 6_000 })]);
    await world.apply(token, 6_000);
    await world.run(3);
    // What is left here is worth more than what stands on the invoice, and is of the other goods.
    await giveBack(id, [{ place: 1, units: 2 }]);
    await world.run();
    await world.run();
    expect(await living()).toEqual([["啤酒", 1, 2_000, 13_000, 230]]);
    await giveBack(id, [{ place: 1, units: 1 }]);
    await world.run();
    expect(await living()).toEqual([]);
    expect(await world.status("invoice_reds")).toEqual([3, 3]);
    expect(await world.status("invoice_applications")).toEqual([5]);
    // A code that is taken away takes nothing back by itself.
    await world.owner("update tax_subjects set tax_code = '3070401000000000000', tax_rate = 6000");
    const other = await sold();
    await world.apply(other.token, 10_000);
    await world.run(1);
    await world.owner("update tax_subjects set tax_code = null, tax_rate = null");
    await world.run(3);
    expect((await living()).map(([name]) => name)).toEqual(["烤鱼", "啤酒"]);
    await world.owner("update tax_subjects set tax_code = '3070401000000000000', tax_rate = 6000");
  });
  test("a 专用发票 whose goods became free of tax is not issued anew: it is said, and the order is free for a 普通发票", async () => {
    const { id, token } = await sold();
    await world.apply(token, 10_000, { ...COMPANY, kind: "bs" });
    const [{ id: application } = { id: "" }] = await world.owner<{ id: string }>("select id from invoice_applications");
    await world.call("mch01", decideApplication, { id: application, approve: true, why: "" });
    await world.run(3);
    await world.owner("update tax_subjects set tax_policy = 1, tax_rate = 0, red_first = 'never'");
    try {
      await giveBack(id, [{ place: 1, units: 1 }]);
      await world.run();
      expect(await world.status("invoices")).toEqual([5]);
      expect((await world.page(token)).application).toMatchObject({
        status: 5,
        why: expect.stringContaining("80.00 元没有重开：「烤鱼」免税，只能开普通发票"),
      });
      expect(await world.apply(token, 8_000, COMPANY)).toEqual({ status: 1 });
    } finally {
      await world.owner("update tax_subjects set tax_policy = 0, tax_rate = 6000");
    }
  });
  test("one of several invoices of an order, issued anew, holds what it held", async () => {
    await world.owner("update tax_subjects set most_lines = 1");
    const { token } = await sold();
    await world.apply(token, 10_000);
    await world.run(3);
    const beer = (await invoicesNow()).find(({ totalCents }) => totalCents === 6_000)!;
    await world.call("mch01", startRed, { requestId: randomUUID(), id: beer.id, reason: 1, renew: true });
    await world.run();
    await world.run();
    expect(await living()).toEqual([
      ["烤鱼", 1, 4_000, 6_000, 226],
      ["啤酒", 3, 6_000, 13_000, 690],
    ]);
  });
  test("the rest that fails can be cancelled, and is applied for anew", async () => {
    const { token, tillNo } = await issued(10_000);
    await world.refund(tillNo, 3_000);
    await world.run(1);
    await world.control({ fault: "failed" });
    await world.run();
    expect(new Set(await world.status("invoices"))).toEqual(new Set([3, 5]));
    const [row] = await world.owner<{ id: string }>("select id from invoice_applications");
    await world.call("mch01", cancelApplication, { id: row!.id });
    expect(await world.page(token)).toMatchObject({ cents: 7_000, application: { status: 4 } });
    await world.apply(token, 7_000);
    await world.run(3);
    expect(await world.status("invoice_applications")).toEqual([4, 2]);
  });
  test("while it is on its way, the result is waited for", async () => {
    await world.control({ fault: "slow" });
    const { token, tillNo } = await world.paid(10_000);
    await world.apply(token, 10_000);
    await world.run(1);
    expect(await world.status("invoices")).toEqual([1]);
    await world.refund(tillNo, 10_000);
    expect(await world.status("invoices")).toEqual([1]);
    for (let round = 0; round < 3; round++) await world.run();
    expect(await world.status("invoices")).toEqual([5]);
  });
  test.each(["failed", "deaf"])(
    "on its way when a part of the money went back, and then %s: it is made anew for the rest",
    async (fault) => {
      await world.control({ fault });
      const { token, tillNo } = await world.paid(10_000);
      await world.apply(token, 10_000);
      await world.sweep("issue-invoices");
      expect(await world.status("invoices")).toEqual([1]);
      await world.refund(tillNo, 3_000);
      expect(await world.status("invoices")).toEqual([1]);
      for (let round = 0; round < 3; round++) await world.run();
      expect((await invoicesNow()).map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
        [2, 7_000],
        [7, 10_000],
      ]);
    },
  );
  test("withdrawn after the money is out, somebody is told to ask for it anew", async () => {
    const { tillNo } = await issued(10_000, { ...PERSON, title: "已入账的人" });
    await world.refund(tillNo, 10_000);
    await world.run(1);
    await world.control({ red: (await platform()).reds.at(-1)!.number, bill: "08" });
    world.services.clock.advance(2_000_000);
    await world.run(1);
    const [invoice] = await invoicesNow();
    expect(invoice).toMatchObject({ status: 2 });
    expect(await world.owner("select distinct body from messages where body like '%请再红冲'")).toHaveLength(1);
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 2 });
    await world.run(1);
    await world.control({ red: (await platform()).reds.at(-1)!.number, bill: "04" });
    world.services.clock.advance(2_000_000);
    await world.run(1);
    expect(await world.status("invoices")).toEqual([5]);
  });
  test("the other side has to confirm: it waits, and both answers count", async () => {
    await issued(10_000, { ...COMPANY, title: "已入账的公司" });
    const [invoice] = await invoicesNow();
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await expect(world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 })).rejects.toMatchObject({
      status: 409,
    });
    await world.run(2);
    const [red] = (await world.call("mch01", listReds, {})).items;
    expect(red).toMatchObject({ status: 2, bureau: 2 });
    expect(Date.parse(red!.until!) - world.services.clock.now_ms()).toBeGreaterThan(71 * 3_600_000);
    await world.call("mch01", steerRed, { id: red!.id, act: "revoke" });
    await world.run(2);
    expect([await world.status("invoices"), await world.status("invoice_reds")]).toEqual([[2], [5]]);
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await world.run(1);
    const number = (await platform()).reds.at(-1)!.number;
    await world.control({ red: number, bill: "04" });
    world.services.clock.advance(2_000_000);
    await world.run();
    expect([await world.status("invoices"), await world.status("invoice_reds")]).toEqual([[5], [5, 3]]);
  });
  test.each([
    ["red-refused", "购方否认"],
    ["red-expired", "超 72 小时作废"],
  ])("%s: 红冲失败, and it can be asked for again", async (fault, why) => {
    await issued(10_000);
    await world.control({ fault });
    const [invoice] = await invoicesNow();
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await world.run(2);
    expect(await world.status("invoices")).toEqual([6]);
    expect((await world.call("mch01", listReds, {})).items).toMatchObject([{ status: 4, why }]);
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await world.run(3);
    expect(await world.status("invoices")).toEqual([5]);
  });
  test("a red letter of another sum is not taken as done: told with the difference, and done once the platform says ours", async () => {
    const { token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(3);
    await world.control({ fault: "red-amount" });
    const [invoice] = await invoicesNow();
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await world.run(2);
    const why = "平台红冲了 90.00 元，应为 100.00 元，差 10.00 元，请人工核对";
    const [red] = (await world.call("mch01", listReds, {})).items;
    expect(red).toMatchObject({ status: 1, manual: true, redNo: null, why });
    expect(await world.status("invoices")).toEqual([4]);
    expect(await world.owner("select distinct body from messages where body like '平台红冲了%'")).toEqual([{ body: why }]);
    await world.control({ red: (await platform()).reds.at(-1)!.number, cents: 10_000 });
    await world.call("mch01", steerRed, { id: red!.id, act: "ask" });
    await world.run(1);
    expect([await world.status("invoices"), await world.status("invoice_reds")]).toEqual([[5], [3]]);
  });
  test("a red letter of another sum counts on a person's word, over the sum that was seen; asked once more, it says the same", async () => {
    const { token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(3);
    await world.control({ fault: "red-amount" });
    const [invoice] = await invoicesNow();
    await world.call("mch01", startRed, { requestId: randomUUID(), id: invoice!.id, reason: 1 });
    await world.run(2);
    const redNow = async () => (await world.call("mch01", listReds, {})).items[0]!;
    const { id, saidCents } = await redNow();
    expect(saidCents).toBe(9_000);
    const take = (cents: number) => world.call("mch01", takeRed, { id, cents: cents as never, reason: "已在税局核对" });
    await expect(take(9_001)).rejects.toMatchObject({ status: 409 });
    await take(9_000);
    // The bureau says yet another sum: that one was never agreed to.
    const number = (await platform()).reds.at(-1)!.number;
    await world.control({ red: number, cents: 9_500 });
    await world.run(1);
    expect(await redNow()).toMatchObject({ status: 1, manual: true, saidCents: 9_500, takeWhy: null });
    await take(9_500);
    await world.run(1);
    expect(await redNow()).toMatchObject({ status: 3, saidCents: 9_500, takeWhy: "已在税局核对", why: null });
    expect(await world.status("invoices")).toEqual([5]);
    await expect(take(9_500)).rejects.toMatchObject({ status: 409 });
  });
  test("an order that cannot be settled comes again behind the others, and the check tells of it", async () => {
    const [one, two] = [await world.paid(10_000), await world.paid(5_000)];
    await world.apply(one.token, 15_000, { others: [two.token] });
    await world.run(3);
    await world.owner("alter table invoice_orders add constraint stuck check (settle_at is not null) not valid");
    await world.refund(one.tillNo, 2_000);
    const due = async () =>
      (await world.owner<{ at: string }>("select settle_at as at from invoice_orders where settle_at is not null"))[0]!;
    const first = Date.parse((await due()).at);
    for (let round = 0; round < 4; round++) {
      await world.sweep("settle-invoice-orders");
      world.services.clock.advance(61_000);
    }
    expect(Date.parse((await due()).at)).toBeGreaterThan(first + 180_000);
    expect(await world.breaches()).toMatchObject([{ rule: expect.stringContaining("8: no more stands") as string }]);
    await world.owner("alter table invoice_orders drop constraint stuck");
    await world.run(3);
    expect(await world.breaches()).toEqual([]);
  });
  test("a refund takes no other order of its application: who holds one waits for none, and the invoice follows at once", async () => {
    const [one, two] = [await world.paid(10_000), await world.paid(5_000)];
    const later = one.id > two.id ? one : two;
    const earlier = later === one ? two : one;
    await world.apply(one.token, 15_000, { others: [two.token] });
    expect(await world.status("invoices")).toEqual([0]);
    await withScope(world.services.pool, ISSUE, async (tx) => {
      await tx.selectFrom("pay_orders").select("id").where("id", "=", earlier.id).forNoKeyUpdate().execute();
      await world.refund(later.tillNo, 2_000);
    });
    expect(await world.owner("select refunded_cents::int as back from pay_orders where id = $1", [later.id])).toEqual([{ back: 2_000 }]);
    await world.run(3);
    expect((await invoicesNow()).map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 13_000],
      [7, 15_000],
    ]);
  });
});

describe("a red letter that does not come to an end", () => {
  const asked = async () => {
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, { ...COMPANY, title: "已入账的公司" });
    await world.run(3);
    const { refundId } = await world.as("mch01", "refundOrder", {
      requestId: randomUUID(),
      orderId: id,
      amountCents: 10_000,
      reason: "退菜",
    });
    return refundId;
  };
  const refundNow = async (id: string) =>
    (await world.owner<{ status: number; waits_for: string | null }>("select status, waits_for from refunds where id = $1", [id]))[0];
  const told = async () =>
    (await world.owner<{ body: string }>("select distinct body from messages where title like '%没有红冲成'")).map(({ body }) => body);
  test("the drawer is signed out: it waits for the code to be scanned, and the refund with it", async () => {
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(3);
    await world.control({ tax: SELLER, session: "2" });
    const { refundId } = await world.as("mch01", "refundOrder", {
      requestId: randomUUID(),
      orderId: id,
      amountCents: 10_000,
      reason: "退菜",
    });
    await world.run();
    expect([await world.status("invoices"), await world.status("invoice_reds")]).toEqual([[4], [1]]);
    expect(await refundNow(refundId)).toEqual({ status: 0, waits_for: "red" });
    const sent = (await world.owner("select 1 from invoice_calls where operation = 'red-request'")).length;
    expect(sent).toBe(1);
    await world.control({ tax: SELLER, session: "1" });
    world.services.clock.advance(120_000);
    await world.call("mch01", refreshSession, { id: world.subject });
    await world.run(2);
    expect(await world.status("invoices")).toEqual([5]);
    expect(await refundNow(refundId)).toEqual({ status: 1, waits_for: null });
    await world.runJobs();
  });
  test("nobody confirms, and the platform never says that the time is over: after 72 hours somebody decides; what comes later counts", async () => {
    const refundId = await asked();
    await world.run();
    expect(await refundNow(refundId)).toEqual({ status: 0, waits_for: "red" });
    world.services.clock.advance(74 * 3_600_000);
    await world.run(1);
    expect(await refundNow(refundId)).toEqual({ status: 0, waits_for: "red-failed" });
    expect(await told()).toContain("对方超过 72 小时没有确认");
    await world.control({ red: (await platform()).reds.at(-1)!.number, bill: "04" });
    world.services.clock.advance(2_000_000);
    await world.run(1);
    expect(await world.status("invoices")).toEqual([5]);
    expect(await refundNow(refundId)).toEqual({ status: 0, waits_for: null });
  });
  test("a day without an answer: somebody decides, and is told", async () => {
    const refundId = await asked();
    await world.control({ fault: "deaf" });
    await world.sweep("chase-invoice-reds");
    await world.owner("update invoice_reds set asked = 30");
    world.services.clock.advance(10_000);
    await world.sweep("chase-invoice-reds");
    expect(await world.owner("select manual from invoice_reds")).toEqual([{ manual: true }]);
    expect(await refundNow(refundId)).toEqual({ status: 0, waits_for: "red-failed" });
    expect(await told()).toContain("平台一天没有说红冲没有，请人工核对");
  });
});

describe("at the same moment", () => {
  test("two applications of an order: one", async () => {
    const { token } = await world.paid(10_000);
    const done = await Promise.allSettled(Array.from({ length: 12 }, () => world.apply(token, 10_000)));
    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await world.status("invoice_applications")).toHaveLength(1);
  });
  test("the same request twice is one application", async () => {
    const { token } = await world.paid(10_000);
    const requestId = randomUUID();
    const done = await Promise.all(Array.from({ length: 6 }, () => world.apply(token, 10_000, { requestId })));
    expect(done).toEqual(Array.from({ length: 6 }, () => ({ status: 1 })));
  });
  test("sending and a refund: nothing goes out for more than the order is worth, or the refund waits for the red letter", async () => {
    for (let round = 0; round < 6; round++) {
      const { id, token } = await world.paid(10_000);
      await world.apply(token, 10_000, COMPANY);
      const asked = { requestId: randomUUID(), orderId: id, amountCents: 4_000, reason: "退菜" };
      const [, { status }] = await Promise.all([world.sweep("issue-invoices"), world.as("mch01", "refundOrder", asked)]);
      const [invoice] = await world.owner<{ sent: boolean }>(
        "select i.sent_at is not null as sent from invoices i join invoice_lines l on l.invoice_id = i.id where l.order_id = $1",
        [id],
      );
      expect(status).toBe(invoice!.sent ? 0 : 1);
    }
    await world.runJobs();
    await world.run(3);
  });
  test("a request that came before with other content is refused, and makes nothing", async () => {
    const { token } = await world.paid(10_000);
    const other = await world.paid(2_000);
    const requestId = randomUUID();
    await world.apply(token, 10_000, { requestId });
    for (const [of, cents, more] of [
      [token, 10_000, { title: "李小红" }],
      [other.token, 2_000, {}],
    ] as const)
      await expect(world.apply(of, cents, { requestId, ...more })).rejects.toMatchObject({ status: 409, code: "invoice.other-request" });
    expect(await world.status("invoice_applications")).toHaveLength(1);
  });
  test("an application and a refund: whoever comes first, no more stands on invoices than the order is worth", async () => {
    for (let round = 0; round < 8; round++) {
      const { token, tillNo } = await world.paid(10_000);
      await Promise.allSettled([world.apply(token, 10_000), world.refund(tillNo, 10_000)]);
    }
    for (let round = 0; round < 4; round++) await world.run();
    const rows = await world.owner<{ alive_cents: number }>("select alive_cents from invoice_orders");
    expect(rows.every(({ alive_cents }) => alive_cents === 0)).toBe(true);
  });
});

describe("退款前须红冲", () => {
  const sold = async (buyer: object = COMPANY) => {
    const order = await world.paid(10_000);
    await world.apply(order.token, 10_000, buyer);
    await world.run(3);
    return order;
  };
  const ask = (orderId: string, amountCents: number) =>
    world.as("mch01", "refundOrder", { requestId: randomUUID(), orderId, amountCents, reason: "退菜" });
  const refund = async (id: string) =>
    (await world.owner<{ status: number; waits_for: string | null }>("select status, waits_for from refunds where id = $1", [id]))[0];

  test("a company's invoice is taken back first, then the refund goes out by itself, and the rest is issued again", async () => {
    const { id } = await sold();
    expect((await world.as("mch01", "previewRefund", { orderId: id, amountCents: 4_000 })).holds).toContain("先红冲再退款");
    const { refundId, refundNo, status } = await ask(id, 4_000);
    expect(status).toBe(0);
    await world.runJobs();
    expect(world.channel.refunds.size).toBe(0);
    await world.run(3);
    expect(await refund(refundId)).toEqual({ status: 1, waits_for: null });
    await world.runJobs();
    await world.settleRefund(refundNo);
    await world.run();
    expect(await refund(refundId)).toEqual({ status: 2, waits_for: null });
    expect((await invoicesNow()).map(({ status: at, totalCents }) => [at, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 6_000],
      [5, 10_000],
    ]);
  });
  test("no money leaves while the other side has not confirmed; refused, somebody else decides with a reason", async () => {
    const { id } = await sold({ ...COMPANY, title: "已入账的公司" });
    const { refundId } = await ask(id, 10_000);
    await world.run(3);
    expect(await refund(refundId)).toEqual({ status: 0, waits_for: "red" });
    await expect(
      world.as("sp01", "decideRefundRequest", { requestId: randomUUID(), id: refundId, decision: "approve" }),
    ).rejects.toMatchObject({
      status: expect.any(Number),
    });
    await world.control({ red: (await platform()).reds.at(-1)!.number, bill: "05" });
    world.services.clock.advance(2_000_000);
    await world.run(2);
    expect(await refund(refundId)).toEqual({ status: 0, waits_for: "red-failed" });
    expect(await world.status("invoices")).toEqual([6]);
    expect(world.channel.refunds.size).toBe(0);
  });
  test("a drawer who never scans holds no refund for good: after 72 hours somebody decides, and the red letter still goes out", async () => {
    const { id } = await sold();
    await world.control({ tax: SELLER, session: "2" });
    const { refundId } = await ask(id, 10_000);
    await world.run();
    expect(await refund(refundId)).toEqual({ status: 0, waits_for: "red" });
    world.services.clock.advance(72 * 3_600_000);
    await world.run(2);
    expect(await refund(refundId)).toEqual({ status: 0, waits_for: "red-failed" });
    await world.control({ tax: SELLER, session: "1" });
    for (let round = 0; round < 2; round++) await world.run();
    expect(await world.status("invoice_reds")).toEqual([3]);
  });
  test("at a month's end the merchant hears of what went back without its red letter, each morning once", async () => {
    const { tillNo } = await sold();
    await world.owner("update tax_subjects set red_first = 'never'");
    await world.refund(tillNo, 4_000);
    const told = () =>
      world.owner<{ title: string; body: string }>("select distinct title, body from messages where once like 'invoice-month-end%'");
    const morning = async (day: string) => {
      world.services.clock.advance(Date.parse(`${day}T09:00:00+08:00`) - world.services.clock.now_ms());
      for (let twice = 0; twice < 2; twice++) await world.sweep("tell-due-reds");
    };
    const [year, month] = shanghaiDay(world.services.clock.now_ms()).split("-").map(Number) as [number, number];
    const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const on = (day: number) => `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
    await morning(on(last - 3));
    expect(await told()).toEqual([]);
    await morning(on(last));
    expect(await told()).toMatchObject([
      { title: `1 单退了款，发票要在 ${month} 月底前红冲`, body: "还有 40.00 元在发票上，红字没有完成" },
    ]);
  });
  test("the order's money trace tells its invoices and what was taken back", async () => {
    const { id } = await sold();
    const traced = async () => (await world.as("mch01", "traceOrder", { id })).parts.find(({ station }) => station === "invoice");
    expect(await traced()).toMatchObject({ lines: [{ note: "成都****公司，已开票", amountCents: 10_000 }], sum: { amountCents: 10_000 } });
    const { refundNo } = await ask(id, 4_000);
    await world.run(3);
    await world.runJobs();
    await world.settleRefund(refundNo);
    await world.run();
    const part = await traced();
    expect(part!.lines.map(({ amountCents }) => amountCents)).toEqual([10_000, -10_000, 6_000]);
    expect(part!.sum).toEqual({ label: "发票上还有", amountCents: 6_000 });
    // Stores see no invoices, but hand their customers the way to one; a provider's page has none.
    const urls = await Promise.all((["mch01", "emp01", "sp01"] as const).map((login) => world.as(login, "getPayOrder", { id })));
    expect(urls.map(({ invoiceUrl }) => invoiceUrl?.split("/").at(-1))).toEqual([world.tokenOf(id), world.tokenOf(id), undefined]);
    expect((await world.as("emp01", "traceOrder", { id })).parts.some(({ station }) => station === "invoice")).toBe(false);
  });
  test("在开的 is waited for, then taken back first; what never comes out holds nothing up", async () => {
    await world.control({ fault: "slow" });
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(1);
    expect(await world.status("invoices")).toEqual([1]);
    expect((await world.as("mch01", "previewRefund", { orderId: id, amountCents: 4_000 })).holds).toContain("在开企业抬头的发票");
    const one = await ask(id, 4_000);
    expect(one.status).toBe(0);
    await world.runJobs();
    expect(world.channel.refunds.size).toBe(0);
    await world.run();
    expect(await refund(one.refundId)).toEqual({ status: 1, waits_for: null });
    await world.runJobs();
    await world.settleRefund(one.refundNo);
    await world.run(3);
    expect((await invoicesNow()).map(({ status, totalCents }) => [status, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [2, 6_000],
      [5, 10_000],
    ]);
    await world.control({ fault: "failed" });
    const other = await world.paid(10_000);
    await world.apply(other.token, 10_000, COMPANY);
    await world.sweep("issue-invoices");
    const two = await ask(other.id, 10_000);
    expect(two.status).toBe(0);
    await world.run(2);
    expect(await refund(two.refundId)).toEqual({ status: 1, waits_for: null });
    await world.runJobs();
    await world.settleRefund(two.refundNo);
    expect((await world.status("invoices")).at(-1)).toBe(7);
  });
  test("on its way when the refund is asked for, and then it never arrived: the refund goes on, and the rest is issued", async () => {
    await world.control({ fault: "deaf" });
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(1);
    const { refundId, refundNo, status } = await ask(id, 4_000);
    expect(status).toBe(0);
    await world.run();
    expect(await refund(refundId)).toEqual({ status: 1, waits_for: null });
    await world.runJobs();
    await world.settleRefund(refundNo);
    // It was asked for a while ago, so that the channel is asked less often.
    world.services.clock.advance(3_600_000);
    await world.sweep("query-refunds");
    await world.runJobs();
    await world.run(3);
    expect((await invoicesNow()).filter((one) => one.status === 2)).toMatchObject([{ totalCents: 6_000 }]);
  });
  test("what was not sent is not sent while a refund is on its way, and then for what is left", async () => {
    const before = (await platform()).blues.length;
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    const { status, refundNo } = await ask(id, 4_000);
    expect(status).toBe(1);
    await world.run(2);
    expect(await invoicesNow()).toMatchObject([{ status: 0, why: "订单在退款，等退款有结果再开" }]);
    expect((await platform()).blues.length).toBe(before);
    await world.runJobs();
    await world.settleRefund(refundNo);
    await world.run(3);
    expect((await platform()).blues.slice(before)).toMatchObject([{ cents: 6_000 }]);
  });
  test("waiting for the drawer a refund goes out, and what waited is made anew", async () => {
    await world.control({ tax: SELLER, session: "2" });
    const { id, token } = await world.paid(10_000);
    await world.apply(token, 10_000, COMPANY);
    await world.run(1);
    expect(await world.status("invoices")).toEqual([1]);
    const { status, refundNo } = await ask(id, 4_000);
    expect(status).toBe(1);
    await world.runJobs();
    await world.settleRefund(refundNo);
    expect((await invoicesNow()).map(({ status: at, totalCents }) => [at, totalCents]).toSorted(([a], [b]) => a! - b!)).toEqual([
      [0, 6_000],
      [7, 10_000],
    ]);
  });
  test("重新退款 and approving an older request don't go past the invoice", async () => {
    const { id, token } = await world.paid(10_000);
    const failed = await ask(id, 10_000);
    await world.runJobs();
    world.channel.decide(failed.refundNo, "closed");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    expect(await refund(failed.refundId)).toMatchObject({ status: 3 });
    await world.apply(token, 10_000, COMPANY);
    await world.run(3);
    await expect(world.as("mch01", "retryRefund", { requestId: randomUUID(), id: failed.refundId })).rejects.toMatchObject({
      status: 409,
      code: "refund.invoice-first",
    });
    await world.owner("update tax_subjects set red_first = 'never'");
    await world.owner("update merchants set refund_approval_above_cents = 100 where id = $1", [world.tree.merchants.mch01.id]);
    const asked = await world.as("emp01", "refundOrder", { requestId: randomUUID(), orderId: id, amountCents: 5_000, reason: "退菜" });
    expect(asked.status).toBe(0);
    await world.owner("update tax_subjects set red_first = 'organisation'");
    await expect(
      world.as("mch01", "decideRefundRequest", { requestId: randomUUID(), id: asked.refundId, decision: "approve" }),
    ).rejects.toMatchObject({ status: 409, code: "refund.invoice-first" });
    await world.owner("update merchants set refund_approval_above_cents = null where id = $1", [world.tree.merchants.mch01.id]);
  });
  test("a refund that leaves as much as stands on invoices waits for nothing", async () => {
    const { id, token } = await world.paid(10_000);
    const first = await ask(id, 4_000);
    await world.apply(token, 6_000, COMPANY);
    await world.run(3);
    await world.runJobs();
    world.channel.decide(first.refundNo, "closed");
    world.services.clock.advance(60_000);
    await world.sweep("query-refunds");
    expect((await world.as("mch01", "previewRefund", { orderId: id, amountCents: 4_000 })).holds).toBeNull();
    expect((await ask(id, 4_000)).status).toBe(1);
    expect((await ask(id, 1)).status).toBe(0);
    await world.runJobs();
    await world.run(3);
  });
  test("the drawer says of each invoice what becomes of it", async () => {
    const said = async (orderId: string, amountCents: number) => {
      const { holds, invoices } = await world.as("mch01", "previewRefund", { orderId, amountCents });
      return [holds !== null, invoices];
    };
    const person = await sold(PERSON);
    const after = "已开的 100.00 元在退款完成后整张红冲，退款不用等";
    expect(await said(person.id, 10_000)).toEqual([false, after]);
    expect(await said(person.id, 4_000)).toEqual([false, `${after}，剩下的重新开给同一抬头`]);
    expect(await said((await sold()).id, 4_000)).toEqual([true, null]);
    const running = await world.paid(10_000);
    await world.control({ fault: "slow" });
    await world.apply(running.token, 10_000, PERSON);
    // Applied for, and not sent yet; then on its way.
    expect(await said(running.id, 4_000)).toEqual([false, "还没开出的 100.00 元在退款完成后作废，剩下的重新开给同一抬头"]);
    await world.run(1);
    expect(await said(running.id, 10_000)).toEqual([false, "在开的 100.00 元等开出后整张红冲，退款不用等"]);
    const waiting = await world.paid(20_000);
    await world.apply(waiting.token, 20_000, { ...COMPANY, kind: "bs" });
    expect(await said(waiting.id, 4_000)).toEqual([false, "待审核的申请 200.00 元在退款完成后改为剩下的金额"]);
    expect(await said(waiting.id, 20_000)).toEqual([false, "待审核的申请 200.00 元在退款完成后撤销"]);
    // Nothing was applied for, or the invoice stands for what is left.
    expect(await said((await world.paid(5_000)).id, 5_000)).toEqual([false, null]);
    await ask(person.id, 4_000);
    await world.runJobs();
    expect(await said(person.id, 1_000)).toEqual([false, expect.stringContaining("红冲")]);
    await world.run();
  });
  test("从不 and a person's invoice hold nothing back; 总是 holds a person's too", async () => {
    const person = await sold(PERSON);
    expect((await ask(person.id, 1_000)).status).toBe(1);
    await world.owner("update tax_subjects set red_first = 'never'");
    expect((await ask((await sold()).id, 1_000)).status).toBe(1);
    await world.owner("update tax_subjects set red_first = 'always'");
    expect((await ask((await sold(PERSON)).id, 1_000)).status).toBe(0);
    await world.runJobs();
  });
});
