import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { countedMembers } from "../../../members/server/index.ts";
import { getPrepaid, type Span } from "../../contract/index.ts";
import { payDrill } from "../drills.ts";
import { totalOf } from "../reports/groups.ts";

/** 会员与储值 of a span: what a report says of the whole, and who came. */
export const getPrepaidRoute = implement(getPrepaid, async (ctx, input) => {
  const { tx, scope } = ctx;
  if (!LEVELS.includes(scope.level)) throw forbidden();
  const yesterday = addDays(shanghaiDay(ctx.now_ms), -1);
  const span: Span = { from: input.from ?? yesterday, to: input.to ?? yesterday };
  const { current } = await totalOf(tx, { scope, filter: span, by: [], span });
  const { turnoverCents, consumedCents, timesCents, balanceCents } = current;
  if (turnoverCents === null || consumedCents === null || timesCents === null || balanceCents === null) throw forbidden();
  const { rechargeCents, rechargeBackCents, cardCents, cardBackCents } = current;
  const members = await countedMembers(tx, scope, span);
  const days = { from: span.from, to: span.to };
  return {
    span,
    turnoverCents,
    rechargeCents,
    rechargeBackCents,
    cardCents,
    cardBackCents,
    consumedCents,
    timesCents,
    balanceCents,
    membersNew: members.joined,
    membersActive: members.active,
    drill: {
      recharge: payDrill(span, { purpose: "1" }),
      consumed: { path: "/dataCentre/cardConsumption", query: days },
      balance: { path: "/dataCentre/cardSummary", query: { on: span.to } },
      joined: { path: MEMBERS, query: days },
      active: { path: MEMBERS, query: { activeFrom: span.from, activeTo: span.to } },
    },
  };
});
const MEMBERS = "/member/member";
const LEVELS: readonly string[] = ["SP", "MCH", "AE"];
