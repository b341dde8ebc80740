import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";

/** Principal can come back as money: with its sign. */
export const Principal = ({ cents }: { cents: Cents }): ReactNode => <Money cents={cents} symbol />;
/** A gift never does: without one, and it says so. */
export const Gift = ({ cents }: { cents: number }): ReactNode => (
  <span className="num">
    {yuan(cents)} <small className="note">不可退</small>
  </span>
);
