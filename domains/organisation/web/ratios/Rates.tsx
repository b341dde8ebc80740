import type { ReactNode } from "react";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { RateLevel } from "../../contract/index.ts";
import { RatesDrawer } from "./RatesDrawer.tsx";

const ITEM = {
  provider: "/admin/serviceProvider/rates",
  agent: "/agent/agent/rates",
  merchant: "/merchants/merchants/rates",
} as const satisfies Record<RateLevel, ItemPath>;

/** The way to the rates of a provider, an agent or a merchant, and their drawer. */
export function Rates({ level, id }: { level: RateLevel; id: string }): ReactNode {
  const panel = usePanel("rates");
  return (
    <Act of={[ITEM[level]]}>
      <Button onClick={() => panel.open(id)}>费率</Button>
      {panel.id === id && <RatesDrawer level={level} id={id} onClose={panel.close} />}
    </Act>
  );
}
