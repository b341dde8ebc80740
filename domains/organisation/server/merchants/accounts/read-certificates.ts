import { createPrivateKey, createPublicKey, type X509Certificate } from "node:crypto";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { type AlipayCertificates, certificateSn, certificatesOf, isTrusted, rootSn } from "../../../../channels/server/index.ts";

interface Given {
  readonly appCert?: string | undefined;
  readonly alipayCert?: string | undefined;
  readonly rootCert?: string | undefined;
}
const FILES = { appCert: "应用公钥证书（appCertPublicKey_….crt）", alipayCert: "支付宝公钥证书（alipayCertPublicKey_RSA2.crt）" } as const;
const spki = (key: ReturnType<typeof createPublicKey>): string => String(key.export({ type: "spki", format: "pem" }));

/**
 * 公钥证书: the application's has to be that of its private key, Alipay's has to go back to the root, and neither may be over. What is
 * left out stays. @throws 400 at the field of the certificate that is wrong
 * @returns them with their numbers, and Alipay's key
 */
export function readCertificates(
  given: Given,
  before: AlipayCertificates | undefined,
  privateKeyPem: string,
  now: Date,
): { certificates: AlipayCertificates; publicKey: string } {
  const root = given.rootCert ?? before?.root;
  if (root === undefined) throw invalid("rootCert", "请填写支付宝根证书（alipayRootCert.crt）");
  const sn = rootSn(root);
  if (sn === undefined) throw invalid("rootCert", "根证书无法读取，须为支付宝根证书（alipayRootCert.crt）的全部内容");
  const [app, alipay] = [given.appCert ?? before?.app, given.alipayCert ?? before?.alipay];
  const appLeaf = leafOf("appCert", app, now);
  if (spki(appLeaf.publicKey) !== spki(createPublicKey(createPrivateKey(privateKeyPem))))
    throw invalid("appCert", "应用公钥证书与应用私钥不是一对，请确认上传的是本应用的证书");
  const alipayLeaf = leafOf("alipayCert", alipay, now);
  if (spki(alipayLeaf.publicKey) === spki(appLeaf.publicKey))
    throw invalid("alipayCert", "这是应用公钥证书，请填写支付宝公钥证书（alipayCertPublicKey_RSA2.crt）");
  if (!isTrusted(certificatesOf(alipay ?? ""), root, now))
    throw invalid("alipayCert", "支付宝公钥证书不是由所填的根证书签发的，请填写文件的全部内容");
  const certificates = {
    app: app ?? "",
    appSn: certificateSn(appLeaf),
    alipay: alipay ?? "",
    alipaySn: certificateSn(alipayLeaf),
    root,
    rootSn: sn,
  };
  return { certificates, publicKey: spki(alipayLeaf.publicKey) };
}

function leafOf(field: keyof typeof FILES, pem: string | undefined, now: Date): X509Certificate {
  const file = FILES[field];
  if (pem === undefined) throw invalid(field, `请填写${file}`);
  const [leaf] = certificatesOf(pem);
  if (!leaf) throw invalid(field, `证书无法读取，须为${file}的内容，以 -----BEGIN CERTIFICATE----- 开头`);
  if (leaf.publicKey.asymmetricKeyType !== "rsa") throw invalid(field, `证书不是 RSA 的，须为${file}`);
  if (leaf.validToDate < now)
    throw invalid(field, `证书已于 ${shanghaiDay(leaf.validToDate.toISOString())} 过期，请到支付宝开放平台重新下载`);
  return leaf;
}

/** When the first of an account's certificates ends, ISO. */
export function certificatesEnd({ app, alipay }: AlipayCertificates): string {
  const ends = [app, alipay].flatMap((pem) => certificatesOf(pem).slice(0, 1)).map(({ validToDate }) => validToDate.toISOString());
  return ends.toSorted()[0] ?? "";
}
