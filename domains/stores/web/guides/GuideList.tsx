import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { addGuide, getGuide, guideStatus, listGuides, retryGuide, updateGuide } from "../../contract/index.ts";
import { AddGuide, EditGuide } from "./GuideForms.tsx";

type Row = RowOf<typeof listGuides>;

/** 支付即服务: employees whose card the channel shows to a customer after a payment. */
export function GuideList(): ReactNode {
  const list = useList(listGuides);
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const adding = (
    <Act of={addGuide}>
      <Button tone="primary" onClick={() => add.open()}>
        新增服务人员
      </Button>
    </Act>
  );
  const c = columns<Row>();
  return (
    <ListScreen
      title="支付即服务"
      unit="人"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="服务人员" placeholder="编号 / 姓名 / 企业微信ID / 手机后四位" />
          <OrgFilter of={list} levels={["storeId"]} />
          <Choice of={list.field("status")} label="状态" set={guideStatus} />
        </>
      }
      actions={adding}
      columns={[
        c.text("code", "编号", { width: 96 }),
        c.link("name", "姓名", (row) => list.open(row.id), { copy: false, width: 92, note: (row) => row.phone }),
        c.text("storeName", "门店", { width: 120 }),
        c.text("wecomUserId", "企业微信员工ID", { width: 132 }),
        c.text("guideId", "服务人员ID", { width: 160 }),
        c.code("status", "状态", guideStatus, { width: 96 }),
        c.text("message", "通道说明", { width: 140 }),
        c.time("updatedAt", "更新时间", { width: 168 }),
        c.actions((row) => <Acts row={row} onEdit={() => edit.open(row.id)} />, { width: 132 }),
      ]}
      empty={{ text: "还没有服务人员。门店先在微信门店里关联，再在这里登记", action: adding }}
    >
      <OneRow list={list} by={getGuide} id={list.openId} title="服务人员" onClose={list.close}>
        {(row) => <GuideDrawer row={row} onEdit={() => edit.open(row.id)} onClose={list.close} />}
      </OneRow>
      {add.id && <AddGuide onClose={add.close} />}
      <OneRow list={list} by={getGuide} id={edit.id} title="修改服务人员" onClose={edit.close}>
        {(row) => <EditGuide key={`${row.id}:${row.version}`} guide={row} onClose={edit.close} />}
      </OneRow>
    </ListScreen>
  );
}

function GuideDrawer({ row, onEdit, onClose }: { row: Row; onEdit: () => void; onClose: () => void }): ReactNode {
  return (
    <Drawer title={`${row.name} ${row.code}`} onClose={onClose} footer={<Acts row={row} onEdit={onEdit} />}>
      <Group
        title="服务人员"
        pairs={[
          ["门店", row.storeName],
          ["手机号", row.phone],
          ["企业微信ID", row.corpId],
          ["企业微信员工ID", row.wecomUserId],
        ]}
      />
      <Group
        title="通道"
        pairs={[
          ["服务人员ID", row.guideId],
          ["状态", <StatusTag key="status" of={guideStatus} code={row.status} />],
          ["通道说明", row.message],
          ["登记时间", <Time key="made" at={row.createdAt} />],
          ["更新时间", <Time key="changed" at={row.updatedAt} />],
        ]}
      />
    </Drawer>
  );
}

function Acts({ row, onEdit }: { row: Row; onEdit: () => void }): ReactNode {
  const [busy, run] = useRun([listGuides]);
  const retry = async (): Promise<void> => {
    await run(async () => {
      const { status, message } = await call(retryGuide, { id: row.id });
      if (status === "active") success("已登记");
      else warning(`${guideStatus.label(status)}：${message ?? ""}`);
    });
  };
  return (
    <>
      {row.status !== "active" && (
        <Act of={retryGuide}>
          <Button tone="link" busy={busy} onClick={() => void retry()}>
            重新登记
          </Button>
        </Act>
      )}
      <Act of={updateGuide}>
        <Button tone="link" onClick={onEdit}>
          修改
        </Button>
      </Act>
    </>
  );
}
