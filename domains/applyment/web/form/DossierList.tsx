import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useCounts, useList } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { dossierStage, getApplymentAccount, listDossiers, saveDossier } from "../../contract/index.ts";

/** 进件申请: whose papers are being filled in, and a merchant to begin with. */
export function DossierList(): ReactNode {
  const list = useList(listDossiers);
  const navigate = useNavigate();
  const c = columns<RowOf<typeof listDossiers>>();
  const open = (merchantId: string): void => void navigate(`/applyment/form?merchantId=${merchantId}`);
  return (
    <ListScreen
      title="进件申请"
      unit="份"
      list={list}
      tabs={{ of: list.field("stage"), set: dossierStage, counts: useCounts(list, "stage", dossierStage) }}
      onOpen={(row) => open(row.merchantId)}
      hrefOf={(row) => `#/applyment/form?merchantId=${row.merchantId}`}
      filters={<Keyword of={list.field("keyword")} label="商户" placeholder="商户简称" />}
      actions={
        <>
          <Act of={getApplymentAccount}>
            <Button onClick={() => void navigate("/applyment/info?panel=account")}>进件账户</Button>
          </Act>
          <Act of={saveDossier}>
            <OrgPicker
              level="merchantId"
              className="filing-pick"
              placeholder="选商户，开始进件"
              onChange={(merchantId) => merchantId !== undefined && open(merchantId)}
            />
          </Act>
        </>
      }
      columns={[
        c.link("merchantName", "商户", (row) => open(row.merchantId), { width: 200 }),
        c.code("stage", "进度", dossierStage, { width: 128 }),
        c.text("filled", "已填", (row) => `${row.filled} 栏`, { width: 88 }),
        c.text("byName", "最后填写", { width: 128 }),
        c.time("updatedAt", "最后填写时间", { width: 168 }),
      ]}
      empty={{ text: "还没有人填过开户资料。在右上角选一个商户就能开始，填到一半也会自动保存" }}
    />
  );
}
