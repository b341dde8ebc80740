import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  cleanCashierId,
  getDevice,
  getDevices,
  queueCommands,
  renewDeviceKey,
  summariseDevices,
  unbindDevice,
  updateDeviceInfo,
} from "../../contract/index.ts";
import type { NewKey } from "./DeviceForms.tsx";

type Row = RowOf<typeof getDevices>;

/** What can be done with a device, each said with its name and what follows. */
export function DeviceActs({
  row,
  onEdit,
  onCommand,
  onKey,
  onGone,
}: {
  row: Row;
  onEdit: () => void;
  onCommand: () => void;
  onKey: (key: NewKey) => void;
  onGone: () => void;
}): ReactNode {
  const [busy, run] = useRun([getDevices, getDevice, summariseDevices]);
  const ask = async (text: string, ok: string, go: () => Promise<void>, danger = false): Promise<void> => {
    if (await confirm(text, { ok, danger })) await run(go);
  };
  const called = `「${row.name}」（${row.sn}）`;
  const clean = async (): Promise<void> => {
    await call(cleanCashierId, { device_id: row.id });
    success("已清除收银员");
  };
  const renew = async (): Promise<void> => onKey({ sn: row.sn, key: (await call(renewDeviceKey, { id: row.id })).key });
  const unbind = async (): Promise<void> => {
    await call(unbindDevice, { id: row.id });
    success("已解绑，设备在商户库存");
    onGone();
  };
  const questions = {
    clean: `清除${called}的收银员${row.cashierName ?? ""}？设备要重新选择收银员才能收款。`,
    renew: `更换${called}的密钥？现在的密钥立即失效，设备换上新密钥前不能收款。`,
    unbind: `从「${row.storeName}」解绑${called}？设备立即不能收款，回到商户库存；它自己的设置会清除，过去的订单不变。`,
  };
  return (
    <>
      {row.cashierId !== null && (
        <Act of={cleanCashierId}>
          <Button busy={busy} onClick={() => void ask(questions.clean, "清除收银员", clean)}>
            清除收银员
          </Button>
        </Act>
      )}
      {row.state === "active" && (
        <Act of={queueCommands}>
          <Button onClick={onCommand}>远程命令</Button>
        </Act>
      )}
      <Act of={renewDeviceKey}>
        <Button busy={busy} onClick={() => void ask(questions.renew, "更换密钥", renew)}>
          更换密钥
        </Button>
      </Act>
      <Act of={unbindDevice}>
        <Button tone="danger" busy={busy} onClick={() => void ask(questions.unbind, "解绑设备", unbind, true)}>
          解绑
        </Button>
      </Act>
      <Act of={updateDeviceInfo}>
        <Button tone="primary" onClick={onEdit}>
          修改
        </Button>
      </Act>
    </>
  );
}
