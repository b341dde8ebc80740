import type { ReactNode } from "react";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { Radios } from "@zhangfang/web/form/inputs.tsx";
import { usePreference } from "@zhangfang/web/look/preferences.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { type Paper, printSheet } from "@zhangfang/web/show/print-sheet.tsx";
import { HandoverReceipt } from "./handover/HandoverReceipt.tsx";
import { HandoverStatement } from "./handover/HandoverStatement.tsx";
import type { Sheet } from "./handover/sheet.ts";
import "./handover/handover-sheet.css";

const paperSize = labelled({ a4: "A4 纸", roll: "80 毫米小票", roll58: "58 毫米小票" });
type PaperSize = CodeOf<typeof paperSize>;
const PAPERS: Readonly<Record<PaperSize, Paper>> = { a4: "a4", roll: "80", roll58: "58" };

/** 打印交班单: the sheet as it will come out, on the paper that this account printed on last. */
export function PrintDrawer({ sheet, onClose }: { sheet: Sheet; onClose: () => void }): ReactNode {
  const [paper = "a4", setPaper] = usePreference<PaperSize>("handover-paper");
  const drawn = paper === "a4" ? <HandoverStatement sheet={sheet} /> : <HandoverReceipt sheet={sheet} />;
  return (
    <Drawer
      title="打印交班单"
      width={880}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button tone="primary" onClick={() => printSheet(drawn, PAPERS[paper])}>
            打印
          </Button>
        </>
      }
    >
      <Radios id="handover-paper" aria-label="纸张" set={paperSize} value={paper} onChange={setPaper} />
      <div className={`paper paper-${paper}`}>{drawn}</div>
    </Drawer>
  );
}
