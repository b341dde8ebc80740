import type { ReactNode } from "react";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { getImportSource } from "../contract.ts";
import { ChooseSheet } from "./ChooseSheet.tsx";
import { ImportResult } from "./ImportResult.tsx";
import "./imports.css";

/**
 * 批量导入: choose a sheet, see what is wrong with it, repair it here, import the rest. The import stands in the address
 * and on the server, so that a reload, another page or a logout loses nothing.
 */
export function ImportDrawer({ source, panel, onMade }: { source: string; panel: Panel; onMade: () => void }): ReactNode {
  const about = useDetail(getImportSource, { source });
  const id = panel.id === "new" ? undefined : panel.id;
  const title = `导入${about.data?.title ?? ""}`;
  if (about.error) {
    return (
      <Drawer title={title} onClose={panel.close}>
        <Failure error={about.error as never} retry={() => void about.refetch()} />
      </Drawer>
    );
  }
  if (!about.data) {
    return (
      <Drawer title={title} onClose={panel.close} width={880}>
        <Skeleton rows={6} />
      </Drawer>
    );
  }
  return id === undefined ? (
    <ChooseSheet source={source} about={about.data} onClose={panel.close} onOpen={panel.open} />
  ) : (
    <ImportResult key={id} id={id} about={about.data} onClose={panel.close} onOther={() => panel.open()} onMade={onMade} />
  );
}
