import { createHash, X509Certificate } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { certificatesForTests, certify, type Certified } from "../certificates-for-tests.ts";
import type { AlipayAccount, Transport } from "../channel.ts";
import { startInbox, startSimulator, testTransport, type TestSimulator } from "../simulator-for-tests.ts";
import { alipay } from "./alipay.ts";
import { certificateSn, isTrusted, rootSn, trustedKey } from "./certificates.ts";

const made = certificatesForTests();
const NOW = new Date("2026-11-20T00:00:00Z");
const first = made.alipay(100n);
const snOf = ({ pem }: Certified) => certificateSn(new X509Certificate(pem));
const CERTIFICATES = {
  app: made.app.pem,
  appSn: snOf(made.app),
  alipay: made.chain(first),
  alipaySn: snOf(first),
  root: made.rootPem,
  rootSn: rootSn(made.rootPem)!,
};
let simulator: TestSimulator;
let inbox: Awaited<ReturnType<typeof startInbox>>;
let asked: string[] = [];
const transport: Transport = (request) => {
  asked.push(new URL(request.url).searchParams.get("method") ?? "");
  return testTransport(request);
};
const appId = "2021000000000001";
const pkcs8 = (key: Certified["key"]) => String(key.export({ type: "pkcs8", format: "pem" }));
const spki = (key: Certified["publicKey"]) => String(key.export({ type: "spki", format: "pem" }));
/** The simulator knows the application, and signs with the last of these. */
const register = (...known: readonly Certified[]) =>
  simulator.control("POST alipay-apps", {
    appId,
    publicKeyPem: spki(made.app.publicKey),
    sellerId: "2088000000000001",
    certificates: {
      appSn: CERTIFICATES.appSn,
      rootSn: CERTIFICATES.rootSn,
      alipay: known.map((one) => ({ sn: snOf(one), pem: made.chain(one), privateKeyPem: pkcs8(one.key) })),
    },
  });
let account: AlipayAccount;
beforeAll(async () => {
  simulator = await startSimulator();
  inbox = await startInbox(() => 200);
  const baseUrl = `${simulator.url}/alipay/gateway.do`;
  const own = { family: "alipay", channel: 0, mode: "direct", appId, sellerId: "2088000000000001" } as const;
  account = { ...own, privateKeyPem: pkcs8(made.app.key), publicKeyPem: spki(first.publicKey), certificates: CERTIFICATES, baseUrl };
});
afterEach(() => void (asked = []));
afterAll(async () => {
  await inbox.stop();
  await simulator.stop();
});
const order = (outTradeNo: string) => ({
  tradeType: "NATIVE" as const,
  outTradeNo,
  description: "午餐",
  amount_cents: 1_000,
  notifyUrl: inbox.url,
  expiresAt: new Date(Date.now() + 600_000).toISOString(),
  clientIp: "127.0.0.1",
});
let n = 0;
const number = () => `C${Date.now()}${++n}`;

test("a number is the MD5 of the issuer, last name first, and the serial number in decimal; a root file counts RSA alone", () => {
  const issuer = "CN=Ant Financial Certification Authority Class 2 R1,O=Ant Financial,C=CN";
  expect(CERTIFICATES.appSn).toBe(
    createHash("md5")
      .update(`${issuer}${String(0x0abcdef0123456789abcdefn)}`)
      .digest("hex"),
  );
  const self = "CN=Ant Financial Certification Authority R1,OU=Certification Authority,O=Ant Financial,C=CN";
  expect(CERTIFICATES.rootSn).toBe(
    createHash("md5")
      .update(`${self}${String(0x4fee17d1n)}`)
      .digest("hex"),
  );
  expect(rootSn(`${made.root.pem}${made.authority.pem}`)).toBe(`${CERTIFICATES.rootSn}_${snOf(made.authority)}`);
  expect([rootSn("nothing"), rootSn(certify({ subject: { CN: "x" } }).pem.replace("BEGIN CERT", "BEGIN X"))]).toEqual([
    undefined,
    undefined,
  ]);
});

test("an application is known by its certificate, and Alipay's answers by the certificate that they name", async () => {
  await register(first);
  const channel = alipay(transport);
  const outTradeNo = number();
  expect(await channel.pay(account, order(outTradeNo))).toMatchObject({ kind: "ok", value: { kind: "code" } });
  expect(asked).toEqual(["alipay.trade.precreate"]);
  for (const wrong of [{ appSn: "0" }, { rootSn: "0" }])
    expect((await channel.query({ ...account, certificates: { ...CERTIFICATES, ...wrong } }, { outTradeNo })).kind).toBe("unknown");
  // The number is right, and the key is another's.
  expect((await channel.query({ ...account, publicKeyPem: spki(made.app.publicKey) }, { outTradeNo })).kind).toBe("unknown");
  // Without certificates of its own nobody is let in.
  expect((await channel.query({ ...account, certificates: undefined }, { outTradeNo })).kind).toBe("unknown");
});

test("a certificate that Alipay began to use is downloaded once and trusted by the root; its notifications are read as well", async () => {
  const next = made.alipay(101n);
  await register(first, next);
  const channel = alipay(transport);
  const outTradeNo = number();
  expect(await channel.pay(account, order(outTradeNo))).toMatchObject({ kind: "ok" });
  expect(await channel.query(account, { outTradeNo })).toMatchObject({ kind: "refused", code: "NOT_FOUND" });
  expect(asked).toEqual(["alipay.trade.precreate", "alipay.open.app.alipaycert.download", "alipay.trade.query"]);
  await simulator.control("POST pay", { outTradeNo });
  const [told] = await inbox.arrived(1);
  expect(channel.readNotification([account], {}, told!.rawBody, new Date())).toMatchObject({ kind: "paid" });
  // Whoever was not told of the certificate reads it neither.
  expect(alipay(transport).readNotification([account], {}, told!.rawBody, new Date())).toMatchObject({
    kind: "refused",
    code: "SIGNATURE",
  });
});

const stranger = certify({ subject: first.subject, ca: true });
test.each([
  ["another root's", () => certify({ subject: first.subject, issuer: stranger, serial: 102n })],
  [
    "an application's, which goes back to the same root",
    () => certify({ subject: made.application, issuer: made.authority, serial: 103n }),
  ],
  ["one signed by an application's", () => certify({ subject: first.subject, issuer: made.app, serial: 104n })],
  ["one whose time is over", () => made.alipay(105n, { validTo: new Date("2026-01-01") })],
])("%s certificate is not trusted, and the answer is unknown", async (_whose, makeIt) => {
  const forged = makeIt();
  await register(first, forged);
  expect((await alipay(transport).query(account, { outTradeNo: number() })).kind).toBe("unknown");
  expect(trustedKey(`${forged.pem}${made.app.pem}${made.authority.pem}${stranger.pem}`, snOf(forged), CERTIFICATES, NOW)).toBeUndefined();
});

test("a chain is followed through authorities to the root, and another number's certificate is not taken", () => {
  const chain = (pems: readonly string[]) => pems.map((pem) => new X509Certificate(pem));
  expect(isTrusted(chain([first.pem, made.authority.pem]), made.rootPem, NOW)).toBe(true);
  expect(isTrusted(chain([first.pem]), made.rootPem, NOW)).toBe(false);
  expect(trustedKey(made.chain(made.alipay(106n)), "another", CERTIFICATES, NOW)).toBeUndefined();
});
