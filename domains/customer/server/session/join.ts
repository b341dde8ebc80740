import { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import {
  AGAIN_S,
  checkPin,
  checkSaid,
  joinAtPage,
  saidFields,
  sendCode,
  spendSmsCode,
  whoHasPhone,
} from "../../../members/server/index.ts";
import { ruleOn } from "../../../points/server/index.ts";
import { sayRule } from "../../../points/contract/index.ts";
import { consentText } from "../../../members/contract/index.ts";
import { cardOf } from "../../../member-cards/server/index.ts";
import { FORM_DEFAULT, formField, formOf, lacking } from "../../../member-cards/contract/index.ts";
import { sayStored } from "../../../stored-value/server/index.ts";
import { getCustomerPage, joinAsCustomer, leaveCustomerPage, sendCustomerCode } from "../../contract/index.ts";
import { findMerchant, type PageMerchant, storeOfPage } from "./find-merchant.ts";
import { endMemberSession, selfOf, startMemberSession } from "./member-session.ts";
import { offeredFace } from "./read-faces.ts";

/** 会员页: what anybody may see of it. */
export const getCustomerPageRoute = implement(getCustomerPage, (ctx, { merchant, store }) =>
  ctx.platform("whose page it is", async (tx) => {
    const found = await findMerchant(tx, merchant);
    const place = found.closed === null && (await storeOfPage(tx, found, { store }));
    const { form, ...card } = (place && (await offeredFace(tx, ctx.services, place))) || {};
    const points = await ruleOn(tx, found, ctx.now);
    const stores = await tx
      .selectFrom("stores")
      .select(["id", "short_name"])
      .where("service_provider_id", "=", found.service_provider_id)
      .where("merchant_id", "=", found.merchant_id)
      .execute();
    const named = new Map(stores.map((one) => [one.id, one.short_name]));
    const { merchantName, brandName, phone, closed } = found;
    return {
      merchantName,
      brandName,
      phone,
      closed,
      card: "name" in card ? (card as never) : null,
      asks: form === undefined ? FORM_DEFAULT : formOf(form),
      consent: { ...consentText.privacy, guardian: consentText.guardian.text },
      pointsRule: points ? sayRule(points.rule, (id) => named.get(id) ?? "部分门店") : null,
      storedRule: (await sayStored(tx, found)) ?? null,
    };
  }),
);

/** An open merchant. @throws 404, 409 */
async function openMerchant(ctx: Ctx, merchant: string): Promise<PageMerchant> {
  const found = await ctx.platform("whose page it is", (tx) => findMerchant(tx, merchant));
  if (found.closed !== null) throw conflict(found.closed, "merchant.closed");
  return found;
}

/** 会员页发送验证码. */
export const sendCustomerCodeRoute = implement(sendCustomerCode, async (ctx, { merchant, phone }) => {
  const found = await openMerchant(ctx, merchant);
  await ctx.platform("send a code", (tx) => sendCode(tx, ctx.services, found, phone, "sign-in", { address: ctx.incoming.ip }));
  return { ok: true as const, againAfter: AGAIN_S };
});

const GOOD_MS = 10 * 60_000;
const provedPhone = z.object({ phone: z.string(), until: z.int() });
const keyOf = ({ services }: Ctx) => derivedKey(services.config.secret, "customer-proved");
const proofOf = (ctx: Ctx, { merchant_id }: PageMerchant, phone: string): string =>
  seal(keyOf(ctx), `proved:${merchant_id}`, JSON.stringify({ phone, until: ctx.now_ms + GOOD_MS }));
/** A phone that a code has proved in the last ten minutes. @throws 400 at `sms` */
function mustBeProved(ctx: Ctx, { merchant_id }: PageMerchant, phone: string, sealed: string): void {
  const over = invalid("sms", "验证已过期，请重新获取验证码");
  try {
    const proved = provedPhone.parse(JSON.parse(unseal(keyOf(ctx), `proved:${merchant_id}`, sealed)));
    if (proved.phone === phone && proved.until > ctx.now_ms) return;
  } catch {
    throw over;
  }
  throw over;
}

/**
 * 会员页入会或登录. A number may have gone to somebody else: where a PIN stands before the member, the code alone opens nothing. The code
 * is spent by then, so what it proved comes back sealed and goes with the PIN.
 */
export const joinAsCustomerRoute = implement(joinAsCustomer, async (ctx, { merchant, store, phone, sms, proved, pin, ...facts }) => {
  const found = await openMerchant(ctx, merchant);
  const { guardian, device, invitation, consent: _agreed, ...said } = facts;
  // Before the code is spent: what can't be said is said again without another one.
  checkSaid(said, guardian, ctx.now_ms);
  if (proved !== undefined) mustBeProved(ctx, found, phone, proved);
  else if (sms === undefined) throw invalid("sms", "请输入 6 位短信验证码");
  else await spendSmsCode(ctx.services, found, phone, "sign-in", sms);
  const known = await ctx.platform("whose phone it is", (tx) => whoHasPhone(tx, ctx.services, { ...found, phone }));
  if (known?.hasPin) {
    if (pin === undefined) return { signedIn: false, joined: false, proved: proofOf(ctx, found, phone), lacks: {} };
    await checkPin(ctx.services, known, pin);
  }
  // Who is a member already signs in; the form is asked of who joins.
  if (known?.stage !== 1) {
    const lacks = await ctx.platform("what the card asks", async (tx) => {
      const card = await cardOf(tx, ctx.services, await storeOfPage(tx, found, { store, member: known?.id }));
      return card ? lacking(formOf(card.form), saidFields(said)) : [];
    });
    const proof = lacks.length > 0 && proofOf(ctx, found, phone);
    if (proof)
      return {
        signedIn: false,
        joined: false,
        proved: proof,
        lacks: Object.fromEntries(
          lacks.map((field) => [field, `请${field === "sex" || field === "birthday" ? "选择" : "填写"}${formField.label(field)}`]),
        ),
      };
  }
  const made = await ctx.platform("sign a member in", async (tx) => {
    const { storeName: _name, ...place } = await storeOfPage(tx, found, { store, member: known?.id });
    const member = await joinAtPage(tx, ctx.services, {
      ...place,
      phone,
      ...said,
      guardian,
      from: { device, address: ctx.incoming.ip, invitation },
    });
    await startMemberSession(tx, ctx, member);
    const { service_provider_id: provider, merchant_id } = found;
    await ctx.audit(tx, { targetKind: "member", targetId: member.id, provider, merchant: merchant_id, after: { joined: member.made } });
    return member.made;
  });
  return { signedIn: true, joined: made, proved: null, lacks: {} };
});

/** 会员页退出. */
export const leaveCustomerPageRoute = implement(leaveCustomerPage, async (ctx) => {
  await endMemberSession(ctx.tx, ctx, selfOf(ctx));
  return { ok: true as const };
});
