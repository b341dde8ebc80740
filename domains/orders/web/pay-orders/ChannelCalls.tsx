import type { ReactNode } from "react";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { codeWords } from "../../../channels/contract.ts";
import { channelOperation, channelOutcome } from "../../contract/index.ts";
import type { PayOrderDetails } from "./pay-order-details.ts";

type Call = PayOrderDetails["channelCalls"][number];

/** What was asked of the channel and what it said, for whoever must explain an order to it; folded. */
export function ChannelCalls({ calls }: { calls: readonly Call[] }): ReactNode {
  const c = columns<Call>();
  return (
    <details className="folded">
      <summary>通道交互（{calls.length} 次）</summary>
      <DataTable
        label="通道交互"
        density="compact"
        rows={calls}
        columns={[
          c.time("startedAt", "时间", { width: 168 }),
          c.code("operation", "动作", channelOperation, { width: 96 }),
          c.code("outcome", "结果", channelOutcome, { width: 96 }),
          c.number(
            "took",
            "用时（毫秒）",
            (call) => (call.endedAt === null ? null : Date.parse(call.endedAt) - Date.parse(call.startedAt)),
            { width: 104 },
          ),
          c.text("code", "通道答复", (call) => call.code && codeWords(call.code), { width: 168, note: (call) => call.code }),
          c.text("message", "通道说明", { width: 200 }),
        ]}
      />
    </details>
  );
}
