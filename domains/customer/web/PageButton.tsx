import { lazy, type ReactNode, Suspense } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getCustomerAddress } from "../contract/index.ts";

const Drawer = lazy(async () => ({ default: (await import("./PageDrawer.tsx")).PageDrawer }));

/** 会员页: where customers join and look after themselves. @example <PageButton /> */
export function PageButton(): ReactNode {
  const panel = usePanel("page");
  if (!useAct(getCustomerAddress)) return null;
  return (
    <>
      <Button onClick={() => panel.open()}>会员页</Button>
      {panel.id && (
        <Suspense fallback={null}>
          <Drawer onClose={panel.close} />
        </Suspense>
      )}
    </>
  );
}
