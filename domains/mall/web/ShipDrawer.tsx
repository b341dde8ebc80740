import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { carrier, getMallOrder, shipMallOrder } from "../contract/index.ts";
import { orderReads } from "./mall-reads.ts";

/** 发货: who carries it, under which number. While it is on its way, the same form corrects both. */
export function ShipDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const order = useDetail(getMallOrder, { id });
  if (order.data) return <ShipForm order={order.data} onClose={onClose} />;
  return <WaitingDrawer title="发货" of={order} onClose={onClose} />;
}

function ShipForm({ order, onClose }: { order: OutputOf<typeof getMallOrder>; onClose: () => void }): ReactNode {
  const again = order.status === 2;
  const form = useForm(shipMallOrder, {
    initial: { id: order.id, ...(order.carrier && { carrier: order.carrier }), ...(order.trackingNo && { trackingNo: order.trackingNo }) },
    draft: order.id,
    done: again ? "已修改快递信息" : "已发货",
    refreshes: orderReads,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`${again ? "修改快递" : "发货"} ${order.mallNo}`} submit={again ? "保存" : "确认发货"} onClose={onClose}>
      <p className="note">
        {order.goods}，共 {order.quantity} 件；{order.receiverName} {order.receiverPhone} {order.receiverArea}
      </p>
      <Field of={form.field("carrier")} label="快递公司">
        {(f) => <Pick {...f} set={carrier} />}
      </Field>
      <Field of={form.field("trackingNo")} label="快递单号" help="商家自送填写送货单号">
        {(f) => <TextInput {...f} maxLength={32} autoComplete="off" />}
      </Field>
    </FormDrawer>
  );
}
