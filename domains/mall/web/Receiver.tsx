import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { type getMallOrder, revealReceiver } from "../contract/index.ts";

/** To whom it goes: masked, and in full for whoever may and asks; every look stands in the record. */
export function Receiver({ order }: { order: OutputOf<typeof getMallOrder> }): ReactNode {
  const [full, setFull] = useState<OutputOf<typeof revealReceiver>>();
  const [busy, run] = useRun();
  const reveal = async (): Promise<void> => {
    await run(async () => {
      setFull(await call(revealReceiver, { id: order.id }));
    });
  };
  return (
    <Group
      title="收货"
      pairs={[
        ["收货人", full?.name ?? order.receiverName],
        ["电话", full?.phone ?? order.receiverPhone],
        ["地区", order.receiverArea],
        ["详细地址", full?.address ?? "****"],
        ["买家留言", order.note],
      ]}
    >
      {!full && (
        <Act of={revealReceiver}>
          <Button small busy={busy} onClick={() => void reveal()}>
            查看完整信息
          </Button>
          <span className="note"> 查看会记入操作日志</span>
        </Act>
      )}
    </Group>
  );
}
