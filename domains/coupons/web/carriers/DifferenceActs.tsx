import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  checkDifference,
  type CouponCarrier,
  differenceKind,
  getCampaign,
  listDifferences,
  mayRetry,
  retryDifference,
} from "../../contract/index.ts";
import { minute } from "../campaigns/campaign-words.ts";

type Difference = RowOf<typeof listDifferences>;
const READS = [listDifferences, getCampaign];
/** 重试 where telling WeChat once more may help, and 标记已核对 for what somebody has looked at. */
function DifferenceActs({ of: { id, kind, checkedAt } }: { of: Difference }): ReactNode {
  const [busy, run] = useRun(READS);
  const retry = (): Promise<void> =>
    run(async () => {
      await call(retryDifference, { id });
      success("已再次告诉微信，一会儿刷新看结果");
    });
  const check = (): Promise<void> =>
    run(async () => {
      await call(checkDifference, { id });
      success("已标记核对");
    });
  return (
    <>
      {mayRetry(kind) && (
        <Act of={retryDifference}>
          <Button tone="link" busy={busy} onClick={() => void retry()}>
            重试
          </Button>
        </Act>
      )}
      {checkedAt === null && (
        <Act of={checkDifference}>
          <Button tone="link" busy={busy} onClick={() => void check()}>
            标记已核对
          </Button>
        </Act>
      )}
    </>
  );
}

/** What is not the same, on both sides, since when and why. */
export function differenceColumns() {
  const c = columns<Difference>();
  return [
    c.code("kind", "差在哪里", differenceKind, {
      width: 120,
      note: (row) => (row.couponTail === "" ? "整个批次" : `券 ••••${row.couponTail}`),
    }),
    c.text("ours", "这里", { width: 136 }),
    c.text("theirs", "微信", { width: 136 }),
    c.text("reason", "原因", { width: 240 }),
    c.text("since", "发现时间", (row) => <span className="num">{minute(row.since)}</span>, {
      width: 136,
      note: (row) => (row.checkedAt === null ? "" : `${row.checkedBy} 已核对`),
    }),
    c.actions((row) => <DifferenceActs of={row} />, { width: 144, of: [retryDifference, checkDifference] }),
  ];
}
/** One line about what a carrier does, for whoever chooses it. */
export const carrierWords: Readonly<Record<CouponCarrier, string>> = {
  NONE: "券只在自己的店里领、自己的收银台用",
  busifavor: "审核后在微信建批次、传券码，核销、退券、作废跟着同步；领券和用券不等微信",
  favor: "审核后在微信建免充值批次，跟着暂停和恢复；不发进顾客的微信钱包",
};
