import type { MailServer } from "@zhangfang/server/config.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { mailServer } from "../../../exports/server/testing/mail-server.ts";
import { giveSms, type SmsProvider } from "../../../members/server/index.ts";
import { getInvoice, listInvoices, resendInvoice, startRed } from "../../contract/index.ts";
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
const carrier = { taken: new Map<string, Sms>(), silent: 0, asked: 0 };
const sms: SmsProvider = {
  async send(one) {
    if (carrier.taken.has(one.id)) throw new Error("sent twice");
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
  world = await openInvoiceWorld();
  giveSms(world.services, sms);
});
beforeEach(async () => {
  await world.clean();
  server = await mailServer();
  config().mail = serverAt(server.port);
  Object.assign(carrier, { taken: new Map(), silent: 0, asked: 0 });
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
  const [invoice] = (await world.call("mch01", listInvoices, {})).items;
  expect(invoice!.status).toBe(2);
  return { id: invoice!.id, token };
}
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

describe("what does not go out", () => {
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
  test("ends half a year after the invoice, and says so; the receipt's goes on", async () => {
    const { token: receipt } = await issued({ mail: MAIL });
    await deliver();
    const token = tokenIn(bodyOf(server.taken[0]!.text));
    minutes(179 * 24 * 60);
    expect((await world.page(token)).application!.invoices[0]!.files).toHaveLength(3);
    // The platform says when it was issued, by a clock of its own.
    minutes(11 * 24 * 60);
    await expect(world.page(token)).rejects.toMatchObject({ status: 404, message: expect.stringContaining("链接已过期") });
    expect((await world.page(receipt)).application).toMatchObject({ status: 2 });
  });
});
