import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { bindSpeaker, getSpeaker, listSpeakers, outputStatus, speakerVendor, updateSpeaker } from "../contract/index.ts";
import { TestHardware, UnbindHardware } from "./HardwareActs.tsx";
import { HardwareDrawer, wishes } from "./HardwareDrawer.tsx";
import { OutputDrawer } from "./OutputTable.tsx";
import { BindSpeaker, EditSpeaker } from "./SpeakerForms.tsx";

type Row = RowOf<typeof listSpeakers>;

/** Their maker does not say whether one is on. What became of its last announcement is all that is known, and a day later not even that. */
const REACHED = labelled({ yes: ["上次送达", "good"], no: ["上次未送达", "warn"], unknown: ["未知", "ended"] });
const REACHED_HINT = "厂商不提供在线查询，这里按最近一次播报推断：24 小时内送达或未送达过；更早的不作数，显示未知。可以用测试播报确认";
const KNOWN_FOR_MS = 24 * 3_600_000;
function reachedOf({ lastStatus, lastAt }: Pick<Row, "lastStatus" | "lastAt">): "yes" | "no" | "unknown" {
  if (lastAt === null || Date.parse(lastAt) < Date.now() - KNOWN_FOR_MS) return "unknown";
  return lastStatus === 2 ? "yes" : lastStatus === 3 ? "no" : "unknown";
}

/** 云喇叭: the speakers of the stores in sight. */
export function SpeakerList(): ReactNode {
  const list = useList(listSpeakers);
  const [bind, edit, records] = [usePanel("bind"), usePanel("edit"), usePanel("records")];
  const c = columns<Row>();
  const binding = (
    <Act of={bindSpeaker}>
      <Button tone="primary" onClick={() => bind.open()}>
        绑定云喇叭
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="云喇叭"
      unit="台"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="云喇叭" placeholder="名称 / 编号 / 门店" />
          <OrgFilter of={list} levels={["storeId"]} />
        </>
      }
      actions={
        <>
          <Button onClick={() => records.open()}>最近播报</Button>
          {binding}
        </>
      }
      columns={[
        c.link("name", "名称", (row) => list.open(row.id), { width: 128, copy: false }),
        c.text("storeName", "门店", { width: 140 }),
        c.text("sn", "编号", (row) => <span className="num">{row.sn}</span>, { width: 128 }),
        c.number("volume", "音量", { width: 72 }),
        c.text("wishes", "自动播报", wishes, { width: 140 }),
        c.code("reached", "在线推断", REACHED, reachedOf, { width: 116, hint: REACHED_HINT }),
        c.code("lastStatus", "上次播报", outputStatus, { width: 108 }),
        c.time("lastAt", "上次时间", { width: 168 }),
        c.actions(
          (row) => (
            <>
              <TestHardware kind="speaker" of={row} link />
              <Act of={updateSpeaker}>
                <Button tone="link" onClick={() => edit.open(row.id)}>
                  修改
                </Button>
              </Act>
            </>
          ),
          { width: 108 },
        ),
      ]}
      empty={{ text: "还没有绑定云喇叭", action: binding }}
    >
      <OneRow list={list} by={getSpeaker} id={list.openId} title="云喇叭" onClose={list.close}>
        {(row) => <SpeakerDrawer row={row} onEdit={() => edit.open(row.id)} onClose={list.close} />}
      </OneRow>
      {bind.id && <BindSpeaker onClose={bind.close} onDone={list.open} />}
      <OneRow list={list} by={getSpeaker} id={edit.id} title="修改云喇叭" onClose={edit.close}>
        {(row) => <EditSpeaker key={row.version} row={row} onClose={edit.close} />}
      </OneRow>
      {records.id && <OutputDrawer kind="speaker" onClose={records.close} />}
    </ListScreen>
  );
}

function SpeakerDrawer({ row, onEdit, onClose }: { row: Row; onEdit: () => void; onClose: () => void }): ReactNode {
  return (
    <HardwareDrawer
      kind="speaker"
      row={row}
      onClose={onClose}
      pairs={[
        ["门店", row.storeName],
        ["品牌", speakerVendor.label(row.vendor)],
        ["编号", <span className="num">{row.sn}</span>],
        ["接口版本", String(row.protocol)],
        [
          "在线推断",
          <>
            <StatusTag of={REACHED} code={reachedOf(row)} /> {row.lastAt && <Time at={row.lastAt} />}{" "}
            <Hint of="在线推断" text={REACHED_HINT} />
          </>,
        ],
        ["音量", String(row.volume)],
        ["自动播报", wishes(row)],
        ["绑定时间", <Time at={row.createdAt} />],
      ]}
      footer={
        <>
          <UnbindHardware kind="speaker" of={row} onDone={onClose} />
          <TestHardware kind="speaker" of={row} />
          <Act of={updateSpeaker}>
            <Button tone="primary" onClick={onEdit}>
              修改
            </Button>
          </Act>
        </>
      }
    />
  );
}
