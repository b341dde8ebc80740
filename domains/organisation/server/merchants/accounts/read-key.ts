import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { sm2 } from "sm-crypto-v2";

const LEAST_BITS = 2048;

/**
 * An RSA key as channels hand it out: PEM, a certificate, or the bare base64 that Alipay's key tool gives.
 * @returns PEM, or undefined where it is no RSA key of at least 2048 bits
 */
export function readRsaKey(kind: "private" | "public", given: string): string | undefined {
  for (const read of kind === "private" ? PRIVATE : PUBLIC) {
    const key = attempt(() => read(given));
    if (key?.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_BITS)
      return String(key.export(kind === "private" ? { type: "pkcs8", format: "pem" } : { type: "spki", format: "pem" }));
  }
  return undefined;
}

/**
 * An SM2 key in PEM, in bare base64 or in hex, as hex: 64 digits of the private one, 130 from 04 on of the public one.
 * @returns undefined where it is none
 */
export function readSm2Key(kind: "private" | "public", given: string): string | undefined {
  const hex = given.replaceAll(/\s/g, "").toLowerCase();
  if (kind === "private" ? /^[0-9a-f]{64}$/.test(hex) : /^(?:04)?[0-9a-f]{128}$/.test(hex)) {
    const key = kind === "public" && hex.length === 128 ? `04${hex}` : hex;
    return kind === "private" || attempt(() => sm2.verifyPublicKey(key)) ? key : undefined;
  }
  for (const read of kind === "private" ? PRIVATE.slice(0, 2) : PUBLIC) {
    const key = attempt(() => read(given));
    if (key?.asymmetricKeyType !== "ec" && key?.asymmetricKeyType !== ("sm2" as string)) continue;
    // SEC 1 begins 30 .. 02 01 01 04 20, then the number; SPKI ends with the point.
    const bytes = kind === "private" ? key.export({ type: "sec1", format: "der" }) : key.export({ type: "spki", format: "der" });
    if (bytes.includes(SM2_CURVE)) return (kind === "private" ? bytes.subarray(7, 39) : bytes.subarray(-65)).toString("hex");
  }
  return undefined;
}
/** The object identifier of the curve, 1.2.156.10197.1.301. */
const SM2_CURVE = Buffer.from("06082a811ccf5501822d", "hex");

const der = (given: string): Buffer => Buffer.from(given.replaceAll(/\s/g, ""), "base64");
const PRIVATE: readonly ((given: string) => KeyObject)[] = [
  (given) => createPrivateKey(given),
  (given) => createPrivateKey({ key: der(given), format: "der", type: "pkcs8" }),
  (given) => createPrivateKey({ key: der(given), format: "der", type: "pkcs1" }),
];
// A private key would be read as its public half: that is somebody's mistake and not what was asked for.
const PUBLIC: readonly ((given: string) => KeyObject)[] = [
  (given) => {
    if (given.includes("PRIVATE KEY")) throw new Error("a private key");
    return given.includes("CERTIFICATE") ? new X509Certificate(given).publicKey : createPublicKey(given);
  },
  (given) => createPublicKey({ key: der(given), format: "der", type: "spki" }),
];
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
