import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import type { InputProps } from "@zhangfang/web/form/Field.tsx";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { PayOrderDetails } from "../../pay-orders/pay-order-details.ts";

type Line = NonNullable<PayOrderDetails["price"]>["lines"][number];
export type Units = readonly { readonly place: number; readonly units: number }[];

/** How many units of each line go back, of those that are not back yet. */
export function RefundUnits({
  id,
  lines,
  units,
  give,
  "aria-invalid": invalid,
  "aria-describedby": described,
}: Pick<InputProps<unknown>, "id" | "aria-invalid" | "aria-describedby"> & {
  lines: readonly Line[];
  units: Units;
  give: (units: { place: number; units: number }[]) => void;
}): ReactNode {
  const left = lines.filter(({ leftUnits }) => leftUnits > 0);
  const change = (place: number, count: number | undefined): void =>
    give(
      [...units.filter((one) => one.place !== place), ...(count ? [{ place, units: count }] : [])].toSorted((a, b) => a.place - b.place),
    );
  const wrong = (line: Line): boolean => (units.find(({ place }) => place === line.place)?.units ?? 0) > line.leftUnits;
  return (
    <div id={id} className="refund-units" role="group" aria-label="退款商品">
      {left.map((line) => (
        <label key={line.place}>
          <span>
            {line.name}
            <small className="note">
              折后 ¥{yuan(line.netCents)}，共 {line.units} 件，可退 {line.leftUnits} 件
            </small>
          </span>
          <NumberInput
            id={`line-${line.place}`}
            unit="件"
            aria-invalid={invalid || wrong(line) ? true : undefined}
            aria-describedby={described}
            aria-label={`${line.name}退款数量`}
            value={units.find(({ place }) => place === line.place)?.units}
            onChange={(count) => change(line.place, count)}
          />
        </label>
      ))}
      <Button small onClick={() => give(left.map(({ place, leftUnits }) => ({ place, units: leftUnits })))}>
        全部退
      </Button>
    </div>
  );
}
