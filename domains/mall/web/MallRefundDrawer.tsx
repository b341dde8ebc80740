import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/Detail.tsx";
import { getMallOrder, refundMallLines } from "../contract/index.ts";
import { refundReads } from "./mall-reads.ts";
import "./mall.css";

type Order = OutputOf<typeof getMallOrder>;

/** 退款: an amount for each line, within what the line still holds. */
export function MallRefundDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const { data } = useDetail(getMallOrder, { id });
  return data && <MallRefundForm order={data} onClose={onClose} />;
}

function MallRefundForm({ order, onClose }: { order: Order; onClose: () => void }): ReactNode {
  const left = order.lines.filter(({ leftCents }) => leftCents > 0);
  const form = useForm(refundMallLines, {
    initial: { id: order.id, lines: [], reason: "" },
    draft: order.id,
    secrets: ["refundPassword"],
    done: "已提交退款",
    refreshes: refundReads,
    onDone: onClose,
    check: ({ lines = [] }) => {
      const over = order.lines.find((line) => (lines.find(({ lineId }) => lineId === line.id)?.amountCents ?? 0) > line.leftCents);
      return over && { lines: `「${over.name}」最多可退 ¥${yuan(over.leftCents)}` };
    },
    ask: ({ lines = [] }) => ({
      text: `商城订单 ${order.mallNo}（${order.storeName}）退款 ¥${yuan(sumOf(lines))}，原路退回付款人。提交后不能撤回。`,
      ok: `确认退款 ¥${yuan(sumOf(lines))}`,
      danger: true,
    }),
  });
  const lines = form.values.lines ?? [];
  const total = sumOf(lines);
  return (
    <FormDrawer
      form={form}
      title={`退款 ${order.mallNo}`}
      submit={total > 0 ? `确认退款 ¥${yuan(total)}` : "确认退款"}
      danger
      onClose={onClose}
    >
      <Field of={form.field("lines")} label="退款商品" help="每种商品填写要退的金额，留空不退">
        {(f) => <LineAmounts id={f.id} of={left} given={lines} give={(next) => form.set({ lines: next })} />}
      </Field>
      <Field of={form.field("reason")} label="退款原因" help="顾客会在退款通知里看到">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
      {order.needsPassword && (
        <Field of={form.field("refundPassword")} label="退款密码" help="在商户配置里设置">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
        </Field>
      )}
    </FormDrawer>
  );
}
type Given = { readonly lineId: string; readonly amountCents: number };
/** An amount for each line that holds one; what is no amount is kept, so that the form refuses it instead of leaving the line out. */
function LineAmounts({
  id,
  of,
  given,
  give,
}: {
  id: string;
  of: Order["lines"];
  given: readonly Given[];
  give: (lines: Given[]) => void;
}): ReactNode {
  const change = (lineId: string, amountCents: number | undefined): void => {
    const others = given.filter((one) => one.lineId !== lineId);
    give(amountCents === undefined ? others : [...others, { lineId, amountCents }]);
  };
  return (
    <div id={id} className="refund-lines" role="group" aria-label="退款商品">
      {of.map((line) => (
        <label key={line.id}>
          <span>
            {line.name}
            <small className="note">
              可退 ¥{yuan(line.leftCents)}
              {line.quantity > 1 && ` · ${line.quantity} 件`}
            </small>
          </span>
          <MoneyInput
            id={`line-${line.id}`}
            aria-label={`${line.name}退款金额`}
            value={given.find(({ lineId }) => lineId === line.id)?.amountCents as Cents | undefined}
            onChange={(cents) => change(line.id, cents)}
          />
        </label>
      ))}
      <Button small onClick={() => give(of.map(({ id: lineId, leftCents: amountCents }) => ({ lineId, amountCents })))}>
        全部退
      </Button>
    </div>
  );
}
const sumOf = (lines: readonly { readonly amountCents: number }[]): number => lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
