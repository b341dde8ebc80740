import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import {
  AGAIN_S,
  askClosing,
  changeMember,
  changePhone,
  checkPin,
  readOwn,
  registerIdCard,
  sendCode,
  setFrozen,
  setPin,
  spendSmsCode,
  withdrawClosing,
} from "../../../members/server/index.ts";
import {
  changeOwnPhone,
  closeSelf,
  freezeSelf,
  keepSelf,
  saveOwnProfile,
  sendOwnCode,
  setOwnIdCard,
  setOwnPin,
} from "../../contract/index.ts";
import { proveSelf } from "./prove-self.ts";
import { selfOf, startMemberSession } from "../session/member-session.ts";

const BY = "会员本人";

/** 会员页发送本人验证码. */
export const sendOwnCodeRoute = implement(sendOwnCode, async (ctx, { purpose, newPhone }) => {
  const self = selfOf(ctx);
  const { phone } = await readOwn(ctx.tx, ctx.services, self);
  if (phone === "") throw conflict("会员没有手机号，请到店登记");
  const asker = { address: ctx.incoming.ip, own: newPhone === undefined };
  await sendCode(ctx.tx, ctx.services, self, newPhone ?? phone, purpose, asker);
  ctx.note({ targetKind: "member", targetId: self.id });
  return { ok: true as const, againAfter: AGAIN_S };
});

/** 会员页修改资料. */
export const saveOwnProfileRoute = implement(saveOwnProfile, async (ctx, { name, birthday, guardian }) => {
  const self = selfOf(ctx);
  const { revision } = await readOwn(ctx.tx, ctx.services, self);
  return changeMember(ctx, { id: self.id, revision, name, birthday, guardian }, "page");
});

/** 会员页登记证件号. */
export const setOwnIdCardRoute = implement(setOwnIdCard, (ctx, { idCard }) => registerIdCard(ctx, { id: selfOf(ctx).id, idCard }, "self"));

/**
 * 会员页设置支付密码. The one before is asked for: a phone in somebody else's hand for a moment does not make a new one, and who forgot it
 * goes to the store. Whoever was signed in elsewhere is signed out.
 */
export const setOwnPinRoute = implement(setOwnPin, async (ctx, { sms, pin, oldPin }) => {
  const self = selfOf(ctx);
  const { phone, status, hasPin } = await ctx.transaction((tx) => readOwn(tx, ctx.services, self), { readOnly: true });
  if (status !== 1) throw conflict("会员已冻结或正在注销，不能设置支付密码");
  if (/^(\d)\1{5}$/.test(pin) || "01234567890 09876543210".includes(pin)) throw invalid("pin", "支付密码太简单，不要用连号或同一个数字");
  if (hasPin) {
    if (oldPin === undefined) throw invalid("oldPin", "请输入原支付密码；忘了请到店重置");
    await checkPin(ctx.services, self, oldPin).catch((error: unknown) => Promise.reject(atOldPin(error)));
  }
  await spendSmsCode(ctx.services, self, phone, "pin", sms);
  const code_version = await setPin(ctx.services, self, { pin, instead: hasPin }, BY);
  await ctx.transaction(async (tx) => {
    await startMemberSession(tx, ctx, { ...self, code_version });
    await ctx.audit(tx, { targetKind: "member", targetId: self.id, after: { changed: "支付密码" } });
  });
  return { ok: true as const };
});

const atOldPin = (error: unknown): unknown =>
  error instanceof Refusal && error.fields?.["pin"] !== undefined ? invalid("oldPin", error.fields["pin"]) : error;

/** 会员页更换手机号. A PIN has to come with it, where there is one: whoever found the old phone does not get both. */
export const changeOwnPhoneRoute = implement(changeOwnPhone, async (ctx, { sms, newPhone, newSms, pin }) => {
  const self = selfOf(ctx);
  const own = await ctx.transaction((tx) => readOwn(tx, ctx.services, self), { readOnly: true });
  if (own.status !== 1) throw conflict("会员已冻结或正在注销，不能更换手机号");
  if (own.phone === newPhone) throw invalid("newPhone", "和现在的手机号一样");
  if (own.hasPin) {
    if (pin === undefined) throw invalid("pin", "请输入支付密码");
    await checkPin(ctx.services, self, pin);
  }
  await spendSmsCode(ctx.services, self, own.phone, "phone", sms);
  await spendSmsCode(ctx.services, self, newPhone, "phone", newSms).catch(() => {
    throw invalid("newSms", "新手机号的验证码错误或已过期，请重新获取");
  });
  await ctx.transaction(async (tx) => {
    await changePhone(tx, ctx.services, self, { phone: newPhone, from: own.phone, by_name: BY });
    const { code_version } = await readOwn(tx, ctx.services, self);
    await startMemberSession(tx, ctx, { ...self, code_version });
    await ctx.audit(tx, { targetKind: "member", targetId: self.id, after: { changed: "手机号" } });
  });
  return { ok: true as const };
});

/** 会员页冻结: by who may have lost the phone. A store that looked who it is takes it back. */
export const freezeSelfRoute = implement(freezeSelf, (ctx) =>
  setFrozen(ctx, { id: selfOf(ctx).id, frozen: true, reason: "本人在会员页冻结" }, "self"),
);

/** 会员页申请注销. */
export const closeSelfRoute = implement(closeSelf, async (ctx, { giveUp, pin, sms }) => {
  const self = selfOf(ctx);
  await proveSelf(ctx, self, { pin, sms }, "close");
  return askClosing(ctx, { id: self.id, giveUp, reason: "本人在会员页申请" });
});
export const keepSelfRoute = implement(keepSelf, (ctx) => withdrawClosing(ctx, { id: selfOf(ctx).id }));
