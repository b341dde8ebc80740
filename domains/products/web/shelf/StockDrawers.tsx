import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { getShelf, getShelfItem, moveStock, returnGoods, setWarning, summariseShelf } from "../../contract/index.ts";

type Given = { item: OutputOf<typeof getShelfItem>; onClose: () => void };
const refreshes = [getShelf, getShelfItem, summariseShelf];
const starting = labelled({ start: "开始计数" });
const counted = labelled({ in: "入库", out: "出库", count: "盘点", stop: "停止计数" });

/** 调整库存: what is there afterwards is said before it is sent. */
export function StockDrawer({ item, onClose }: Given): ReactNode {
  const first = item.stock === null;
  const form = useForm(moveStock, {
    initial: { storeId: item.storeId, skuId: item.id, act: first ? "start" : "in" },
    draft: false,
    done: "已调整库存",
    refreshes,
    onDone: onClose,
  });
  const { act, units = 0 } = form.values;
  const after = { start: units, in: (item.stock ?? 0) + units, out: (item.stock ?? 0) - units, count: units, stop: undefined }[act ?? "in"];
  return (
    <FormDrawer
      form={form}
      title={`库存 ${item.name}（${item.storeName}）`}
      submit={after === undefined ? "停止计数" : `库存改为 ${after} 件`}
      danger={act === "stop"}
      onClose={onClose}
    >
      <Field
        of={form.field("act")}
        label="操作"
        help={first ? "开始后每卖一件减一件" : `现在 ${item.stock} 件${item.reserved > 0 ? `，其中占用 ${item.reserved} 件` : ""}`}
      >
        {(f) => <Radios {...f} value={f.value as "in"} set={(first ? starting : counted) as typeof counted} />}
      </Field>
      {act !== "stop" && (
        <Field of={form.field("units")} label={act === "count" || act === "start" ? "实有件数" : "件数"}>
          {(f) => <NumberInput {...f} value={f.value as number} unit="件" />}
        </Field>
      )}
      <Field of={form.field("note")} label="说明" optional>
        {(f) => <TextInput {...f} maxLength={60} placeholder="如：报损、到货单号" />}
      </Field>
    </FormDrawer>
  );
}
/** 预警线. */
export function WarningDrawer({ item, onClose }: Given): ReactNode {
  const form = useForm(setWarning, {
    initial: { storeId: item.storeId, skuId: item.id, warnBelow: item.warnBelow },
    draft: false,
    done: "已设置",
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`预警线 ${item.name}（${item.storeName}）`} submit="保存" onClose={onClose}>
      <Field of={form.field("warnBelow")} label="预警线" optional help="卖到只剩这么多时发消息；留空不提醒">
        {(f) => (
          <NumberInput
            {...f}
            value={(f.value as number | null) ?? undefined}
            onChange={(value) => f.onChange((value ?? null) as never)}
            unit="件"
          />
        )}
      </Field>
    </FormDrawer>
  );
}
/** 退货入库. */
export function ReturnDrawer({ item, onClose }: Given): ReactNode {
  const form = useForm(returnGoods, {
    initial: { storeId: item.storeId, skuId: item.id, orderNo: "", units: 1 },
    draft: false,
    done: "已退货入库",
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer
      form={form}
      title={`退货入库 ${item.name}（${item.storeName}）`}
      submit={`退货入库 ${form.values.units ?? 0} 件`}
      onClose={onClose}
    >
      <Field of={form.field("orderNo")} label="订单号" help="退款之后货还在手里，才放回货架">
        {(f) => <TextInput {...f} maxLength={40} />}
      </Field>
      <Field of={form.field("units")} label="件数" help="不超过这笔订单卖出并退款的件数">
        {(f) => <NumberInput {...f} value={f.value as number} unit="件" />}
      </Field>
    </FormDrawer>
  );
}
