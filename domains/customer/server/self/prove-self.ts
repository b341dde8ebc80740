import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { checkPin, readOwn, spendSmsCode, type SmsPurpose } from "../../../members/server/index.ts";
import type { Self } from "../session/member-session.ts";

/**
 * Asks who is there once more, for what a session alone does not do: the PIN, or a code to the own phone where there is none. Before
 * anybody is held, for what is wrong counts in transactions of its own.
 * @throws 400 at `pin` or `sms`
 */
export async function proveSelf(
  { tx, services, incoming }: Pick<Ctx, "tx" | "services" | "incoming">,
  self: Self,
  { pin, sms }: { readonly pin?: string | undefined; readonly sms?: string | undefined },
  purpose: SmsPurpose,
): Promise<void> {
  const { hasPin, phone } = await readOwn(tx, services, self);
  if (hasPin) {
    if (pin === undefined) throw invalid("pin", "请输入支付密码");
    return checkPin(services, self, pin);
  }
  if (sms === undefined) throw invalid("sms", "请输入 6 位短信验证码");
  await spendSmsCode(services, self, phone, purpose, sms, incoming);
}
