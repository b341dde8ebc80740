import type { ReactNode } from "react";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getImport } from "../../../imports/contract.ts";
import { ImportDrawer } from "../../../imports/web/index.ts";

/** The three sheets of goods in one panel: its id is the kind of sheet, then the import itself, which knows its kind. */
export function ProductImport({ panel, onMade }: { panel: Panel; onMade: () => void }): ReactNode {
  const kind = panel.id?.startsWith("products-") ? panel.id : undefined;
  const known = useDetail(getImport, kind === undefined && panel.id ? { id: panel.id } : undefined);
  if (kind !== undefined) return <ImportDrawer source={kind} panel={{ ...panel, id: "new" }} onMade={onMade} />;
  if (!known.data) return <WaitingDrawer of={known} title="导入商品" width={880} onClose={panel.close} />;
  const { source } = known.data;
  return <ImportDrawer source={source} panel={{ ...panel, open: (id) => panel.open(id ?? source) }} onMade={onMade} />;
}
