import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { saveCsv } from "@zhangfang/web/save-csv.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getDevices, queueCommands, renewDeviceKeys } from "../../contract/index.ts";

/** So many devices are acted upon at once. */
const AT_ONCE = 500;

/** What is done with the ticked devices, or with all that the filter finds. */
export function DeviceBatch({ selection, onCommand }: { selection: Selection; onCommand: (ids: string) => void }): ReactNode {
  const [busy, run] = useRun();
  const meant = (): Promise<readonly string[] | undefined> => selectedIds(getDevices, selection, { most: AT_ONCE, unit: "台设备" });
  const command = async (): Promise<void> => {
    const ids = await meant();
    if (ids && ids.length > 0) onCommand(ids.join(","));
  };
  const keys = async (): Promise<void> => {
    const ids = await meant();
    if (!ids || ids.length === 0) return;
    const text = `给${selection.all ? "筛选出的" : "选中的"} ${ids.length} 台设备换新密钥并下载？现在的密钥立即失效，设备写入新密钥前不能收款；文件只有这一次。`;
    if (!(await confirm(text, { ok: "更换并下载", danger: true }))) return;
    await run(async () => {
      const { items } = await call(renewDeviceKeys, { ids: [...ids] });
      const rows = items.map(({ sn, name, storeName, key }) => [sn, name, storeName, key]);
      saveCsv("设备密钥.csv", [["设备编号", "名称", "门店", "密钥"], ...rows]);
      success(`已更换 ${items.length} 台设备的密钥`);
      selection.clear();
    });
  };
  return (
    <>
      <Act of={queueCommands}>
        <Button small onClick={() => void command()}>
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
