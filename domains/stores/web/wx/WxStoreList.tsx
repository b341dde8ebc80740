import type { ReactNode } from "react";
import type { Endpoint, InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { getWxStore, linkWxStore, listWxStores, submitWxStore, syncWxStore, wxStoreStatus } from "../../contract/index.ts";
import { LinkWxStore } from "./LinkWxStore.tsx";

type Row = RowOf<typeof listWxStores>;

/** 微信门店: each store's number at WeChat Pay and how its audit stands. */
export function WxStoreList(): ReactNode {
  const list = useList(listWxStores);
  const link = usePanel("link");
  const c = columns<Row>();
  return (
    <ListScreen
      title="微信门店"
      unit="家"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="门店" placeholder="名称 / 拼音 / 编号" />
          <Choice of={list.field("status")} label="状态" set={wxStoreStatus} />
        </>
      }
      columns={[
        c.text("number", "门店编号", { width: 120 }),
        c.link("name", "门店", (row) => list.open(row.id), { width: 180, copy: false }),
        c.text("address", "地址", { width: 160, note: (row) => row.city }),
        c.text("wxStoreId", "微信门店 ID", { width: 120 }),
        c.code("status", "状态", wxStoreStatus, { width: 96 }),
        c.text("message", "通道说明", { width: 180 }),
        c.time("syncedAt", "同步时间", { width: 168 }),
        c.actions((row) => <Acts row={row} onLink={() => link.open(row.id)} />, { width: 120 }),
      ]}
      empty={{ text: "还没有门店，请先在门店列表里新建" }}
    >
      <OneRow list={list} by={getWxStore} id={list.openId} title="微信门店" onClose={list.close}>
        {(row) => <WxStoreDrawer row={row} onLink={() => link.open(row.id)} onClose={list.close} />}
      </OneRow>
      {link.id && <LinkWxStore key={link.id} id={link.id} onClose={link.close} />}
    </ListScreen>
  );
}

function WxStoreDrawer({ row, onLink, onClose }: { row: Row; onLink: () => void; onClose: () => void }): ReactNode {
  return (
    <Drawer title={row.name} onClose={onClose} footer={<Acts row={row} onLink={onLink} />}>
      <Group
        title="门店"
        pairs={[
          ["门店编号", row.number],
          ["地址", [row.city, row.address].filter(Boolean).join(" ")],
        ]}
      />
      <Group
        title="微信支付"
        pairs={[
          ["微信门店 ID", row.wxStoreId],
          ["状态", <StatusTag key="status" of={wxStoreStatus} code={row.status} />],
          ["通道说明", row.message],
          ["同步时间", row.syncedAt && <Time at={row.syncedAt} />],
        ]}
      />
    </Drawer>
  );
}

const SUBMITTED = new Set<Row["status"]>(["auditing", "passed", "rejected"]);

function Acts({ row, onLink }: { row: Row; onLink: () => void }): ReactNode {
  const [busy, run] = useRun([listWxStores]);
  const ask = async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<void> => {
    await run(async () => {
      const { status, message } = (await call(endpoint, input)) as OutputOf<typeof syncWxStore>;
      if (status === "failed" || status === "unsure") warning(`${wxStoreStatus.label(status)}：${message ?? ""}`);
      else success(wxStoreStatus.label(status));
    });
  };
  const submit = async (): Promise<void> => {
    const text =
      row.status === "unsure" || row.status === "creating"
        ? `上次提交「${row.name}」没有得到应答，微信可能已经创建。请先在微信支付商户平台查看；已有的请用「关联」填写门店 ID，避免重复创建。仍要重新提交？`
        : `把「${row.name}」的名称、地址、电话和营业时间提交到微信支付？提交后由微信审核。`;
    if (await confirm(text, { ok: "提交" })) await ask(submitWxStore, { id: row.id });
  };
  return (
    <Act of={submitWxStore}>
      {SUBMITTED.has(row.status) ? (
        <Button tone="link" busy={busy} onClick={() => void ask(syncWxStore, { id: row.id })}>
          同步
        </Button>
      ) : (
        <Button tone="link" busy={busy} onClick={() => void submit()}>
          提交
        </Button>
      )}
      <Act of={linkWxStore}>
        <Button tone="link" onClick={onLink}>
          关联
        </Button>
      </Act>
    </Act>
  );
}
