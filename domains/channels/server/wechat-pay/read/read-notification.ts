import { z } from "zod";
import type { ChannelAccount, Notification, NotificationRefusal } from "../../channel.ts";
import { openResource } from "./open-resource.ts";
import { readRefund } from "./read-refund.ts";
import { belongsTo, readTransaction } from "./read-transaction.ts";
import { signedHeaders, verifySignature } from "../signing/verify-signature.ts";

/** Source: channels.md 3.1. */
const envelope = z.object({
  id: z.string().min(1).max(64),
  event_type: z.string().min(1).max(64),
  resource_type: z.literal("encrypt-resource"),
  resource: z.object({
    algorithm: z.literal("AEAD_AES_256_GCM"),
    ciphertext: z.string(),
    associated_data: z.string().optional(),
    nonce: z.string(),
    original_type: z.string().max(64).optional(),
  }),
});
/** 分账动账通知: of a share `out_order_no` is its number, of a return the return's (4011985282; the community's 000ec4fb9b81b8). */
const share = z.object({ out_order_no: z.string().min(1).max(64) });
/** Word of a transfer spells the first one `mch_id` (WxJava's TransferBillsNotifyResult) or `mchid`. */
const merchant = z
  .object({
    mchid: z.string().optional(),
    mch_id: z.string().optional(),
    sp_mchid: z.string().optional(),
    sub_mchid: z.string().optional(),
  })
  .transform(({ mch_id, ...named }) => ({ ...named, mchid: named.mchid ?? mch_id }));

/** A notification that is genuine: what stands inside, and whose it is. */
export interface Opened {
  readonly kind: "opened";
  readonly eventId: string;
  readonly eventType: string;
  /** What kind of thing is inside, as the channel calls it. */
  readonly type: string | undefined;
  readonly account: ChannelAccount;
  readonly inner: unknown;
}
type Refused = Extract<Notification, { kind: "refused" }>;
/**
 * Signature over the raw bytes first, then the key of the account opens it, then the merchant inside decides which
 * account it is. Nothing of the business is read before that.
 */
export function openNotification(
  candidates: readonly ChannelAccount[],
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  now: Date,
): Opened | Refused {
  const signed = signedHeaders(headers);
  let reason: NotificationRefusal = signed ? "SERIAL" : "HEADERS";
  const genuine = candidates.filter((account) => {
    const refusal = verifySignature(account.platformKeys, signed, rawBody, now);
    if (refusal && refusal !== "SERIAL") reason = refusal;
    return !refusal;
  });
  if (genuine.length === 0) return refused(reason, "通知验签不通过");
  const outer = envelope.safeParse(json(rawBody.toString("utf8")));
  if (!outer.success) return refused("BODY", "通知内容无法识别");
  const { id: eventId, event_type: eventType, resource } = outer.data;

  const opened = new Map(genuine.map((account) => [account.apiV3Key, openResource(account.apiV3Key, resource)]));
  if (![...opened.values()].some((text) => text !== undefined)) return refused("DECRYPT", "通知解密失败");
  for (const account of genuine) {
    const inner = json(opened.get(account.apiV3Key) ?? "");
    const named = merchant.safeParse(inner);
    if (!named.success || !belongsTo(account, named.data)) continue;
    return { kind: "opened", eventId, eventType, type: resource.original_type, account, inner };
  }
  return refused("MERCHANT", "通知不属于这个商户");
}

/** A notification of a payment, a refund or a share. */
export function readNotification(...given: Parameters<typeof openNotification>): Notification {
  const opened = openNotification(...given);
  if (opened.kind === "refused") return opened;
  const { account, eventId, eventType, inner } = opened;
  // Shares come as TRANSACTION.SUCCESS too (2026) or as PROFITSHARING.SUCCESS and .RETURN (2023): the type of what is inside decides.
  if (opened.type !== "profitsharing" && !eventType.startsWith("PROFITSHARING")) return understood(account, eventId, eventType, inner);
  const said = share.safeParse(inner);
  return said.success ? { kind: "share", eventId, account, number: said.data.out_order_no } : refused("BODY", "分账通知内容无法识别");
}

function understood(account: ChannelAccount, eventId: string, eventType: string, inner: unknown): Notification {
  if (eventType === "TRANSACTION.SUCCESS") {
    const transaction = readTransaction(account, inner);
    return transaction?.tradeState === "SUCCESS"
      ? { kind: "paid", eventId, account, transaction }
      : refused("BODY", "支付通知内容无法识别");
  }
  if (eventType.startsWith("REFUND.")) {
    const refund = readRefund(inner);
    return refund ? { kind: "refund", eventId, account, refund } : refused("BODY", "退款通知内容无法识别");
  }
  return { kind: "other", eventId, account, eventType };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const refused = (code: NotificationRefusal, message: string) => ({ kind: "refused", code, message }) as const;
