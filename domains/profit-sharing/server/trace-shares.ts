import type { Ctx } from "@zhangfang/server/call.ts";
import { percent, yuan } from "@zhangfang/contract/money.ts";
import { failReason, relationType } from "../contract/index.ts";
import { sharesOf } from "./shares-of.ts";

/** 分账 in an order's money trace: what each receiver got and gave back, as the merchant sees it; undefined where nothing was shared. */
export async function traceShares(ctx: Pick<Ctx, "tx">, order: { readonly service_provider_id: string; readonly id: string }) {
  const shares = await sharesOf(ctx.tx, order.service_provider_id, order.id);
  if (shares.length === 0) return undefined;
  const lines = shares.flatMap((share) => {
    const one = { rounding: null, at: share.at as never };
    const who = `${share.receiver}（${relationType.label(share.relation as never)}）`;
    const how = `基数 ¥${yuan(share.baseCents)} × ${percent(share.ratio)}`;
    if (share.state !== "success") {
      const why = share.state === "pending" ? "渠道处理中" : failReason.label(share.failReason as never);
      return [
        {
          ...one,
          label: who,
          note: `${how}，${yuan(share.amountCents)} 元${share.state === "pending" ? "待到账" : "未到账"}：${why}`,
          amountCents: null,
        },
      ];
    }
    const back =
      share.returnedCents === 0
        ? []
        : [{ ...one, label: `${share.receiver}退回`, note: "退款前的分账回退", amountCents: share.returnedCents as never }];
    return [{ ...one, label: who, note: how, amountCents: (0 - share.amountCents) as never }, ...back];
  });
  const sum = shares.reduce((all, share) => all + (share.state === "success" ? share.returnedCents - share.amountCents : 0), 0);
  return { station: "sharing" as const, lines, sum: { label: "分给他人", amountCents: sum as never } };
}
