import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, error, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  checkPrinter,
  type HardwareKind,
  listOutputs,
  listPrinters,
  listSpeakers,
  onlineState,
  testPrinter,
  testSpeaker,
  unbindPrinter,
  unbindSpeaker,
} from "../contract/index.ts";

interface Of {
  readonly id: string;
  readonly name: string;
  readonly storeName: string;
}
const READS = [listOutputs, listPrinters, listSpeakers];
const tone = (link: boolean) => (link ? "link" : "plain");

/** 测试打印 or 测试播报: what came of it is said at once. */
export function TestHardware({ kind, of, link = false }: { kind: HardwareKind; of: Of; link?: boolean }): ReactNode {
  const [busy, run] = useRun(READS);
  const endpoint = kind === "printer" ? testPrinter : testSpeaker;
  const words = kind === "printer" ? "测试打印" : "测试播报";
  const tell = ({ status, message }: OutputOf<typeof testPrinter>): void => {
    if (status === 2) success(`${words}已发送到「${of.name}」`);
    else if (status === 0) warning(`厂商没有受理，稍后会自动重试：${message ?? ""}`);
    else error(`${words}失败：${message ?? "结果未知"}`, 5000);
  };
  return (
    <Act of={endpoint}>
      <Button tone={tone(link)} busy={busy} onClick={() => void run(async () => tell(await call(endpoint, { id: of.id })))}>
        {link ? "测试" : words}
      </Button>
    </Act>
  );
}

/** Asks the maker whether the printer is on. */
export function CheckPrinter({ of }: { of: Of }): ReactNode {
  const [busy, run] = useRun(READS);
  const ask = async (): Promise<void> => {
    const { online, message } = await call(checkPrinter, { id: of.id });
    if (online === null) warning(`没有查到状态：${message ?? ""}`);
    else success(`「${of.name}」${onlineState.label(online)}`);
  };
  return (
    <Act of={checkPrinter}>
      <Button busy={busy} onClick={() => void run(ask)}>
        查询状态
      </Button>
    </Act>
  );
}

/** Unbinds after a question that says what ends. */
export function UnbindHardware({ kind, of, onDone }: { kind: HardwareKind; of: Of; onDone: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const endpoint = kind === "printer" ? unbindPrinter : unbindSpeaker;
  const ends = kind === "printer" ? "不再打印收款、退款和补打的小票" : "不再播报收款和退款";
  const go = async (): Promise<void> => {
    if (
      !(await confirm(`解绑「${of.name}」后：${of.storeName}的这台设备${ends}。设备可以重新绑定到任一门店。`, { ok: "解绑", danger: true }))
    )
      return;
    const { released } = await call(endpoint, { id: of.id });
    if (released) success("已解绑");
    else warning("已解绑；厂商没有应答，设备可能仍登记在平台账号下，重新绑定不受影响");
    onDone();
  };
  return (
    <Act of={endpoint}>
      <Button tone="danger" busy={busy} onClick={() => void run(go)}>
        解绑
      </Button>
    </Act>
  );
}
