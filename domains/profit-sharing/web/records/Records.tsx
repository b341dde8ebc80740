import { type ReactNode, useState } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { type decideShareRecord, getReturn, recordResult, recordState } from "../../contract/index.ts";
import { shareReads, type ShareDetails } from "../shared.ts";
import "../sharing.css";
import { RejectRecordDrawer } from "./RecordForms.tsx";

type SharingRecord = ShareDetails["records"][number];
interface Props {
  /** What confirms and rejects. */
  readonly of: typeof decideShareRecord;
  readonly records: readonly SharingRecord[];
  readonly number: string;
  readonly amountCents: number;
}

/** 人工登记: who said what of a share or a return without an answer, who confirmed it, and where the channel says otherwise. */
export function Records({ of, records, number, amountCents }: Props): ReactNode {
  const [busy, run] = useRun([...shareReads, getReturn]);
  const [rejecting, setRejecting] = useState<string>();
  const accept = async (one: SharingRecord): Promise<void> => {
    const what = one.aliases.length > 0 ? `${one.aliases.join("、")}${recordResult.label(one.result)}` : recordResult.label(one.result);
    const text = `确认 ${number}（¥${yuan(amountCents)}）的结果为「${what}」？确认前系统再问一次通道；通道没有答复，账上就按登记记，不能撤回。`;
    if (!(await confirm(text, { ok: "确认登记", danger: true }))) return;
    await run(async () => {
      await call(of, { id: one.id, decision: "confirm" });
      success("已复核，一分钟内入账");
    });
  };
  return (
    <>
      {records.map((one) => (
        <Group key={one.id} title="人工登记" pairs={factsOf(one)}>
          {one.difference && (
            <p className="notice notice-bad">通道后来的答复与登记不一致：{one.difference}。账上仍按登记，请与通道核对。</p>
          )}
          {one.decidable && (
            <p className="sharing-acts">
              <Button tone="primary" busy={busy} onClick={() => void accept(one)}>
                确认登记
              </Button>
              <Button onClick={() => setRejecting(one.id)}>驳回</Button>
            </p>
          )}
        </Group>
      ))}
      {rejecting !== undefined && <RejectRecordDrawer of={of} id={rejecting} number={number} onClose={() => setRejecting(undefined)} />}
    </>
  );
}

const factsOf = (one: SharingRecord) =>
  [
    ["状态", <StatusTag of={recordState} code={one.state} />],
    ["登记结果", <StatusTag of={recordResult} code={one.result} />],
    ...(one.aliases.length > 0 ? ([["到账方", one.aliases.join("、")]] as const) : []),
    ["通道单号", one.channelNo && <Copy text={one.channelNo} />],
    [one.result === "done" ? "到账日期" : "核对日期", one.happenedOn],
    ["核对说明", one.note],
    ["登记人", one.byName],
    ["登记时间", <Time at={one.createdAt} />],
    ...(one.decidedByName
      ? ([
          ["复核人", one.decidedByName],
          ["复核时间", one.decidedAt && <Time at={one.decidedAt} />],
          ["复核意见", one.decisionNote],
        ] as const)
      : []),
    ...(one.answeredAt ? ([["通道后来答复", <Time at={one.answeredAt} />]] as const) : []),
  ] as const;
