import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A certificate and the key that it is for. */
export interface Certified {
  readonly pem: string;
  readonly key: KeyObject;
  readonly publicKey: KeyObject;
  readonly subject: Readonly<Record<string, string>>;
}
export interface CertificateWish {
  readonly subject: Readonly<Record<string, string>>;
  /** Signed by itself where left out. */
  readonly issuer?: Certified | undefined;
  readonly ca?: boolean;
  readonly serial?: bigint;
  readonly validTo?: Date;
  /** RSA of 2048 bits, where it is not said. */
  readonly pair?: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
}

const OID = {
  C: "550406",
  O: "55040a",
  OU: "55040b",
  CN: "550403",
  rsa: "2a864886f70d01010b",
  ecdsa: "2a8648ce3d040302",
  constraints: "551d13",
};
function tlv(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, "hex"));
const nameOf = (names: CertificateWish["subject"]): Buffer =>
  tlv(
    0x30,
    ...Object.entries(names).map(([name, value]) =>
      tlv(0x31, tlv(0x30, oid(OID[name as keyof typeof OID]), tlv(0x0c, Buffer.from(value, "utf8")))),
    ),
  );
const utc = (at: Date): Buffer => tlv(0x17, Buffer.from(`${at.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
function integer(given: bigint): Buffer {
  const hex = given.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  // A number whose first bit is set would be a negative one.
  return tlv(0x02, (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

/** A genuine X.509 certificate (v3), signed with RSA or with a curve, whichever the issuer's key is. */
export function certify({ subject, issuer, ca = false, serial = 1n, validTo = new Date("2040-01-01"), pair }: CertificateWish): Certified {
  const { privateKey, publicKey } = pair ?? generateKeyPairSync("rsa", { modulusLength: 2048 });
  const signer = issuer?.key ?? privateKey;
  const algorithm = signer.asymmetricKeyType === "rsa" ? tlv(0x30, oid(OID.rsa), Buffer.from([5, 0])) : tlv(0x30, oid(OID.ecdsa));
  const constraints = tlv(
    0x30,
    oid(OID.constraints),
    tlv(0x01, Buffer.from([255])),
    tlv(0x04, tlv(0x30, ...(ca ? [tlv(0x01, Buffer.from([255]))] : []))),
  );
  const body = tlv(
    0x30,
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    integer(serial),
    algorithm,
    nameOf(issuer?.subject ?? subject),
    tlv(0x30, utc(new Date("2020-01-01")), utc(validTo)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    tlv(0xa3, tlv(0x30, constraints)),
  );
  const whole = tlv(0x30, body, algorithm, tlv(0x03, Buffer.from([0]), sign("sha256", body, signer)));
  const lines = whole.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return { pem: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`, key: privateKey, publicKey, subject };
}

/** Roots of both kinds, an authority below them, and what an application and Alipay have from it. */
export function certificatesForTests() {
  const root = certify({
    subject: { C: "CN", O: "Ant Financial", OU: "Certification Authority", CN: "Ant Financial Certification Authority R1" },
    ca: true,
    serial: 0x4fee17d1n,
  });
  const curve = certify({
    subject: { C: "CN", O: "iTruschina", CN: "ECC Root" },
    ca: true,
    pair: generateKeyPairSync("ec", { namedCurve: "prime256v1" }),
  });
  const authority = certify({
    subject: { C: "CN", O: "Ant Financial", CN: "Ant Financial Certification Authority Class 2 R1" },
    issuer: root,
    ca: true,
    serial: 7n,
  });
  const holder = { C: "CN", O: "支付宝(中国)网络技术有限公司", OU: "Alipay", CN: "支付宝(中国)网络技术有限公司" };
  const application = { C: "CN", O: "某某餐饮有限公司", OU: "Alipay", CN: "某某餐饮有限公司-2021000000000001" };
  const alipay = (serial: bigint, more: Partial<CertificateWish> = {}) => certify({ subject: holder, issuer: authority, serial, ...more });
  return {
    root,
    authority,
    /** As alipayRootCert.crt is: certificates that are signed with something else stand among RSA's. */
    rootPem: `${curve.pem}${root.pem}`,
    app: certify({ subject: application, issuer: authority, serial: 0x0abcdef0123456789abcdefn }),
    alipay,
    application,
    chain: (leaf: Certified) => `${leaf.pem}${authority.pem}`,
  };
}
