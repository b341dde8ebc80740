import { constants, generateKeyPair, privateDecrypt, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { sm2 } from "sm-crypto-v2";

/** A key of the channel. The serial is 40 hex of a platform certificate or `PUB_KEY_ID_…`. */
export interface PlatformKey {
  readonly serial: string;
  readonly privateKeyPem: string;
  readonly publicKeyPem: string;
}

export interface PlatformKeys {
  /** 微信支付公钥. */
  readonly publicKey: PlatformKey;
  /** 平台证书, oldest first; the last one signs. */
  readonly certificates: readonly PlatformKey[];
  /** SM2 in hex, for acquirers that sign with it. */
  readonly sm2: { readonly privateKey: string; readonly publicKey: string };
}

const generate = promisify(generateKeyPair);

/** The channel's own keys, made at the first start and kept in its directory. */
export async function openKeys(directory: string): Promise<PlatformKeys> {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "keys.json");
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8")) as PlatformKeys;
  const { privateKey, publicKey } = sm2.generateKeyPairHex();
  const keys = {
    publicKey: await newKey(`PUB_KEY_ID_0${randomDigits(31)}`),
    certificates: [await newKey(randomBytes(20).toString("hex").toUpperCase())],
    sm2: { privateKey, publicKey },
  };
  keepKeys(directory, keys);
  return keys;
}

/** The same with a further platform certificate, which signs from now on. */
export async function rotateCertificate(directory: string, keys: PlatformKeys): Promise<PlatformKeys> {
  const certificate = await newKey(randomBytes(20).toString("hex").toUpperCase());
  const rotated = { ...keys, certificates: [...keys.certificates, certificate] };
  keepKeys(directory, rotated);
  return rotated;
}

/** Serial to public key, as a merchant configures them. */
export function publicKeysOf(keys: PlatformKeys): Record<string, string> {
  return Object.fromEntries([keys.publicKey, ...keys.certificates].map((key) => [key.serial, key.publicKeyPem]));
}

/** Opens a sealed field (RSAES-OAEP, SHA-1) with whichever of the channel's keys fits; undefined where none does. */
export function openSealed({ publicKey, certificates }: PlatformKeys, sealed: string): string | undefined {
  for (const key of [publicKey, ...certificates]) {
    try {
      const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" };
      return privateDecrypt({ key: key.privateKeyPem, ...padding }, Buffer.from(sealed, "base64")).toString("utf8");
    } catch {
      continue;
    }
  }
  return undefined;
}

function keepKeys(directory: string, keys: PlatformKeys): void {
  writeFileSync(join(directory, "keys.json"), JSON.stringify(keys), { mode: 0o600 });
}

async function newKey(serial: string): Promise<PlatformKey> {
  const pair = await generate("rsa", { modulusLength: 2048 });
  return {
    serial,
    privateKeyPem: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKeyPem: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** Digits that nobody can guess, for the channel's numbers. */
export function randomDigits(count: number): string {
  return Array.from(randomBytes(count), (byte) => String(byte % 10)).join("");
}
