import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Transport } from "../../channel.ts";
import type { ApplymentChannel, KnownApplyment } from "../../types/applyments.ts";
import { readBankList } from "./bank-lists.ts";
import { APPLY, FIND_APPLYMENT, UPLOAD } from "../read/refusals.ts";
import { sealField } from "../signing/secret-fields.ts";
import { answerSerial, type Means, sendRequest } from "../signing/send-request.ts";

const PATH = "/v3/applyment4sub/applyment/";
const number = z.union([z.int(), z.string().regex(/^\d{1,32}$/)]).transform(String);
const submitted = z.object({ applyment_id: number });
const uploaded = z.object({ media_id: z.string().min(1).max(1_024) });
const text = (most: number) => z.string().max(most).nullish();
const known = z.object({
  business_code: z.string(),
  applyment_id: number,
  applyment_state: z.string().regex(/^APPLYMENT_STATE_[A-Z_]{1,40}$/),
  applyment_state_msg: text(2_000),
  sub_mchid: z
    .string()
    .regex(/^\d{8,12}$/)
    .nullish(),
  sign_url: text(1_000),
  audit_detail: z.array(z.object({ field: text(512), field_name: text(512), reject_reason: text(2_000) })).nullish(),
});

/** Both spellings: the SDKs' examples have the long one, channels.md 1.8 the short one. */
const authorized = z.object({ authorize_state: z.string().regex(/^(AUTHORIZE_STATE_)?(UN)?AUTHORIZED$/) });

/**
 * /v3/applyment4sub/applyment/ and /v3/merchant/media/upload (channels.md 1.1, 1.8). Not verified: which codes refuse a submission for
 * good besides those of the gate; PROCESSING, SYSTEM_ERROR and whatever else is unknown are settled by the query. Not verified either:
 * path and answer of 开户意愿, which are known from SDKs alone.
 */
export function wechatApplyments(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): ApplymentChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  return {
    upload: (account, { fileName, contentType, sha256, bytes }) =>
      sendRequest(means, account, {
        method: "POST",
        path: "/v3/merchant/media/upload",
        body: { filename: fileName, sha256 },
        file: { name: fileName, contentType, bytes },
        refusals: UPLOAD,
        read: (status, body) => {
          const found = status === 200 ? uploaded.safeParse(body).data : undefined;
          return found && { mediaId: found.media_id };
        },
      }),
    submit: (account, code, build) => {
      const key = account.platformKeys[answerSerial(account)] ?? "";
      return sendRequest(means, account, {
        method: "POST",
        path: PATH,
        body: { business_code: code, ...build((plain) => sealField(key, plain)) },
        refusals: APPLY,
        read: (status, body) => {
          const found = status === 200 ? submitted.safeParse(body).data : undefined;
          return found && { applymentId: found.applyment_id };
        },
      });
    },
    find: (account, code) =>
      sendRequest(means, account, {
        method: "GET",
        path: `${PATH}business_code/${encodeURIComponent(code)}`,
        refusals: FIND_APPLYMENT,
        read: (status, body) => (status === 200 ? readKnown(body, code) : undefined),
      }),
    willing: (account, subMchId) =>
      sendRequest(means, account, {
        method: "GET",
        path: `/v3/apply4subject/applyment/merchants/${encodeURIComponent(subMchId)}/state`,
        refusals: FIND_APPLYMENT,
        read: (status, body) => {
          const found = status === 200 ? authorized.safeParse(body).data : undefined;
          return found && { authorized: !found.authorize_state.endsWith("UNAUTHORIZED") };
        },
      }),
    bankList: (account, list) => readBankList(means, account, list),
  };
}
/** An answer about another code is none; FINISHED without a merchant number is not understood. */
function readKnown(body: unknown, code: string): KnownApplyment | undefined {
  const found = known.safeParse(body).data;
  if (found?.business_code !== code) return undefined;
  const { applyment_state: state, sub_mchid: subMchId } = found;
  if (state === "APPLYMENT_STATE_FINISHED" && !subMchId) return undefined;
  return {
    applymentId: found.applyment_id,
    state,
    message: found.applyment_state_msg ?? "",
    subMchId: subMchId ?? null,
    signUrl: found.sign_url || null,
    rejected: (found.audit_detail ?? []).map(({ field, field_name: name, reject_reason: reason }) => ({
      field: field ?? "",
      name: name ?? "",
      reason: reason ?? "",
    })),
  };
}
