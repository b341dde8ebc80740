import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";

/** A limit of a cashier; none is said in words. */
export const limitWords = (cents: Cents | null): ReactNode =>
  cents === null ? "不限" : cents === 0 ? "不能退款" : <Money cents={cents} symbol />;
