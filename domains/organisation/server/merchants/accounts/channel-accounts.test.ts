import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { manualLogin } from "../../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../../accounts/server/world-for-tests.ts";
import { certificatesForTests } from "../../../../channels/server/certificates-for-tests.ts";
import { giveChannel, type PaymentChannel } from "../../../../channels/server/index.ts";
import {
  getChannelAccounts,
  setChannelAccountState,
  setChannelRule,
  updateChannelAccount,
  verifyChannelAccount,
} from "../../../contract/index.ts";

let world: World;
let sp: string;
let mch: string;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => {
  [sp, mch] = await Promise.all([world.signIn("sp01"), world.signIn("mch01")]);
  await world.truth("with gone as (delete from channel_accounts) delete from channel_rules");
});

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
const publicPem = String(publicKey.export({ type: "spki", format: "pem" }));
const bare = (text: string) => text.replaceAll(/-----[^-]+-----|\s/g, "");
const TOKEN = "202611BB0123456789abcdefWXYZ";
const facts = { channel: 0, mode: "partner", merchantNo: "2088123412341234", appNo: "2021123412341234" } as const;
const whole = { ...facts, privateKey: pem, publicKey: publicPem, authToken: TOKEN };
const known = async () => (await world.call(getChannelAccounts, mch, {})).accounts[0];
const answering = (answer: unknown) => giveChannel(world.services, { query: async () => answer } as unknown as PaymentChannel);

test("keys go in and never come back: their ends and dates are shown, in answers and in the audit log alike", async () => {
  await world.call(updateChannelAccount, mch, whole);
  expect(await known()).toMatchObject({ ...facts, authTokenTail: "WXYZ", verifiedAt: null, state: "active" });
  const said = JSON.stringify([
    await known(),
    await world.truth("select * from audit_log"),
    await world.truth("select * from channel_accounts"),
  ]);
  expect(said).not.toContain(TOKEN);
  expect(said).not.toContain(pem.split("\n")[1]);
});

test("what is left out stays; the key tool's bare lines are read; what can't be is refused at its field", async () => {
  for (const [missing, field] of [
    [{ privateKey: undefined }, "privateKey"],
    [{ publicKey: undefined }, "publicKey"],
    [{ authToken: undefined }, "authToken"],
    [{ appNo: undefined }, "appNo"],
    [{ merchantNo: "1900000001" }, "merchantNo"],
    [{ privateKey: publicPem }, "privateKey"],
    [{ publicKey: pem }, "publicKey"],
    [{ publicKey: "AAAA" }, "publicKey"],
    [
      { privateKey: String(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs8", format: "pem" })) },
      "privateKey",
    ],
  ] as const)
    expect((await world.refused(updateChannelAccount, mch, { ...whole, ...missing })).fields).toHaveProperty(field);
  const pkcs1 = bare(String(privateKey.export({ type: "pkcs1", format: "pem" })));
  await world.call(updateChannelAccount, mch, { ...whole, privateKey: pkcs1, publicKey: bare(publicPem) });
  const before = await known();
  await world.call(updateChannelAccount, mch, { ...facts, appNo: "2021999999999999" });
  expect(await known()).toMatchObject({ appNo: "2021999999999999", privateKeyTail: before!.privateKeyTail, authTokenTail: "WXYZ" });
  await world.call(updateChannelAccount, mch, { ...facts, mode: "direct" });
  expect(await known()).toMatchObject({ mode: "direct", authTokenTail: null });
});

test("certificates take the place of the public key: each is checked at its field, kept where left out, and told by its number", async () => {
  const made = certificatesForTests();
  const [appKey, alipayCert] = [String(made.app.key.export({ type: "pkcs8", format: "pem" })), made.chain(made.alipay(100n))];
  const certified = {
    ...facts,
    authToken: TOKEN,
    keyMode: "certificate",
    privateKey: appKey,
    appCert: made.app.pem,
    alipayCert,
    rootCert: made.rootPem,
  } as const;
  const other = certificatesForTests();
  for (const [change, field, says] of [
    [{ appCert: undefined }, "appCert", "请填写应用公钥证书"],
    [{ alipayCert: undefined }, "alipayCert", "请填写支付宝公钥证书"],
    [{ rootCert: undefined }, "rootCert", "请填写支付宝根证书"],
    [{ appCert: publicPem }, "appCert", "以 -----BEGIN CERTIFICATE----- 开头"],
    [{ privateKey: pem }, "appCert", "不是一对"],
    [{ alipayCert: made.app.pem }, "alipayCert", "这是应用公钥证书"],
    [{ alipayCert: other.chain(other.alipay(1n)) }, "alipayCert", "不是由所填的根证书签发"],
    [{ alipayCert: made.chain(made.alipay(2n, { validTo: new Date("2025-12-31T15:00:00Z") })) }, "alipayCert", "已于 2025-12-31 过期"],
    [{ rootCert: "x" }, "rootCert", "alipayRootCert.crt"],
  ] as const)
    expect((await world.refused(updateChannelAccount, mch, { ...certified, ...change })).fields).toEqual({
      [field]: expect.stringContaining(says) as string,
    });
  await world.call(updateChannelAccount, mch, certified);
  const before = await known();
  expect(before).toMatchObject({ keyMode: "certificate", certificates: { expiresAt: "2040-01-01T00:00:00.000Z" } });
  const renewed = made.chain(made.alipay(101n));
  await world.call(updateChannelAccount, mch, { ...facts, keyMode: "certificate", alipayCert: renewed });
  const after = await known();
  expect(after!.certificates!.appSn).toBe(before!.certificates!.appSn);
  expect(after!.certificates!.alipaySn).not.toBe(before!.certificates!.alipaySn);
  expect((await world.refused(updateChannelAccount, mch, { ...facts, channel: 1, keyMode: "certificate" })).status).toBe(400);
  // The certificate's key is no key that somebody gave.
  expect((await world.refused(updateChannelAccount, mch, { ...facts, keyMode: "key" })).fields).toHaveProperty("publicKey");
  await world.call(updateChannelAccount, mch, { ...facts, keyMode: "key", publicKey: publicPem });
  expect(await known()).toMatchObject({ keyMode: "key", certificates: null });
});

test("another merchant's is not there, and whoever acts for the merchant sets no keys", async () => {
  expect((await world.refused(updateChannelAccount, mch, { ...whole, merchantId: world.tree.merchants.mch03.id })).status).toBe(404);
  expect((await world.refused(getChannelAccounts, sp, { merchantId: world.tree.merchants.mch02.id })).status).toBe(404);
  expect((await world.refused(getChannelAccounts, sp, {})).fields).toHaveProperty("merchantId");
  const acting = await world.call(manualLogin, sp, { userId: world.tree.users.mch01 });
  expect((await world.refused(updateChannelAccount, acting, whole)).code).toBe("acting");
});

test("the channel decides whether keys are right, and silence is neither yes nor no; new keys have not been asked about", async () => {
  expect((await world.refused(verifyChannelAccount, mch, { channel: 0 })).fields).toHaveProperty("channel");
  await world.call(updateChannelAccount, mch, whole);
  for (const [answer, outcome] of [
    [{ kind: "refused", code: "NOT_FOUND", message: "交易不存在" }, "ok"],
    [{ kind: "refused", code: "isv.invalid-signature", message: "验签出错" }, "refused"],
    [{ kind: "unknown", reason: "没有收到应答" }, "unknown"],
  ] as const) {
    answering(answer);
    expect((await world.call(verifyChannelAccount, mch, { channel: 0 })).outcome).toBe(outcome);
    expect(await known()).toMatchObject({ verifyOutcome: outcome });
  }
  world.services.clock.advance(1000);
  await world.call(updateChannelAccount, mch, whole);
  expect(await known()).toMatchObject({ verifyOutcome: null, verifiedAt: null });
});

test("an account is switched off and on, and an order of channels takes the place of the one before", async () => {
  expect((await world.refused(setChannelAccountState, mch, { channel: 0, state: "disabled" })).fields).toHaveProperty("channel");
  await world.call(updateChannelAccount, mch, whole);
  await world.call(setChannelAccountState, mch, { channel: 0, state: "disabled" });
  expect(await known()).toMatchObject({ state: "disabled" });
  const rules = async () => (await world.call(getChannelAccounts, mch, {})).rules.find(({ wallet }) => wallet === "alipay")?.channels;
  for (const channels of [[4, 0], [0, 1, 4], []] as (0 | 1 | 4)[][]) {
    await world.call(setChannelRule, mch, { wallet: "alipay", channels });
    expect(await rules()).toEqual(channels);
  }
  expect((await world.refused(setChannelRule, mch, { wallet: "alipay", channels: [4, 4] })).status).toBe(400);
});
