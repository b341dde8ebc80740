import { addMonths, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { bornOf, setMemberIdCard } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { sealed } from "../seal.ts";
import { holdLiving, toldOf } from "./own-member.ts";

const ADULT_MONTHS = 18 * 12;

/**
 * 登记会员证件号: what the rules on prepaid cards want of who holds more than a little. Sealed, found by nobody, shown with a reason alone.
 * @param by on their own page a member says it once; a shop that has seen the card corrects it
 * @throws 400 at `idCard`, 409
 */
export async function registerIdCard(ctx: Ctx, { id, idCard }: ParsedOf<typeof setMemberIdCard>, by: "shop" | "self" = "shop") {
  const own = await holdLiving(ctx, id);
  if (own.status !== 1) throw conflict("会员已冻结或正在注销，不能登记证件号");
  if (own.stage !== 1 || own.name_sealed === null) throw conflict("请先登记姓名并确认手机号", "member.unconfirmed");
  const born = bornOf(idCard);
  if (own.birthday !== null && own.birthday !== born) throw invalid("idCard", "证件号里的生日和会员资料里的生日不一致，请先核对");
  if (addMonths(born, ADULT_MONTHS) > shanghaiDay(ctx.now_ms)) throw invalid("idCard", "未满 18 周岁不能充值，不用登记证件号");
  const changed = await ctx.tx
    .updateTable("members")
    .set({
      id_card_sealed: sealed(ctx.services, "id-card", own.service_provider_id, id, idCard),
      revision: own.revision + 1,
    })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .$if(by === "self", (q) => q.where("id_card_sealed", "is", null))
    .executeTakeFirst();
  mustChange(changed, () => conflict("证件号登记过了，要改请到店里"));
  await addMemberEvent(ctx.tx, ctx.services, own, "changed", askerOf(ctx).name, "证件号");
  ctx.note(toldOf(own, { changed: "证件号" }));
  return { ok: true as const };
}
export const setMemberIdCardRoute = implement(setMemberIdCard, (ctx, given) => registerIdCard(ctx, given));
