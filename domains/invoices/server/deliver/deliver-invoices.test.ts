import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { MailServer } from "@zhangfang/server/config.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailServer } from "../../../exports/server/testing/mail-server.ts";
import { giveSms, type SmsProvider } from "../../../members/server/index.ts";
import { getInvoice, listInvoices, resendInvoice, startRed, takeIssued } from "../../contract/index.ts";
import { COMPANY, type InvoiceWorld, openInvoiceWorld } from "../testing/invoice-world.ts";

const MAIL = "buyer.wang@example.com";
const PHONE = "13900001234";
type Sms = Parameters<SmsProvider["send"]>[0];
let world: InvoiceWorld;
let server: Awaited<ReturnType<typeof mailServer>>;
const config = () => world.services.config as { mail?: MailServer | undefined };
const serverAt = (port: number): MailServer => ({
  host: "127.0.0.1",
  port,
  secure: false,
  user: undefined,
  password: undefined,
  from: "zhangfang@example.cn",
});
/** A carrier of messages that keeps what it takes on, and may forget to answer. */
const carrier = { taken: new Map<string, Sms>(), silent: 0, asked: 0, refuses: "" };
/** Whether the platform gives no file. */
let noFiles = false;
const sms: SmsProvider = {
  async send(one) {
    if (carrier.taken.has(one.id)) throw new Error("sent twice");
    if (carrier.refuses) return { state: "refused", why: carrier.refuses };
    carrier.taken.set(one.id, one);
    if (carrier.silent-- > 0) throw new Error("no answer");
    return { state: "sent" };
  },
  async ask(id) {
    carrier.asked++;
    return { state: carrier.taken.has(id) ? "sent" : "none" };
  },
};
beforeAll(async () => {
  world = await openInvoiceWorld((opened) => ({
    ...opened,
    files: (request) => (noFiles ? Promise.reject(new Error("no file")) : opened.files(request)),
  }));
  giveSms(world.services, sms);
});
beforeEach(async () => {
  await world.clean();
  server = await mailServer();
  config().mail = serverAt(server.port);
  Object.assign(carrier, { taken: new Map(), silent: 0, asked: 0, refuses: "" });
  noFiles = false;
});
afterEach(async () => {
  config().mail = undefined;
  await server.close();
  expect(await world.breaches()).toEqual([]);
});
afterAll(() => world.close());

/** An issued invoice of a buyer who left these, its files fetched. */
async function issued(buyer: object = { mail: MAIL, mobile: PHONE }): Promise<{ id: string; token: string }> {
  const { token } = await world.paid(10_600);
  await world.apply(token, 10_600, { ...COMPANY, ...buyer });
  await world.run(3);
  const [invoice] = await invoices();
  expect(invoice!.status).toBe(2);
  return { id: invoice!.id, token };
}
const invoices = async () => (await world.call("mch01", listInvoices, {})).items;
const resend = (id: string) => world.call("mch01", resendInvoice, { id });
const deliver = () => world.sweep("deliver-invoices");
const one = (id: string) => world.call("mch01", getInvoice, { id });
const sent = async (id: string) => (await one(id)).deliveries.map(({ way, status, why, byName }) => ({ way, status, why, byName }));
const minutes = (count: number): void => world.services.clock.advance(count * 60_000);
const bodyOf = (text: string): string => {
  const [head = "", ...body] = text.split("\n\n");
  if (/encoding: base64/i.test(head)) return Buffer.from(body.join(""), "base64").toString("utf8");
  const plain = body.join("\n\n").replaceAll(/=\r?\n/g, "");
  return decodeURIComponent(plain.replaceAll("%", "%25").replaceAll(/=([0-9A-F]{2})/g, "%$1"));
};
const tokenIn = (text: string): string => /\/i\/([\w-]{44})/.exec(text)![1]!;

describe("an invoice that came out", () => {
  test("goes to its buyer once by mail and by SMS, as a link to its page and never as the file; the platform sends nothing", async () => {
    const { id } = await issued();
    await deliver();
    minutes(600);
    await deliver();
    expect(await sent(id)).toEqual([
      { way: "mail", status: 1, why: null, byName: null },
      { way: "sms", status: 1, why: null, byName: null },
    ]);
    expect(server.taken.map(({ to }) => to)).toEqual([MAIL]);
    const body = bodyOf(server.taken[0]!.text);
    expect(body).toContain("106.00 元");
    expect(body).not.toMatch(/成都测试科技|91510100MA62RTYU1J|invoice-files/);
    const [message] = carrier.taken.values();
    expect([carrier.taken.size, message]).toMatchObject([1, { phone: PHONE, template: "invoice", params: { sum: "106.00 元" } }]);
    expect(message!.params["url"]).toContain(tokenIn(body));
    const page = await world.page(tokenIn(body));
    expect(page).toMatchObject({ cents: 0, application: { status: 2, invoices: [{ status: 2 }] } });
    expect(await world.file(page.application!.invoices[0]!.files[0]!.url)).toMatchObject({ contentType: "application/pdf" });
    // What was sent is for looking: nothing is applied for by it.
    await expect(world.apply(tokenIn(body), 10_600)).rejects.toMatchObject({ status: 404 });
  });
  test("tells nowhere where it goes: not in the drawer, the list, the log of acts, nor any row", async () => {
    const { id } = await issued();
    await deliver();
    minutes(2);
    await world.call("mch01", resendInvoice, { id });
    await deliver();
    const rows = await world.owner("select to_jsonb(d) from invoice_deliveries d");
    const audit = await world.owner("select to_jsonb(a) from audit_log a where endpoint like '/api/invoices/%'");
    const told = JSON.stringify([await one(id), await world.call("mch01", listInvoices, {}), rows, audit]);
    expect(audit).not.toEqual([]);
    for (const word of [MAIL, PHONE, "example.com"]) expect(told).not.toContain(word);
  });
  test("of a buyer who left nothing goes nowhere; without a mail server the platform sends, as before", async () => {
    const { id } = await issued({});
    expect([await sent(id), (await one(id)).ways]).toEqual([[], []]);
    await expect(world.call("mch01", resendInvoice, { id })).rejects.toMatchObject({ code: "invoice.no-address" });
    config().mail = undefined;
    const other = await issued({ mail: MAIL });
    expect(await sent(other.id)).toEqual([]);
    expect(server.taken).toEqual([]);
  });
  test("two processes at once send it once", async () => {
    const { id } = await issued();
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(server.taken).toHaveLength(1);
    expect((await sent(id)).map(({ status }) => status)).toEqual([1, 1]);
  });
});

describe("who is told, and of what", () => {
  test("where no file can be fetched the buyer is told all the same, and can be told again", async () => {
    noFiles = true;
    const { id } = await issued({ mail: MAIL });
    await deliver();
    expect(await sent(id)).toMatchObject([{ way: "mail", status: 1 }]);
    expect((await world.page(tokenIn(bodyOf(server.taken[0]!.text)))).application).toMatchObject({ waits: "files" });
    minutes(2);
    expect(await resend(id)).toEqual({ ways: ["mail"] });
  });
  test("what the platform was to tell is not told by us once its file comes, though a mail server was set meanwhile", async () => {
    noFiles = true;
    config().mail = undefined;
    const { id } = await issued({ mail: MAIL });
    config().mail = serverAt(server.port);
    noFiles = false;
    minutes(2);
    await world.sweep("fetch-invoice-files");
    expect((await one(id)).files.filter(({ url }) => url !== null)).toHaveLength(3);
    expect(await sent(id)).toEqual([]);
  });
  test("of what is being taken back nobody is told that it is good: it waits for the end, and is not sent again", async () => {
    const { id } = await issued({ mail: MAIL });
    await world.call("mch01", startRed, { requestId: crypto.randomUUID(), id, reason: 1 as never, renew: false });
    await deliver();
    expect([server.taken, await sent(id)]).toMatchObject([[], [{ status: 0, why: null }]]);
    expect((await one(id)).ways).toEqual([]);
    await expect(resend(id)).rejects.toMatchObject({ code: "invoice.not-issued" });
    await world.run(6);
    await deliver();
    expect([server.taken, await sent(id)]).toMatchObject([[], [{ status: 2, why: "发票已红冲，没有发送" }]]);
  });
  test("of what came out with another sum the buyer hears when it is right, with the right sum", async () => {
    const { token } = await world.paid(10_600);
    await world.control({ fault: "wrong-amount" });
    await world.apply(token, 10_600, { ...COMPANY, mail: MAIL });
    await world.run(3);
    const [wrong] = await invoices();
    const { issuedCents } = await one(wrong!.id);
    await world.call("mch01", takeIssued, { id: wrong!.id, cents: issuedCents!, reason: "已在平台核对" });
    await world.run(6);
    await world.run(6);
    await deliver();
    expect((await invoices()).map(({ status }) => status)).toEqual([2, 5]);
    expect(await sent(wrong!.id)).toEqual([]);
    expect(server.taken.map(({ text }) => bodyOf(text))).toEqual([expect.stringContaining("106.00 元")]);
  });
  test("an application of several invoices is told of once by each way", async () => {
    await world.owner("update tax_subjects set most_cents = 8000");
    await issued();
    minutes(5);
    await deliver();
    expect(await invoices()).toHaveLength(2);
    expect([server.taken.length, carrier.taken.size]).toEqual([1, 1]);
  });
  test("where the one that was to be told of is taken back before, another of the application is told of", async () => {
    await world.owner("update tax_subjects set most_cents = 8000");
    await issued({ mail: MAIL });
    const [told] = await world.owner<{ id: string }>("select invoice_id as id from invoice_deliveries");
    await world.call("mch01", startRed, { requestId: crypto.randomUUID(), id: told!.id, reason: 1 as never, renew: false });
    await world.run(6);
    await deliver();
    await deliver();
    const other = (await invoices()).find(({ status }) => status === 2)!;
    expect([await sent(told!.id), await sent(other.id)]).toMatchObject([[{ status: 2, why: "发票已红冲，没有发送" }], [{ status: 1 }]]);
    expect(server.taken).toHaveLength(1);
  });
  test("a phone gets one message a minute and ten a day, of whatever invoices", async () => {
    const { id } = await issued();
    const other = await issued({ mobile: PHONE });
    await world.owner("update invoice_deliveries set next_at = created_at + interval '1 day' where status = 0 and way = 'mail'");
    const [first, second] = await world.owner<{ at: string }>(
      "select next_at as at from invoice_deliveries where way = 'sms' order by next_at",
    );
    expect(Date.parse(second!.at) - Date.parse(first!.at)).toBeGreaterThanOrEqual(60_000);
    await deliver();
    for (let n = 3; n <= 11; n++) {
      minutes(2);
      await deliver();
      const again = resend(other.id);
      if (n <= 10) await again;
      else await expect(again).rejects.toMatchObject({ status: 429, message: "这个手机号一天内已有 10 条发票短信，没有发送" });
    }
    await deliver();
    expect(carrier.taken.size).toBe(10);
    expect((await sent(id)).filter(({ way }) => way === "sms")).toMatchObject([{ status: 1 }]);
  });
});

describe("what does not go out", () => {
  test("mails that hang hold up no message", async () => {
    const { id } = await issued();
    await world.owner(
      `insert into invoice_deliveries (service_provider_id, merchant_id, id, invoice_id, way, round, next_at, created_at)
        select service_provider_id, merchant_id, gen_random_uuid(), invoice_id, way, n, next_at - interval '1 hour', created_at
        from invoice_deliveries cross join generate_series(1, 9) n where way = 'mail'`,
    );
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    config().mail = serverAt((silent.address() as AddressInfo).port);
    const round = deliver();
    await expect.poll(() => carrier.taken.size, { timeout: 6_000 }).toBe(1);
    silent.close();
    const ends = setInterval(() => sockets.forEach((socket) => socket.destroy()), 100);
    await round;
    clearInterval(ends);
    expect((await sent(id)).filter(({ way, status }) => way === "sms" && status === 1)).toHaveLength(1);
  }, 30_000);
  test("while one way is down a person sends again by the other, and the first is tried at once", async () => {
    const { id } = await issued();
    config().mail = serverAt(1);
    await deliver();
    minutes(2);
    await deliver();
    config().mail = serverAt(server.port);
    expect(await resend(id)).toEqual({ ways: ["sms", "mail"] });
    await deliver();
    expect([server.taken.length, carrier.taken.size]).toEqual([1, 2]);
    expect((await sent(id)).map(({ status }) => status)).toEqual([1, 1, 1]);
  });
  test("a carrier's own words are not kept, and a buyer that can't be opened is an end", async () => {
    carrier.refuses = `号码 ${PHONE} 已拉黑`;
    const { id } = await issued();
    await world.owner("update invoice_applications set buyer_sealed = 'broken'");
    await deliver();
    expect((await world.owner<{ why: string }>("select distinct why from invoice_deliveries")).map(({ why }) => why)).toEqual([
      "购方信息打不开，没有发送",
    ]);
    const other = await issued({ mobile: PHONE });
    minutes(2);
    await deliver();
    expect(await sent(other.id)).toMatchObject([{ status: 2, why: "短信服务拒收，没有发送" }]);
    expect(id).not.toBe(other.id);
  });
  test("a mail server that is down is tried again, and gets it in the end", async () => {
    const { id } = await issued({ mail: MAIL });
    config().mail = serverAt(1);
    await deliver();
    expect(await sent(id)).toEqual([{ way: "mail", status: 0, why: "邮件服务器连接不上或登录失败", byName: null }]);
    await deliver();
    config().mail = serverAt(server.port);
    await deliver();
    expect(server.taken).toEqual([]);
    minutes(2);
    await deliver();
    expect(server.taken).toHaveLength(1);
    expect(await sent(id)).toEqual([{ way: "mail", status: 1, why: null, byName: null }]);
  });
  test("a mailbox that is refused is told, and is sent again by a person, once a minute and ten times a day", async () => {
    const { id } = await issued({ mail: MAIL });
    server.state.manner = "never";
    await deliver();
    expect(await sent(id)).toMatchObject([{ status: 2, why: "邮件服务器拒收（550）" }]);
    await expect(world.call("mch01", resendInvoice, { id })).rejects.toMatchObject({ status: 429 });
    server.state.manner = "take";
    for (let n = 1; n <= 10; n++) {
      minutes(2);
      expect(await world.call("mch01", resendInvoice, { id })).toEqual({ ways: ["mail"] });
      await expect(world.call("mch01", resendInvoice, { id })).rejects.toMatchObject({ code: "invoice.sending" });
      await deliver();
    }
    minutes(2);
    await expect(world.call("mch01", resendInvoice, { id })).rejects.toMatchObject({ status: 429 });
    expect(server.taken).toHaveLength(10);
    const [last] = await sent(id);
    expect(last).toMatchObject({ way: "mail", status: 1 });
    expect(last!.byName).not.toBe(null);
    await expect(world.call("mch02", resendInvoice, { id })).rejects.toMatchObject({ status: 404 });
  });
  test("a message whose end nobody heard is asked about before anything goes out again", async () => {
    const { id } = await issued({ mobile: PHONE });
    carrier.silent = 1;
    await deliver();
    expect(await sent(id)).toMatchObject([{ way: "sms", status: 3, why: "短信服务没有应答，会再查" }]);
    minutes(2);
    await deliver();
    expect(await sent(id)).toEqual([{ way: "sms", status: 1, why: null, byName: null }]);
    expect([carrier.taken.size, carrier.asked]).toEqual([1, 1]);
  });
  test("a process that died with a mail on its way leaves it untold: it is not sent twice by itself", async () => {
    const { id } = await issued({ mail: MAIL });
    await world.owner("update invoice_deliveries set status = 3, tries = 1");
    minutes(11);
    await deliver();
    expect(await sent(id)).toMatchObject([{ status: 2, why: expect.stringContaining("不确定") }]);
    expect(server.taken).toEqual([]);
  });
  test("an invoice that was taken back meanwhile goes to nobody", async () => {
    const { id } = await issued({ mail: MAIL });
    await world.call("mch01", startRed, { requestId: crypto.randomUUID(), id, reason: 1 as never, renew: false });
    await world.owner("update invoice_deliveries set next_at = next_at + interval '1 hour'");
    await world.run(6);
    minutes(61);
    expect((await one(id)).status).toBe(5);
    await deliver();
    expect(await sent(id)).toMatchObject([{ status: 2, why: "发票已红冲，没有发送" }]);
    await expect(world.call("mch01", resendInvoice, { id })).rejects.toMatchObject({ status: 409 });
  });
});

describe("a link that was sent", () => {
  test("is refused where somebody made it up, and says so", async () => {
    await issued({ mail: MAIL });
    await deliver();
    const token = tokenIn(bodyOf(server.taken[0]!.text));
    const forged = token.slice(0, 43) + (token.endsWith("A") ? "B" : "A");
    await expect(world.page(forged)).rejects.toMatchObject({ status: 404, message: "开票链接无效" });
  });
  test("of an invoice that was taken back offers no file and no form, and says where the new one is", async () => {
    const { id } = await issued({ mail: MAIL });
    await deliver();
    const token = tokenIn(bodyOf(server.taken[0]!.text));
    await world.call("mch01", startRed, { requestId: crypto.randomUUID(), id, reason: 1 as never, renew: false });
    await world.run(6);
    const page = await world.page(token);
    expect(page.closed).toBe("这张已红冲，新的请用小票上的开票码查看");
    expect(page.application).toMatchObject({ status: 5, invoices: [{ files: [] }] });
  });
  test("ends half a year after the invoice, and says so; the receipt's goes on", async () => {
    const { id, token: receipt } = await issued({ mail: MAIL });
    await deliver();
    const token = tokenIn(bodyOf(server.taken[0]!.text));
    minutes(179 * 24 * 60);
    expect((await world.page(token)).application!.invoices[0]!.files).toHaveLength(3);
    // The platform says when it was issued, by a clock of its own.
    minutes(11 * 24 * 60);
    await expect(world.page(token)).rejects.toMatchObject({ status: 404, message: expect.stringContaining("链接已过期") });
    expect((await world.page(receipt)).application).toMatchObject({ status: 2 });
    // It is sent no more, nor is what comes out with such a day.
    expect((await one(id)).ways).toEqual([]);
    await expect(resend(id)).rejects.toMatchObject({ code: "invoice.link-over" });
    expect(await sent((await issued({ mail: MAIL })).id)).toEqual([]);
  });
});
