// A process that is the channel: signs notifications beforehand, then sends them as fast as they are taken.
import { createCipheriv, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";
import { summarise, type Figures } from "../figures.ts";
import { keepAlive } from "./keep-alive.ts";

export interface NotifyInput {
  readonly family: "wechat-pay" | "alipay";
  /** Of Alipay's application. */
  readonly appId: string;
  readonly port: number;
  readonly clients: number;
  readonly serial: string;
  readonly platformKeyPem: string;
  readonly apiV3Key: string;
  readonly orders: readonly { readonly orderNo: string; readonly cents: number; readonly settingsId: string; readonly mchId: string }[];
  /** Every nth is sent twice. */
  readonly twice: number;
}
const signAsync = promisify<string, Buffer, string, Buffer>(sign);

process.once("message", (input: NotifyInput) => void run(input).then((figures) => process.send?.(figures, () => process.exit(0))));

async function run(input: NotifyInput): Promise<Figures> {
  const requests: Buffer[] = [];
  for (let at = 0; at < input.orders.length; at += 500)
    requests.push(
      ...(await Promise.all(
        input.orders.slice(at, at + 500).map((order) => (input.family === "alipay" ? signedForm : signedRequest)(input, order)),
      )),
    );
  // A copy follows its original closely, so that many are under way together.
  const queue = requests.flatMap((request, at) => (at % input.twice === 0 ? [request, request] : [request])).toReversed();
  const durations_ms: number[] = [];
  const begun_ms = performance.now();
  await Promise.all(
    Array.from({ length: input.clients }, () =>
      keepAlive(
        input.port,
        () => queue.pop(),
        (duration_ms) => durations_ms.push(duration_ms),
      ),
    ),
  );
  return summarise(durations_ms, performance.now() - begun_ms);
}

/** Alipay's form, signed over everything but sign and sign_type. */
async function signedForm(
  { port, platformKeyPem, appId }: NotifyInput,
  { orderNo, cents, settingsId, mchId }: NotifyInput["orders"][number],
): Promise<Buffer> {
  const now = new Date(Date.now() + 8 * 3600_000).toISOString().slice(0, 19).replace("T", " ");
  const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  const fields: Record<string, string> = {
    app_id: appId,
    buyer_id: `2088${randomBytes(6).readUIntBE(0, 6) % 1_000_000_000}`.padEnd(16, "0"),
    charset: "utf-8",
    gmt_payment: now,
    notify_id: randomBytes(16).toString("hex"),
    notify_time: now,
    notify_type: "trade_status_sync",
    out_trade_no: orderNo,
    seller_id: mchId,
    total_amount: amount,
    trade_no: orderNo.replaceAll(/\D/g, "").padStart(28, "0"),
    trade_status: "TRADE_SUCCESS",
    version: "1.0",
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const signature = (await signAsync("RSA-SHA256", Buffer.from(text), platformKeyPem)).toString("base64");
  const body = new URLSearchParams({ ...fields, sign: signature, sign_type: "RSA2" }).toString();
  const head = [
    `POST /notify/alipay/${settingsId} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/x-www-form-urlencoded; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

async function signedRequest(
  { port, serial, platformKeyPem, apiV3Key }: NotifyInput,
  { orderNo, cents, settingsId, mchId }: NotifyInput["orders"][number],
): Promise<Buffer> {
  const now = new Date();
  const transaction = {
    mchid: mchId,
    appid: "wx0123456789abcdef",
    out_trade_no: orderNo,
    transaction_id: `42${orderNo.replaceAll(/\D/g, "").padStart(26, "0")}`,
    trade_type: "NATIVE",
    trade_state: "SUCCESS",
    bank_type: "OTHERS",
    success_time: now.toISOString(),
    payer: { openid: randomBytes(14).toString("hex") },
    amount: { total: cents, payer_total: cents, currency: "CNY", payer_currency: "CNY" },
  };
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(apiV3Key), Buffer.from(nonce)).setAAD(Buffer.from("transaction"));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(transaction), "utf8"), cipher.final(), cipher.getAuthTag()]).toString(
    "base64",
  );
  const resource = {
    algorithm: "AEAD_AES_256_GCM",
    original_type: "transaction",
    ciphertext: sealed,
    associated_data: "transaction",
    nonce,
  };
  const body = JSON.stringify({
    id: crypto.randomUUID(),
    create_time: now.toISOString(),
    resource_type: "encrypt-resource",
    event_type: "TRANSACTION.SUCCESS",
    summary: "支付成功",
    resource,
  });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = (await signAsync("RSA-SHA256", Buffer.from(`${timestamp}\n${nonce}\n${body}\n`), platformKeyPem)).toString("base64");
  const head = [
    `POST /notify/wechat-pay/${settingsId} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Wechatpay-Serial: ${serial}`,
    `Wechatpay-Timestamp: ${timestamp}`,
    `Wechatpay-Nonce: ${nonce}`,
    `Wechatpay-Signature: ${signature}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
