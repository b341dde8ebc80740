import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { manualLogin } from "../../../accounts/contract/index.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { noiseForTests, photoForTests } from "@zhangfang/server/files/picture-for-tests.ts";
import { giveChannel, type PaymentChannel } from "../../../channels/server/index.ts";
import {
  getChannelSecret,
  getMerchantPictures,
  getMerchantProfile,
  getMerchantSettings,
  listIncompleteMerchants,
  remindMerchants,
  setChannelSecret,
  setMerchantPicture,
  setRefundPassword,
  setSettlementAccount,
  updateMerchantProfile,
  updateMerchantSettings,
  verifyChannelSecret,
} from "../../contract/index.ts";

let world: World;
let sp: string;
let mch: string;
beforeAll(async () => void (world = await openWorld()));
afterAll(() => world.close());
beforeEach(async () => void ([sp, mch] = await Promise.all([world.signIn("sp01"), world.signIn("mch01")])));

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = {
  private: keys.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  public: keys.publicKey.export({ type: "spki", format: "pem" }).toString(),
};
const API_KEY = "0123456789abcdef0123456789abWXYZ";
const facts = { mode: "partner", appId: "wx0123456789abcdef", mchId: "1900000001", subMchId: "1600000001" } as const;
const whole = {
  ...facts,
  certSerial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
  privateKeyPem: pem.private,
  apiV3Key: API_KEY,
  platformKeyId: "PUB_KEY_ID_0119000000012026",
  platformKeyPem: pem.public,
};
const ofThird = () => ({ merchantId: world.tree.merchants.mch03.id });
const answering = (answer: unknown) => giveChannel(world.services, { query: async () => answer } as unknown as PaymentChannel);

test("keys go in and never come back: their ends and dates are shown, in answers and in the audit log alike", async () => {
  expect((await world.refused(setChannelSecret, mch, facts)).fields).toHaveProperty("platformKeyId");
  await world.call(setChannelSecret, mch, whole);
  const { known } = await world.call(getChannelSecret, mch, {});
  expect(known).toMatchObject({ apiV3KeyTail: "WXYZ", certSerialTail: "B8E1", verifiedAt: null, mchId: "1900000001" });
  const said = JSON.stringify([known, await world.truth("select * from audit_log"), await world.truth("select * from channel_settings")]);
  expect(said).not.toContain(API_KEY);
  expect(said).not.toContain(pem.private.split("\n")[1]);
});

test("what is left out stays, what can't be read is refused at its field, another merchant's is not there", async () => {
  await world.call(setChannelSecret, mch, whole);
  await world.call(setChannelSecret, mch, { ...facts, appId: "wxffffffffffffffff" });
  expect((await world.call(getChannelSecret, sp, { merchantId: world.tree.merchants.mch01.id })).known).toMatchObject({
    apiV3KeyTail: "WXYZ",
    appId: "wxffffffffffffffff",
  });
  const broken = { ...facts, privateKeyPem: "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----" };
  expect((await world.refused(setChannelSecret, mch, broken)).fields).toHaveProperty("privateKeyPem");
  const swapped = { ...facts, platformKeyId: whole.platformKeyId, platformKeyPem: pem.private };
  expect((await world.refused(setChannelSecret, mch, swapped)).fields).toHaveProperty("platformKeyPem");
  expect((await world.refused(setChannelSecret, mch, { ...whole, merchantId: world.tree.merchants.mch03.id })).status).toBe(404);
  expect((await world.refused(getChannelSecret, sp, { merchantId: world.tree.merchants.mch02.id })).status).toBe(404);
  expect((await world.refused(getChannelSecret, sp, {})).fields).toHaveProperty("merchantId");
});

test("a platform certificate stays beside the public key until the change is over, and each is held with its kind", async () => {
  const serial = "5157F09EFDC096DE15EBE81A47057A7232F1B8AA";
  const { platformKeyId, platformKeyPem, ...withoutKey } = whole;
  await world.call(setChannelSecret, sp, {
    ...withoutKey,
    ...ofThird(),
    platformCertSerial: serial.toLowerCase(),
    platformCertPem: pem.public,
  });
  const held = async () => {
    const [row] = await world.truth<{ platform_keys: Record<string, string> }>(
      `select platform_keys from channel_settings where merchant_id = '${world.tree.merchants.mch03.id}'`,
    );
    return Object.keys(row!.platform_keys).toSorted();
  };
  const known = async () => (await world.call(getChannelSecret, sp, ofThird())).known;
  expect(await held()).toEqual([serial]);
  await world.call(setChannelSecret, sp, { ...facts, ...ofThird(), platformKeyId, platformKeyPem });
  expect(await held()).toEqual([serial, platformKeyId]);
  expect(await known()).toMatchObject({ platformKeyTail: "2026", platformCertTail: "B8AA" });
  const half = { ...facts, ...ofThird(), platformCertSerial: serial };
  expect((await world.refused(setChannelSecret, sp, half)).fields).toEqual({ platformCertPem: "平台证书序列号和平台证书须一起填写" });
  await world.call(setChannelSecret, sp, { ...facts, ...ofThird(), dropPlatformCert: true });
  expect(await held()).toEqual([platformKeyId]);
  expect(await known()).toMatchObject({ platformKeyTail: "2026", platformCertTail: null });
});

test("the channel decides whether keys are right, and silence is neither yes nor no; new keys have not been asked about", async () => {
  await world.call(setChannelSecret, mch, whole);
  for (const [answer, outcome] of [
    [{ kind: "refused", code: "NOT_FOUND", message: "订单不存在" }, "ok"],
    [{ kind: "refused", code: "SIGN_ERROR", message: "签名错误" }, "refused"],
    [{ kind: "unknown", reason: "没有收到应答" }, "unknown"],
  ] as const) {
    answering(answer);
    expect((await world.call(verifyChannelSecret, mch, {})).outcome).toBe(outcome);
    expect((await world.call(getChannelSecret, mch, {})).known).toMatchObject({ verifyOutcome: outcome });
  }
  world.services.clock.advance(1000);
  await world.call(setChannelSecret, mch, whole);
  expect((await world.call(getChannelSecret, mch, {})).known).toMatchObject({ verifyOutcome: null, verifiedAt: null });
});

test("keys, refund password and settlement account are closed to whoever acts for the merchant", async () => {
  const acting = await world.call(manualLogin, sp, { userId: world.tree.users.mch01 });
  expect((await world.refused(setChannelSecret, acting, whole)).code).toBe("acting");
  expect((await world.refused(setRefundPassword, acting, { password: "123456" })).code).toBe("acting");
  const account = { version: 1, bank: "招商银行", holder: "陈川", account: "6225880112345678" };
  expect((await world.refused(setSettlementAccount, acting, account)).code).toBe("acting");
});

test("switches and limits hold over the version that was read; the refund password is its hash alone", async () => {
  const { merchantName: _name, merchantId: _id, refundPasswordAt: _at, ...before } = await world.call(getMerchantSettings, mch, {});
  expect(before).toMatchObject({ version: 0, memberAtPay: true, refundApprovalAbove: 50_000, refundDailyLimit: null });
  const wanted = { ...before, speaker: false, refundApprovalAbove: 30_000 as never, refundDailyLimit: 200_000 as never };
  await world.call(updateMerchantSettings, mch, wanted);
  expect((await world.refused(updateMerchantSettings, mch, wanted)).status).toBe(409);
  await world.call(updateMerchantSettings, sp, { ...wanted, merchantId: world.tree.merchants.mch01.id, version: 1, speaker: true });
  expect(await world.call(getMerchantSettings, mch, {})).toMatchObject({
    version: 2,
    speaker: true,
    refundApprovalAbove: 30_000,
    refundDailyLimit: 200_000,
  });
  await world.call(setRefundPassword, mch, { password: "135790" });
  const [stored] = await world.truth<{ refund_password_hash: string }>("select refund_password_hash from merchant_settings");
  expect(stored!.refund_password_hash).toMatch(/argon2|\$/);
  expect(JSON.stringify(await world.truth("select * from audit_log"))).not.toContain("135790");
  expect((await world.call(getMerchantSettings, mch, {})).refundPasswordAt).not.toBeNull();
  await world.call(setRefundPassword, mch, { password: null });
  expect((await world.call(getMerchantSettings, mch, {})).refundPasswordAt).toBeNull();
});

test("who lacks something is listed and asked once a day; the merchant sees it until nothing is missing", async () => {
  const { mch01, mch02 } = world.tree.merchants;
  const missing = async () =>
    (await world.call(listIncompleteMerchants, sp, { pageSize: 100 })).items.find((row) => row.id === mch01.id)?.missing;
  expect(await missing()).toContain("settle");
  expect(await world.call(remindMerchants, sp, { ids: [mch01.id] })).toEqual({ reminded: 1, skipped: 0 });
  expect(await world.call(remindMerchants, sp, { ids: [mch01.id] })).toEqual({ reminded: 0, skipped: 1 });
  expect((await world.refused(remindMerchants, sp, { ids: [mch01.id, mch02.id] })).status).toBe(404);
  const profile = await world.call(getMerchantProfile, mch, {});
  expect(profile.reminder).toMatchObject({ byName: "sp01" });
  expect(profile).toMatchObject({ contactName: "陈*", contactPhone: "138****1601" });
  const { version } = profile;
  await world.call(updateMerchantProfile, mch, {
    version,
    trade: "餐饮",
    province: "四川省",
    city: "成都市",
    address: "锦江区",
    servicePhone: "028-86660001",
    licenceNo: "91510100MA6CQX1A01",
  });
  expect((await world.refused(updateMerchantProfile, mch, { version, trade: "餐饮" })).status).toBe(409);
  await world.call(setSettlementAccount, mch, { version: version + 1, bank: "招商银行", holder: "陈川", account: "6225 8801 1234 5678" });
  const after = await world.call(getMerchantProfile, mch, {});
  expect(after).toMatchObject({ settleTail: "5678", settleHolder: "陈*", missing: [], reminder: null });
  expect(JSON.stringify([after, await world.truth("select * from merchants"), await world.truth("select * from audit_log")])).not.toContain(
    "6225880112345678",
  );
  expect(await missing()).toBeUndefined();
});

test("a merchant uploads its logo and licence, replaces and removes them; they are its own alone", async () => {
  const photo = await photoForTests();
  expect(await world.call(getMerchantPictures, mch, {})).toEqual({ logo: null, licence: null });
  await world.call(setMerchantPicture, mch, { kind: "licence", base64: photo });
  const { logo, licence } = await world.call(getMerchantPictures, mch, {});
  expect([logo, licence]).toEqual([null, expect.stringMatching(/^data:image\/webp;base64,/)]);
  // Drawn anew: where the photograph was taken is not in it.
  const kept = Buffer.from(licence!.split(",")[1]!, "base64");
  expect([kept.subarray(8, 12).toString(), kept.includes("secret place")]).toEqual(["WEBP", false]);
  await world.call(setMerchantPicture, mch, { kind: "licence", base64: photo });
  await world.call(setMerchantPicture, mch, { kind: "logo", base64: photo });
  expect(await world.truth("select kind, merchant_id from merchant_pictures order by kind")).toEqual(
    ["licence", "logo"].map((kind) => ({ kind, merchant_id: world.tree.merchants.mch01.id })),
  );
  const other = await world.signIn("mch02");
  expect(await world.call(getMerchantPictures, other, {})).toEqual({ logo: null, licence: null });
  await world.call(setMerchantPicture, other, { kind: "logo", base64: null });
  expect((await world.refused(getMerchantPictures, sp, {})).status).toBe(403);
  const wrong = await world.refused(setMerchantPicture, mch, { kind: "logo", base64: Buffer.from("<svg/>").toString("base64") });
  expect([wrong.status, Object.keys(wrong.fields ?? {})]).toEqual([400, ["base64"]]);
  await world.call(setMerchantPicture, mch, { kind: "licence", base64: null });
  expect(await world.call(getMerchantPictures, mch, {})).toEqual({ logo: expect.any(String), licence: null });
  expect(JSON.stringify(await world.truth("select * from audit_log"))).not.toContain(photo.slice(0, 200));
});
test("a picture that is larger once it is drawn anew is kept smaller, and one that stays too large is told at its field", async () => {
  // 4,000 × 2,000 pixels would be more than the table takes; half as wide they are not.
  const large = await noiseForTests({ width: 4_000, height: 2_000, spread: 10 });
  await world.call(setMerchantPicture, mch, { kind: "licence", base64: large });
  const [kept] = await world.truth<{ size: number }>("select octet_length(bytes) as size from merchant_pictures where kind = 'licence'");
  expect(kept!.size).toBeLessThanOrEqual(400_000);
  const busy = await noiseForTests({ width: 2_000, height: 2_000, spread: 100 });
  const { status, fields } = await world.refused(setMerchantPicture, mch, { kind: "logo", base64: busy });
  expect([status, fields]).toEqual([400, { base64: "图片细节过多，处理后超过 400 KB，请换一张尺寸小些的图片" }]);
});
