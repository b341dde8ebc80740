import type { ReactNode } from "react";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Assignments } from "./Assignments.tsx";

/** Opens every 预约移交 in sight. */
export function AssignmentsButton(): ReactNode {
  const panel = usePanel("planned");
  return (
    <>
      <Button onClick={() => panel.open()}>预约移交</Button>
      {panel.id && (
        <Drawer title="预约移交" onClose={panel.close} width={880}>
          <Assignments of={{}} always />
        </Drawer>
      )}
    </>
  );
}
