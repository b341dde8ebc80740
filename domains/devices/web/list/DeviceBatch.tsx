import { type ReactNode, useState } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { confirm, error, success } from "@zhangfang/web/notify.ts";
import { saveCsv } from "@zhangfang/web/save-csv.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { queueCommands, renewDeviceKeys } from "../../contract/index.ts";

/** So many devices are acted upon at once. */
const AT_ONCE = 500;

/** What is done with ticked devices. */
export function DeviceBatch({ selection, onCommand }: { selection: Selection; onCommand: (ids: string) => void }): ReactNode {
  const [busy, setBusy] = useState(false);
  const tooMany = selection.all || selection.ids.length > AT_ONCE;
  const refuse = (): void => error(`请勾选设备，一次最多 ${AT_ONCE} 台`);
  const keys = async (): Promise<void> => {
    if (tooMany) return refuse();
    const text = `给选中的 ${selection.ids.length} 台设备换新密钥并下载？现在的密钥立即失效，设备写入新密钥前不能收款；文件只有这一次。`;
    if (!(await confirm(text, { ok: "更换并下载", danger: true }))) return;
    setBusy(true);
    try {
      const { items } = await call(renewDeviceKeys, { ids: [...selection.ids] });
      const rows = items.map(({ sn, name, storeName, key }) => [sn, name, storeName, key]);
      saveCsv("设备密钥.csv", [["设备编号", "名称", "门店", "密钥"], ...rows]);
      success(`已更换 ${items.length} 台设备的密钥`);
      selection.clear();
    } catch {
      // The call has said it.
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Act of={queueCommands}>
        <Button small onClick={() => (tooMany ? refuse() : onCommand(selection.ids.join(",")))}>
          远程命令
        </Button>
      </Act>
      <Act of={renewDeviceKeys}>
        <Button small busy={busy} onClick={() => void keys()}>
          更换并下载密钥
        </Button>
      </Act>
    </>
  );
}
