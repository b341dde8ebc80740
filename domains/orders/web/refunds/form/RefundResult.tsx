import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, HeroLine, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { getRefund, refundStatus } from "../../../contract/index.ts";
import { type Refund, refundWords } from "../refund-words.ts";
import { RetryRefund } from "../RetryRefund.tsx";
import { refundReads } from "../refund-reads.ts";
import "../../orders.css";

const NOTHING_ELSE: readonly Pick<Endpoint, "path">[] = [];

/** What became of a refund that was just sent: it changes by itself until somebody and the channel have decided. */
export function RefundResult({
  refundId,
  refreshes = NOTHING_ELSE,
  onClose,
}: {
  refundId: string;
  /** What else is old once it has moved, beside the lists of orders and refunds. */
  refreshes?: readonly Pick<Endpoint, "path">[];
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const refund = useDetail(getRefund, { id: refundId }, { until: ({ status }) => status > 1 });
  const status = refund.data?.status;
  useEffect(() => {
    if (status !== undefined && status !== 1)
      for (const { path } of [...refundReads, ...refreshes])
        if (path !== getRefund.path) void client.invalidateQueries({ queryKey: [path] });
  }, [client, status, refreshes]);
  return (
    <Drawer
      title="退款结果"
      onClose={onClose}
      footer={
        <>
          {refund.data && <RetryRefund refund={refund.data} tone="danger" refreshes={refreshes} />}
          <Button tone="primary" onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      <Loaded of={refund}>{(data) => <Result refund={data} />}</Loaded>
    </Drawer>
  );
}

function Result({ refund }: { refund: Refund }): ReactNode {
  return (
    <>
      <div role="status">
        <HeroLine label="退款金额" amount={refund.amountCents} status={<StatusTag of={refundStatus} code={refund.status} />} />
        <p className="refund-words">{refundWords(refund)}</p>
      </div>
      <Group
        title="退款"
        pairs={[
          ["退款单号", <Copy text={refund.refundNo} />],
          ["订单号", <Copy text={refund.orderNo} />],
          ["门店", refund.storeName],
          ["退款原因", refund.reason],
          ["申请时间", <Time at={refund.createdAt} />],
          ["完成时间", <Time at={refund.finishedAt} />],
        ]}
      />
    </>
  );
}
