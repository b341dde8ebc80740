import { createPublicKey, type KeyObject, X509Certificate } from "node:crypto";
import { invalid } from "@zhangfang/server/calls/errors.ts";

/** What a form gives: of each kind both fields or neither. */
export interface GivenPlatformKeys {
  readonly platformKeyId?: string | undefined;
  readonly platformKeyPem?: string | undefined;
  readonly platformCertSerial?: string | undefined;
  readonly platformCertPem?: string | undefined;
  readonly dropPlatformCert?: boolean | undefined;
}

/** Whether a key of the channel is 微信支付公钥, and not a platform certificate's. */
export const isPublicKeyId = (serial: string): boolean => serial.startsWith("PUB_KEY_ID_");

/** The channel's keys by serial, of each kind one: what is given takes the place of its kind, the other kind stays. @throws 400 at a wrong field */
export function platformKeysOf(before: Readonly<Record<string, string>>, given: GivenPlatformKeys): Record<string, string> {
  const { platformKeyId: id, platformKeyPem: pem, platformCertPem: cert } = given;
  const serial = given.platformCertSerial?.toUpperCase();
  if ((id === undefined) !== (pem === undefined))
    throw invalid(id === undefined ? "platformKeyId" : "platformKeyPem", "公钥 ID 和公钥须一起填写");
  if ((serial === undefined) !== (cert === undefined))
    throw invalid(serial === undefined ? "platformCertSerial" : "platformCertPem", "平台证书序列号和平台证书须一起填写");
  if (given.dropPlatformCert && serial !== undefined) throw invalid("dropPlatformCert", "已填写新的平台证书，不能同时停用");
  if (pem !== undefined) mustBeRsa("platformKeyPem", pem, "公钥无法读取，须为 RSA 公钥");
  if (cert !== undefined) mustBeRsa("platformCertPem", cert, "平台证书无法读取，须为 RSA 证书或其公钥");
  if (serial !== undefined && cert?.includes("CERTIFICATE")) {
    const own = new X509Certificate(cert).serialNumber;
    if (own.toUpperCase() !== serial) throw invalid("platformCertSerial", `与证书不符，证书的序列号是 ${own}`);
  }
  const kept = Object.entries(before).filter(([known]) =>
    isPublicKeyId(known) ? id === undefined : serial === undefined && !given.dropPlatformCert,
  );
  const keys = { ...Object.fromEntries(kept), ...(id && pem && { [id]: pem }), ...(serial && cert && { [serial]: cert }) };
  if (Object.keys(keys).length > 0) return keys;
  throw given.dropPlatformCert
    ? invalid("dropPlatformCert", "先设置微信支付公钥，再停用平台证书")
    : invalid("platformKeyId", "请填写微信支付公钥 ID");
}

/** The channel hands out a bare public key or a certificate around it. */
function mustBeRsa(field: string, pem: string, message: string): void {
  const read = () => (pem.includes("CERTIFICATE") ? new X509Certificate(pem).publicKey : createPublicKey(pem));
  if (pem.includes("PRIVATE KEY") || !isRsa(read)) throw invalid(field, message);
}
/** Whether a key can be read, and is one of RSA. */
export function isRsa(read: () => KeyObject): boolean {
  try {
    return read().asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}
