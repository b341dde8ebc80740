import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto";

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
function attempt(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
