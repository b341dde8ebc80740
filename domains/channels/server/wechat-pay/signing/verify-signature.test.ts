import { createSign, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { signedHeaders, verifySignature } from "./verify-signature.ts";

const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const platformKeys = { PUB_KEY_ID_01: keys.publicKey.export({ type: "spki", format: "pem" }).toString() };
const now = new Date("2026-11-20T08:00:00Z");
const timestamp = String(now.getTime() / 1000);
const sign = (text: string) => createSign("RSA-SHA256").update(text).sign(keys.privateKey, "base64");
const verdict = (nonce: string, body: string, signature: string) => {
  const headers = {
    "wechatpay-serial": "PUB_KEY_ID_01",
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-signature": signature,
  };
  return verifySignature(platformKeys, signedHeaders(headers), Buffer.from(body), now);
};

test("three lines, each with its line feed, also for an empty body", () => {
  expect(verdict("abc", '{"id":1}', sign(`${timestamp}\nabc\n{"id":1}\n`))).toBeUndefined();
  expect(verdict("abc", "", sign(`${timestamp}\nabc\n\n`))).toBeUndefined();
  expect(verdict("abc", "", sign(`${timestamp}\nabc\n`))).toBe("SIGNATURE");
});

test("a certificate's number is the same in either case, and what objects inherit is no number", () => {
  const key = platformKeys.PUB_KEY_ID_01;
  const signature = sign(`${timestamp}\nabc\n{}\n`);
  const under = (known: string, serial: string) => {
    const headers = {
      "wechatpay-serial": serial,
      "wechatpay-timestamp": timestamp,
      "wechatpay-nonce": "abc",
      "wechatpay-signature": signature,
    };
    return verifySignature({ [known]: key }, signedHeaders(headers), Buffer.from("{}"), now);
  };
  const serial = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
  expect([under(serial, serial.toLowerCase()), under(serial.toLowerCase(), serial)]).toEqual([undefined, undefined]);
  expect([under(serial, "5157"), under(serial, "constructor")]).toEqual(["SERIAL", "SERIAL"]);
});

test("the border between nonce and body cannot be moved", () => {
  const signature = sign(`${timestamp}\nabc\nfirst\nsecond\n`);
  expect(verdict("abc", "first\nsecond", signature)).toBeUndefined();
  expect(verdict("abc\nfirst", "second", signature)).toBe("HEADERS");
});
