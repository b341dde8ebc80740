import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";

const Drawer = lazy(async () => ({ default: (await import("./PayCodeDrawer.tsx")).PayCodeDrawer }));

const OfCashiers = lazy(async () => ({ default: (await import("./PayCodeDrawer.tsx")).CashierCodeDrawer }));

/** 收款码 of one cashier, or of several. */
export function CashierCodeDrawer(props: ComponentProps<typeof OfCashiers>): ReactNode {
  return (
    <Suspense fallback={null}>
      <OfCashiers {...props} />
    </Suspense>
  );
}

/** 收款码 of one store, or of several at once: loaded when somebody first opens it. @example <PayCodeDrawer storeIds={[id]} onClose={close} /> */
export function PayCodeDrawer(props: ComponentProps<typeof Drawer>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Drawer {...props} />
    </Suspense>
  );
}
