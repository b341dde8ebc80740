import type { ReactNode } from "react";
import { copyText } from "@zhangfang/web/copy.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { traceOrder } from "../../contract/index.ts";
import { traceText } from "./trace-text.ts";
import { TraceFlow } from "./TraceFlow.tsx";

/** 资金去向: the order's money from the payer to its last receiver, to print and to copy. Whoever shows it gives it a key that moves with the order, so that it is read anew. */
export function MoneyTrace({ orderId }: { orderId: string }): ReactNode {
  const trace = useDetail(traceOrder, { id: orderId });
  const { data } = trace;
  const copy = (): void => {
    if (data) void copyText(traceText(data), "已复制资金去向");
  };
  return (
    <section className="group trace-part" aria-label="资金去向">
      <header>
        <h3>资金去向（元）</h3>
        {data && (
          <span className="trace-acts">
            <Button small onClick={copy}>
              复制
            </Button>
            <Button small onClick={() => printSheet(<TraceFlow trace={data} title={`资金去向 ${data.orderNo}`} />)}>
              打印
            </Button>
          </span>
        )}
      </header>
      <Loaded of={trace}>{(found) => <TraceFlow trace={found} />}</Loaded>
    </section>
  );
}
