import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { audienceFilter } from "../../contract/index.ts";
import type { z } from "zod";

export type AudienceChosen = z.input<typeof audienceFilter>;
/** How many a filter means now, by the room that sends something to them. */
export const audienceKey = (of: Endpoint, asked: AudienceChosen) => [of.path, asked] as const;
/** Whom a filter means, in words. @example whom({ tag: "老客" }) // "标签「老客」的会员" */
export function whom({ tag, spentFromCents, lastVisitBefore, storeId }: AudienceChosen): string {
  const parts = [
    tag && `标签「${tag}」`,
    spentFromCents !== undefined && `累计消费满 ${yuan(spentFromCents)} 元`,
    lastVisitBefore && `${lastVisitBefore} 之后没来过`,
    storeId && "去过所选门店",
  ].filter(Boolean);
  return parts.length === 0 ? "全部会员" : `${parts.join("、")}的会员`;
}
