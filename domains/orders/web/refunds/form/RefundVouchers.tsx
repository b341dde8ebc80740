import { type ReactNode, useEffect, useState } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import type { PayOrderDetails } from "../../pay-orders/pay-order-details.ts";

export type Vouchers = NonNullable<PayOrderDetails["price"]>["vouchers"];
const two = (n: number): string => String(n).padStart(2, "0");

/** Which vouchers go back with the last of the money, where nobody chose: all that can. */
export const vouchersByItself = (vouchers: Vouchers): string[] =>
  vouchers.filter(({ status, refusal }) => status === 1 && refusal === null).map(({ attemptId }) => attemptId);

/** Vouchers of platforms that go back before the refund, each with the time that is left for it. */
export function RefundVouchers({
  id,
  vouchers,
  chosen,
  all,
  give,
  "aria-describedby": described,
}: Pick<InputProps<unknown>, "id" | "aria-describedby"> & {
  vouchers: Vouchers;
  chosen: readonly string[];
  /** Nothing was paid: they go back together. */
  all: boolean;
  give: (chosen: string[]) => void;
}): ReactNode {
  const [now_ms, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div id={id} className="refund-vouchers" role="group" aria-label="撤销平台券" aria-describedby={described}>
      {vouchers.map(({ attemptId, name, offCents, status, until, refusal }) => {
        const left_ms = until === null ? 0 : Math.max(0, Date.parse(until) - now_ms);
        const left = `${two(Math.floor(left_ms / 60_000))}:${two(Math.floor(left_ms / 1_000) % 60)}`;
        const words =
          status === 5
            ? "正在撤销，等有结果"
            : (refusal ??
              (left_ms > 0 && until !== null
                ? `${shanghaiTime(until).slice(11, 16)} 前能撤销，还剩 ${left}`
                : "已过撤销时间，请引导顾客到平台申请售后"));
        return (
          <label key={attemptId}>
            <input
              type="checkbox"
              checked={status === 5 || chosen.includes(attemptId)}
              disabled={all || status === 5 || refusal !== null}
              onChange={(event) => give(event.target.checked ? [...chosen, attemptId] : chosen.filter((one) => one !== attemptId))}
            />
            <span>
              {name}
              <small className="note">
                抵 ¥{yuan(offCents)}，{words}
              </small>
            </span>
          </label>
        );
      })}
    </div>
  );
}
