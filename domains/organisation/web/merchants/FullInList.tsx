import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { listIncompleteMerchants, missingFact, remindMerchants } from "../../contract/index.ts";

/** 资料补全: who lacks what, a way to fill it in, and a word to the merchant. */
export function FullInList(): ReactNode {
  const list = useList(listIncompleteMerchants);
  const mayRemind = useAct(remindMerchants);
  const mayExport = useAct(["/admin/fullInInfo/export"]);
  const c = columns<RowOf<typeof listIncompleteMerchants>>();
  return (
    <ListScreen
      title="资料补全"
      unit="家"
      {...(mayExport && { exportSource: "full-in" })}
      list={list}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="商户" placeholder="名称 / 拼音 / 编号" />
          <Choice of={list.field("missing")} label="缺少" set={missingFact} />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      columns={[
        c.link("number", "商户编号", { to: (row) => `/merchants/merchants?id=${row.id}` }, { width: 140 }),
        c.text("shortName", "商户", { width: 160 }),
        c.text("serviceProviderName", "服务商", { hidden: true }),
        c.text("missing", "还缺", (row) => row.missing.map((code) => missingFact.label(code)).join("、"), { width: 360 }),
        c.time("remindedAt", "上次提醒", { width: 168 }),
        c.time("openedAt", "开通时间", { sort: "openedAt", width: 168 }),
        c.actions((row) => <Remind ids={[row.id]} tone="link" onDone={list.refresh} />, { width: 96 }),
      ]}
      {...(mayRemind && {
        batch: (selection) =>
          selection.all ? null : (
            <Remind
              ids={selection.ids}
              tone="primary"
              onDone={() => {
                selection.clear();
                list.refresh();
              }}
            />
          ),
      })}
      onOpen={false}
      empty={{ text: "所有商户的资料都齐全" }}
    />
  );
}

/** A merchant that was asked within a day is not asked again. */
function Remind({ ids, tone, onDone }: { ids: readonly string[]; tone: ButtonTone; onDone: () => void }): ReactNode {
  const [busy, run] = useRun();
  const go = async (): Promise<void> => {
    await run(async () => {
      const { reminded, skipped } = await call(remindMerchants, { ids: [...ids] });
      success(`已提醒 ${reminded} 家商户${skipped > 0 ? `，${skipped} 家一天内提醒过` : ""}`);
      onDone();
    });
  };
  return (
    <Act of={remindMerchants}>
      <Button tone={tone} small={tone !== "link"} busy={busy} onClick={() => void go()}>
        {ids.length > 1 ? `提醒 ${ids.length} 家` : "提醒"}
      </Button>
    </Act>
  );
}
