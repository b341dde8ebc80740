import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Transport } from "../channel.ts";
import type { ChannelGuide, ChannelStore, KnownStore, StoreChannel } from "../types/stores.ts";
import { STORE } from "./read/refusals.ts";
import { sealField } from "./signing/secret-fields.ts";
import { answerSerial, type Means, sendRequest } from "./signing/send-request.ts";

const storeId = z.object({ store_id: z.union([z.int(), z.string().regex(/^\d{1,20}$/)]).transform(String) });
const storeState = z.object({
  store_state: z
    .object({
      store_state_value: z.string().max(64).optional(),
      store_state_message: z.string().max(500).optional(),
      address_failed_reason: z.string().max(500).optional(),
    })
    .optional(),
});
const guideId = z.object({ guide_id: z.string().min(1).max(64) });
const guides = z.object({ data: z.array(guideId.extend({ userid: z.string().optional() })).default([]) });

/**
 * 品牌门店 /v3/merchant-store/stores (pay.weixin.qq.com/doc/v3/partner/4013948546, 4013948577) and 支付即服务
 * /v3/smartguide/guides (pay.weixin.qq.com/docs/partner/products/after-payment-service/apilist.html), read 2026-11.
 * Not verified: which values `store_state_value` takes besides STORE_STATE_VALID, and the codes that refuse.
 */
export function wechatStores(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): StoreChannel {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  const query = (account: ChannelAccount, more: Record<string, string> = {}): string => {
    const text = new URLSearchParams({ ...(account.mode === "partner" && { sub_mchid: account.subMchId ?? "" }), ...more }).toString();
    return text === "" ? "" : `?${text}`;
  };
  return {
    openStore: (account, store) =>
      sendRequest(means, account, {
        method: "POST",
        path: "/v3/merchant-store/stores",
        body: storeBody(account, store),
        refusals: STORE,
        read: (status, body) => {
          const found = status === 200 ? storeId.safeParse(body).data : undefined;
          return found && { wxStoreId: found.store_id };
        },
      }),
    findStore: (account, wxStoreId) =>
      sendRequest(means, account, {
        method: "GET",
        path: `/v3/merchant-store/stores/${encodeURIComponent(wxStoreId)}${query(account)}`,
        refusals: STORE,
        read: (status, body) => (status === 200 ? readState(body) : undefined),
      }),
    registerGuide: (account, guide) =>
      sendRequest(means, account, {
        method: "POST",
        path: "/v3/smartguide/guides",
        body: {
          ...subMerchant(account),
          corpid: guide.corpId,
          store_id: Number(guide.wxStoreId),
          userid: guide.wecomUserId,
          ...person(account, guide),
        },
        refusals: STORE,
        read: (status, body) => {
          const found = status === 200 ? guideId.safeParse(body).data : undefined;
          return found && { guideId: found.guide_id };
        },
      }),
    updateGuide: (account, id, guide) =>
      sendRequest(means, account, {
        method: "PATCH",
        path: `/v3/smartguide/guides/${encodeURIComponent(id)}`,
        body: { ...subMerchant(account), ...person(account, guide) },
        refusals: STORE,
        read: (status) => (status === 204 || status === 200 ? null : undefined),
      }),
    findGuide: (account, wxStoreId, wecomUserId) =>
      sendRequest<{ guideId: string } | null>(means, account, {
        method: "GET",
        path: `/v3/smartguide/guides${query(account, { store_id: wxStoreId, userid: wecomUserId, limit: "1", offset: "0" })}`,
        refusals: STORE,
        read: (status, body) => {
          const found = status === 200 ? guides.safeParse(body).data : undefined;
          const [one] = found?.data ?? [];
          return found && (one ? { guideId: one.guide_id } : null);
        },
      }),
  };
}

const subMerchant = (account: ChannelAccount) => (account.mode === "partner" ? { sub_mchid: account.subMchId } : {});
function person(account: ChannelAccount, guide: ChannelGuide) {
  const key = account.platformKeys[answerSerial(account)] ?? "";
  return { name: sealField(key, guide.name), mobile: sealField(key, guide.phone), qr_code: guide.qrCode, avatar: guide.avatar };
}
function storeBody(account: ChannelAccount, store: ChannelStore): object {
  const business = { ...(store.phone && { service_phone: store.phone }), ...(store.hours && { business_hours: store.hours }) };
  return {
    ...subMerchant(account),
    store_basics: { store_reference_id: store.number, brand_name: store.brandName, store_name: store.brandName, branch_name: store.name },
    store_address: {
      address_code: store.addressCode,
      address_detail: store.address,
      ...(store.latitude !== null && { latitude: String(store.latitude), longitude: String(store.longitude) }),
    },
    ...(Object.keys(business).length > 0 && { store_business: business }),
    store_recipient: [{ mchid: account.subMchId ?? account.mchId }],
  };
}
/** Only STORE_STATE_VALID is known for good; a reason why the address was not found is a no, everything else is still looked at. */
function readState(body: unknown): KnownStore | undefined {
  const found = storeState.safeParse(body);
  if (!found.success) return undefined;
  const { store_state_value: value = null, store_state_message: message, address_failed_reason: reason } = found.data.store_state ?? {};
  return {
    state: value === "STORE_STATE_VALID" ? "passed" : reason ? "rejected" : "auditing",
    channelState: value,
    message: reason ?? message ?? null,
  };
}
