import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  getSalesman,
  handOverMerchants,
  listSalesmanMerchants,
  listSalesmen,
  nodeState,
  setSalesmanState,
  summariseSalesmen,
  updateSalesman,
} from "../../contract/index.ts";
import { Assignments } from "../assignments/Assignments.tsx";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { ShareRatio } from "../ratios/ShareRatio.tsx";
import { SetState } from "../SetState.tsx";

type Details = OutputOf<typeof getSalesman>;
interface Opens {
  readonly list: List<typeof listSalesmen>;
  readonly onEdit: (id: string) => void;
  readonly onHandOver: (id: string) => void;
}

/** One salesman over the list. */
export function SalesmanDetail({ list, onEdit, onHandOver }: Opens): ReactNode {
  const salesman = useDetail(getSalesman, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = salesman;
  return (
    <DetailDrawer
      title={data ? data.name : "业务员详情"}
      of={salesman}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setSalesmanState}
              node={data}
              closing={`停用业务员「${data.name}」后：他的 ${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.merchantCount} 家商户仍归他名下、照常收款，可先移交给别人。可随时重新启用。`}
              opening={`启用业务员「${data.name}」？${data.accountCount} 个账号可以重新登录。`}
              refreshes={[getSalesman, listSalesmen, summariseSalesmen]}
            />
            <ShareRatio level="salesman" id={data.id} />
            <LogInAs merchant={{ shortName: data.name, loginUserId: data.loginUserId }} of="/salesman/salesman/loginAs" what="业务员" />
            {data.merchantCount > 0 && (
              <Act of={handOverMerchants}>
                <Button onClick={() => onHandOver(data.id)}>移交商户</Button>
              </Act>
            )}
            <Act of={updateSalesman}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => <Facts salesman={details} />}
    </DetailDrawer>
  );
}

function Facts({ salesman: s }: { salesman: Details }): ReactNode {
  return (
    <>
      <HeroLine label="业务员" value={s.name} status={<StatusTag of={nodeState} code={s.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["手机号", s.phone],
          ["所属", s.teamName ?? s.agentName ?? "服务商直属"],
          ["服务商", s.serviceProviderName],
          ["加入时间", <Time at={s.createdAt} />],
          ["商户", `${s.merchantCount} 家`],
          ["本月交易", `${yuan(s.monthPaidCents)} 元`],
        ]}
      />
      <Assignments of={{ salesmanId: s.id }} />
      <Merchants salesman={s} />
    </>
  );
}

function Merchants({ salesman: { id, merchantCount } }: { salesman: Details }): ReactNode {
  const found = useDetail(listSalesmanMerchants, merchantCount > 0 ? { id } : undefined).data?.items;
  if (!found || found.length === 0) return null;
  const c = columns<(typeof found)[number]>();
  return (
    <Group title={merchantCount > found.length ? `商户（前 ${found.length} 家）` : "商户"}>
      <DataTable
        label="商户"
        rows={found}
        columns={[
          c.text("name", "商户", { width: 160 }),
          c.text("number", "商户编号", { width: 128 }),
          c.code("state", "状态", nodeState, { width: 80 }),
          c.time("openedAt", "开通时间", { width: 168 }),
        ]}
      />
    </Group>
  );
}
