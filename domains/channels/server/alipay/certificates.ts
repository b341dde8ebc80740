import { createHash, X509Certificate } from "node:crypto";
import type { AlipayCertificates } from "../channel.ts";

/** Certificates of a PEM in their order; what is none, or cannot be read here, is left out. */
export function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/**
 * A certificate's number as Alipay reckons it: MD5 of its issuer (the last name first, joined by commas) and its serial number in
 * decimal. Source: alipay-sdk, antcertutil.ts; AntCertificationUtil of alipay-sdk-java.
 */
export function certificateSn(certificate: X509Certificate): string {
  const issuer = certificate.issuer.split("\n").toReversed().join(",");
  return createHash("md5")
    .update(`${issuer}${BigInt(`0x${certificate.serialNumber}`).toString()}`, "utf8")
    .digest("hex");
}
/** Signed with RSA: 1.2.840.113549.1.1, whatever the digest. The root file holds certificates of SM2 and of curves as well. */
const isRsa = (certificate: X509Certificate): boolean => (certificate.signatureAlgorithmOid ?? "").startsWith("1.2.840.113549.1.1.");
/** The number of a root file: those of its RSA certificates, joined by _; undefined where it has none. */
export function rootSn(pem: string): string | undefined {
  const found = certificatesOf(pem).filter(isRsa).map(certificateSn);
  return found.length === 0 ? undefined : found.join("_");
}

const holds = (certificate: X509Certificate, issuer: X509Certificate): boolean => {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
};
const isValid = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean => validFromDate <= now && now <= validToDate;

/** Whether the first certificate of a chain goes back to one of the roots, each step signed by an authority and in its time. */
export function isTrusted(chain: readonly X509Certificate[], rootPem: string, now: Date): boolean {
  const roots = certificatesOf(rootPem);
  let current = chain[0];
  for (let steps = 0; current !== undefined && steps < 5; steps++) {
    if (!isValid(current, now)) return false;
    const below = current;
    if (roots.some((root) => root.ca && isValid(root, now) && holds(below, root))) return true;
    current = chain.find((one) => one !== below && one.ca && holds(below, one));
  }
  return false;
}

/**
 * The key of a certificate that Alipay gave out for a number we had not known: it has to be that number, go back to the root that was
 * set, and name the same holder as the one that was set, because the applications' own certificates go back to the same root.
 * @returns undefined where it is not to be trusted
 */
export function trustedKey(pem: string, sn: string, known: AlipayCertificates, now: Date): string | undefined {
  const chain = certificatesOf(pem);
  const [leaf] = chain;
  const [before] = certificatesOf(known.alipay);
  if (!leaf || !before || certificateSn(leaf) !== sn || leaf.subject !== before.subject || !isTrusted(chain, known.root, now))
    return undefined;
  return String(leaf.publicKey.export({ type: "spki", format: "pem" }));
}
