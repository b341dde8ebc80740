import { createCipheriv, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { openResource } from "../read/open-resource.ts";
import { openField, sealField } from "./secret-fields.ts";

test("a sealed field opens only with its key, differs each time, and holds at most 214 bytes", () => {
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const name = "欧阳小明";
  expect(openField(keys.privateKey, sealField(keys.publicKey, name))).toBe(name);
  expect(sealField(keys.publicKey, name)).not.toBe(sealField(keys.publicKey, name));
  expect(openField(keys.privateKey, sealField(keys.publicKey, "x".repeat(214)))).toHaveLength(214);
  expect(() => sealField(keys.publicKey, "汉".repeat(72))).toThrow(RangeError);
});

test("a resource opens with the key, the nonce and the associated data that sealed it, and with nothing else", () => {
  const key = "0123456789abcdef0123456789abcdef";
  const cipher = createCipheriv("aes-256-gcm", key, "012345678901").setAAD(Buffer.from("transaction"));
  const ciphertext = Buffer.concat([cipher.update("原文", "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
  const sealed = { ciphertext, associated_data: "transaction", nonce: "012345678901" };
  expect(openResource(key, sealed)).toBe("原文");
  expect(openResource(key, { ...sealed, associated_data: "refund" })).toBeUndefined();
  expect(openResource(key, { ...sealed, nonce: "112345678901" })).toBeUndefined();
  expect(openResource(key, { ...sealed, nonce: "" })).toBeUndefined();
  expect(openResource(key, { ...sealed, ciphertext: "AAAA" })).toBeUndefined();
  expect(openResource(`1${key.slice(1)}`, sealed)).toBeUndefined();
  expect(openResource("short", sealed)).toBeUndefined();
});
