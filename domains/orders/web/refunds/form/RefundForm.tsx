import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { payWallet, walletOf } from "../../../../channels/contract.ts";
import { previewRefund, refundOrder } from "../../../contract/index.ts";
import type { PayOrderDetails } from "../../pay-orders/pay-order-details.ts";
import { QuickReasons } from "./QuickReasons.tsx";
import { refundReads } from "../refund-reads.ts";
import { RefundPassword } from "../RefundPassword.tsx";
import { RefundedBefore } from "./RefundedBefore.tsx";
import { RefundPreview } from "./RefundPreview.tsx";
import { RefundUnits, type Units } from "./RefundUnits.tsx";
import { RefundVouchers, type Vouchers, vouchersByItself } from "./RefundVouchers.tsx";

const refundBy = labelled({ amount: "按金额", units: "按商品" });
const hasGoods = ({ price }: PayOrderDetails): boolean => price?.lines.some(({ name, leftUnits }) => name !== "" && leftUnits > 0) ?? false;

/** The refund itself: an amount within what is left or units of goods, a reason, and before it leaves, what goes back to whom. */
export function RefundForm({
  order,
  onClose,
  onDone,
}: {
  order: PayOrderDetails;
  onClose: () => void;
  onDone: (refundId: string) => void;
}): ReactNode {
  // What was left when the form was opened; a sum that changes under somebody's hands helps nobody, and the server decides.
  const [most] = useState(order.refundableCents);
  // What the asked units come to, as the server reckoned it last; the question names it.
  const worth = useRef(0);
  const back = useRef(0);
  const form = useForm(refundOrder, {
    initial: { orderId: order.id, amountCents: most, reason: "" },
    draft: order.id,
    secrets: ["refundPassword"],
    refreshes: refundReads,
    onDone: (answer) => onDone(answer.refundId),
    check: ({ amountCents = 0, units }) => (!units && amountCents > most ? { amountCents: `最多可退 ¥${yuan(most)}` } : undefined),
    ask: ({ amountCents = 0, units }) => {
      const cents = units ? worth.current : amountCents;
      const first = back.current > 0 ? `先撤销 ${back.current} 张平台券，再` : "";
      const way = order.tool === 99 ? "退回会员账户" : `原路退回付款人的${payWallet.label(walletOf(order.tool))}`;
      return {
        text: `订单 ${order.orderNo}（${order.storeName}）${first}退款 ¥${yuan(cents)}，${way}。提交后不能撤回。`,
        ok: `确认退款 ¥${yuan(cents)}`,
        danger: true,
      };
    },
  });
  const { amountCents, units, vouchers } = form.values;
  const amount = amountCents ?? 0;
  const asked = useAsked(order, most, { amount, units: units as Units | undefined, vouchers });
  const { preview } = asked;
  const [standing] = useState(order.price?.vouchers.filter(({ status }) => status !== 6) ?? []);
  const whole = preview.data ? preview.data.refundableAfterCents === 0 : !units && amount === most;
  const chosen = vouchers ?? (whole ? vouchersByItself(standing) : []);
  const cents = units ? (preview.data?.valueCents ?? 0) : amount;
  useEffect(() => void (worth.current = cents), [cents]);
  useEffect(() => void (back.current = chosen.length), [chosen.length]);
  const act = preview.data?.needsApproval || preview.data?.holds ? "申请退款" : "确认退款";
  return (
    <FormDrawer
      form={form}
      title={`退款 ${order.orderNo}`}
      submit={asked.possible ? `${act} ¥${yuan(cents)}` : act}
      danger
      onClose={onClose}
    >
      <RefundedBefore order={order} />
      <HowMuch form={form} order={order} most={most} left={asked.possible ? most - amount : undefined} />
      <WhichVouchers form={form} standing={standing} chosen={chosen} all={most === 0} />
      <Why form={form} needsPassword={preview.data?.needsPassword ?? false} />
      <RefundPreview
        tool={order.tool}
        {...(asked.possible && { preview: preview.data, error: preview.error as ApiError | null })}
        retry={() => void preview.refetch()}
      />
    </FormDrawer>
  );
}

function Why({ form, needsPassword }: { form: Form<typeof refundOrder>; needsPassword: boolean }): ReactNode {
  return (
    <>
      <Field of={form.field("reason")} label="退款原因" help="顾客会在退款通知里看到">
        {(f) => (
          <>
            <TextArea {...f} maxLength={80} rows={2} />
            <QuickReasons onPick={(reason) => form.set({ reason })} />
          </>
        )}
      </Field>
      {needsPassword && <RefundPassword field={form.field("refundPassword")} />}
    </>
  );
}

/** An amount; or units of goods, where the order has any that are not back. */
function HowMuch({
  form,
  order,
  most,
  left,
}: {
  form: Form<typeof refundOrder>;
  order: PayOrderDetails;
  most: Cents;
  left: number | undefined;
}): ReactNode {
  const { units } = form.values;
  return (
    <>
      {hasGoods(order) && (
        <Segments
          label="退款方式"
          set={refundBy}
          value={units ? "units" : "amount"}
          onChange={(by) => form.set(by === "units" ? { units: [], amountCents: undefined } : { units: undefined, amountCents: most })}
        />
      )}
      {units ? (
        <Field of={form.field("units")} label="退款商品" help="已退的商品不再列出；价格按下单时的折后价">
          {(f) => <RefundUnits {...f} lines={order.price?.lines ?? []} units={units as Units} give={(next) => form.set({ units: next })} />}
        </Field>
      ) : (
        <Field
          of={form.field("amountCents")}
          label="退款金额（元）"
          help={`可退 ¥${yuan(most)}${left === undefined ? "" : `，退款后剩余 ¥${yuan(left)}`}`}
        >
          {(f) => <MoneyInput {...f} onFocus={(event) => event.currentTarget.select()} />}
        </Field>
      )}
    </>
  );
}

/** Vouchers of platforms, where the order has any that are not back. */
function WhichVouchers({
  form,
  standing,
  chosen,
  all,
}: {
  form: Form<typeof refundOrder>;
  standing: Vouchers;
  chosen: readonly string[];
  all: boolean;
}): ReactNode {
  if (standing.length === 0) return null;
  return (
    <Field of={form.field("vouchers")} label="撤销平台券" help="先在平台撤销，再退实付；一张券要么整张撤销，要么不撤销">
      {(f) => <RefundVouchers {...f} vouchers={standing} chosen={chosen} all={all} give={(next) => form.set({ vouchers: next })} />}
    </Field>
  );
}

interface Asked {
  readonly amount: number;
  readonly units: Units | undefined;
  readonly vouchers: readonly string[] | undefined;
}
/** What the refund would do, asked for once what is typed stands still and can be. An order without value is voided by nothing. */
function useAsked(order: PayOrderDetails, most: Cents, { amount, units, vouchers }: Asked) {
  const named = units?.map((one) => `${one.place}:${one.units}`).join(",");
  const alone = vouchers !== undefined && vouchers.length > 0;
  const possible = named === undefined ? (amount > 0 || most === 0 || alone) && amount <= most : named !== "";
  const what = {
    ...(named === undefined ? { amountCents: amount } : { units: named }),
    ...(vouchers && { vouchers: vouchers.join(",") }),
  };
  const key = JSON.stringify(what);
  const settled = useSettled(key, 200);
  const preview = useDetail(previewRefund, possible && settled === key ? ({ orderId: order.id, ...what } as never) : undefined);
  return { possible, preview };
}
