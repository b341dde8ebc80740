import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addSite, getSite, listSites, publishSite, siteState, updateSite } from "../../contract/index.ts";

type Row = RowOf<typeof listSites>;

/** 官网: the public pages of the providers in sight, with their domain names. */
export function SiteList(): ReactNode {
  const list = useList(listSites);
  const navigate = useNavigate();
  const edit = (id?: string): void => void navigate(`/admin/officialSite/add${id ? `?id=${id}` : ""}`);
  const adding = (
    <Act of={addSite}>
      <Button tone="primary" onClick={() => edit()}>
        新增官网
      </Button>
    </Act>
  );
  const c = columns<Row>();
  return (
    <ListScreen
      title="官网"
      unit="个"
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="官网" placeholder="域名 / 标题" />
          <Choice of={list.field("state")} label="状态" set={siteState} />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={adding}
      onOpen={(row) => edit(row.id)}
      hrefOf={(row) => `#/admin/officialSite/add?id=${row.id}`}
      columns={[
        c.link("host", "域名", (row) => edit(row.id), { width: 220, note: (row) => (row.atRoot ? "打开域名即官网" : "/site") }),
        c.text("title", "标题", { width: 200 }),
        c.text("serviceProviderName", "服务商", { width: 140 }),
        c.code("state", "状态", siteState, { width: 92, note: (row) => (row.changed ? "有未发布的修改" : undefined) }),
        c.time("publishedAt", "发布时间", { width: 168 }),
        c.time("updatedAt", "修改时间", { width: 168 }),
        c.actions(
          (row) => (
            <>
              <Act of={updateSite}>
                <Button tone="link" onClick={() => edit(row.id)}>
                  修改
                </Button>
              </Act>
              <Publish row={row} />
            </>
          ),
          { width: 120 },
        ),
      ]}
      empty={{ text: "还没有官网", action: adding }}
    />
  );
}

/** Puts the draft on the air, or takes the site off it; the version is asked for first, so that nobody publishes what they did not see. */
function Publish({ row }: { row: Row }): ReactNode {
  const [busy, run] = useRun([listSites, getSite]);
  const off = row.state === "published" && !row.changed;
  const go = async (): Promise<void> => {
    const text = off ? `下线「${row.host}」的官网？访客将看不到它，草稿保留。` : `发布「${row.title}」到 ${row.host}？所有人都能看到。`;
    if (!(await confirm(text, { ok: off ? "下线" : "发布", danger: off }))) return;
    await run(async () => {
      const { version } = await call(getSite, { id: row.id });
      await call(publishSite, { id: row.id, version, published: !off });
      success(off ? "已下线" : "已发布");
    });
  };
  return (
    <Act of={publishSite}>
      <Button tone="link" busy={busy} onClick={() => void go()}>
        {off ? "下线" : "发布"}
      </Button>
    </Act>
  );
}
