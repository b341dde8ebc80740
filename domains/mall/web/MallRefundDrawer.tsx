import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Field, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { QuickReasons, RefundedBefore, RefundPreview, RefundResult } from "../../orders/web/index.ts";
import { getMallOrder, previewMallRefund, refundMallLines } from "../contract/index.ts";
import { refundReads } from "./mall-reads.ts";
import "./mall.css";

type Order = OutputOf<typeof getMallOrder>;

/** 退款: an amount for each line, within what the line still holds, and before it leaves what it is worth in money and for whom. */
export function MallRefundDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const order = useDetail(getMallOrder, { id });
  const [refundId, setRefundId] = useState<string>();
  if (refundId !== undefined)
    return (
      <Suspense>
        <RefundResult refundId={refundId} refreshes={refundReads} onClose={onClose} />
      </Suspense>
    );
  if (order.data) return <MallRefundForm order={order.data} onClose={onClose} onDone={setRefundId} />;
  return <WaitingDrawer title="退款" of={order} onClose={onClose} />;
}

function MallRefundForm({ order, onClose, onDone }: { order: Order; onClose: () => void; onDone: (refundId: string) => void }): ReactNode {
  const left = order.lines.filter(({ leftCents }) => leftCents > 0);
  // What the lines are worth, in money and stored value, as it was last reckoned, and for which lines.
  const worth = useRef<{ readonly of: string; readonly cents: number }>(undefined);
  const form = useForm(refundMallLines, {
    initial: { id: order.id, lines: [], reason: "" },
    draft: order.id,
    secrets: ["refundPassword"],
    refreshes: refundReads,
    onDone: (answer) => onDone(answer.refundId),
    check: ({ lines = [] }) => {
      const over = order.lines.find((line) => (lines.find(({ lineId }) => lineId === line.id)?.amountCents ?? 0) > line.leftCents);
      return over && { lines: `「${over.name}」最多可退 ¥${yuan(over.leftCents)}` };
    },
    ask: ({ lines = [] }) => {
      const known = worth.current?.of === JSON.stringify(lines) ? worth.current.cents : undefined;
      const what = known === undefined ? `商品 ¥${yuan(sumOf(lines))}，按顾客实付折算后` : ` ¥${yuan(known)}，`;
      return {
        text: `商城订单 ${order.mallNo}（${order.storeName}）退款${what}${order.tool === 99 ? "退回会员账户" : "原路退回付款人"}。提交后不能撤回。`,
        ok: known === undefined ? "确认退款" : `确认退款 ¥${yuan(known)}`,
        danger: true,
      };
    },
  });
  const lines = form.values.lines ?? [];
  const preview = useMallPreview(order, lines);
  const shown = preview.data;
  const cents = shown?.valueCents;
  const key = JSON.stringify(lines);
  useEffect(() => void (worth.current = cents === undefined ? undefined : { of: key, cents }), [key, cents]);
  const act = shown?.needsApproval ? "申请退款" : "确认退款";
  return (
    <FormDrawer
      form={form}
      title={`退款 ${order.mallNo}`}
      submit={shown ? `${act} ¥${yuan(shown.valueCents)}` : act}
      danger
      onClose={onClose}
    >
      <RefundedBefore order={order} />
      <Field of={form.field("lines")} label="退款商品" help="每种商品填写要退的金额，留空不退">
        {(f) => <LineAmounts {...f} of={left} given={lines} give={(next) => form.set({ lines: next })} />}
      </Field>
      <Field of={form.field("reason")} label="退款原因" help="顾客会在退款通知里看到">
        {(f) => (
          <>
            <TextArea {...f} maxLength={80} rows={2} />
            <QuickReasons onPick={(reason) => form.set({ reason })} />
          </>
        )}
      </Field>
      {order.needsPassword && (
        <Field of={form.field("refundPassword")} label="退款密码" help="在商户配置里设置">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
        </Field>
      )}
      <Worth order={order} lines={lines} of={preview} />
    </FormDrawer>
  );
}

/** What lines are worth, asked for once the amounts stand still and can be. */
function useMallPreview(order: Order, lines: readonly Given[]) {
  const key = JSON.stringify(lines);
  const settled = useSettled(key, 200);
  const possible = lines.length > 0 && lines.every((one) => one.amountCents > 0 && one.amountCents <= leftOf(order, one.lineId));
  return useDetail(previewMallRefund, possible && settled === key ? { id: order.id, lines: lines as never } : undefined);
}
/** For whom it is, and why it is less than the goods cost. */
function Worth({ order, lines, of }: { order: Order; lines: readonly Given[]; of: ReturnType<typeof useMallPreview> }): ReactNode {
  const asked = sumOf(lines);
  return (
    <Suspense fallback={<Skeleton rows={3} />}>
      {of.data && of.data.valueCents < asked && (
        <p className="notice notice-warn">
          所选商品 ¥{yuan(asked)}，按顾客实付折算退 ¥{yuan(of.data.valueCents)}：其余是通道优惠，或已在支付订单里退款
        </p>
      )}
      <RefundPreview tool={order.tool} preview={of.data} error={of.error as ApiError | null} retry={() => void of.refetch()} />
    </Suspense>
  );
}
const leftOf = (order: Order, lineId: string): number => order.lines.find(({ id }) => id === lineId)?.leftCents ?? 0;
type Given = { readonly lineId: string; readonly amountCents: number };
/** An amount for each line that holds one; what is no amount is kept, so that the form refuses it instead of leaving the line out. */
function LineAmounts({
  id,
  of,
  given,
  give,
  "aria-invalid": invalid,
  "aria-describedby": described,
}: Pick<InputProps<unknown>, "id" | "aria-invalid" | "aria-describedby"> & {
  of: Order["lines"];
  given: readonly Given[];
  give: (lines: Given[]) => void;
}): ReactNode {
  const change = (lineId: string, amountCents: number | undefined): void => {
    const others = given.filter((one) => one.lineId !== lineId);
    give(amountCents === undefined ? others : [...others, { lineId, amountCents }]);
  };
  return (
    <div id={id} className="mall-refund-lines" role="group" aria-label="退款商品">
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
            aria-invalid={invalid && wrong(line, given) ? true : undefined}
            aria-describedby={described}
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
/** Whether an amount of a line cannot be: none at all, or more than the line holds. */
const wrong = (line: Order["lines"][number], given: readonly Given[]): boolean => {
  const cents = given.find(({ lineId }) => lineId === line.id)?.amountCents;
  return cents !== undefined && !(cents > 0 && cents <= line.leftCents);
};
const sumOf = (lines: readonly { readonly amountCents: number }[]): number => lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
