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
import { getGroup, listGroups, nodeState, setGroupState, summariseGroups, updateGroup } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { ShareRatio } from "../ratios/ShareRatio.tsx";
import { SetState } from "../SetState.tsx";

type Details = OutputOf<typeof getGroup>;

/** One group over the list. */
export function GroupDetail({ list, onEdit }: { list: List<typeof listGroups>; onEdit: (id: string) => void }): ReactNode {
  const group = useDetail(getGroup, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = group;
  return (
    <DetailDrawer
      title={data ? data.name : "业务集团详情"}
      of={group}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setGroupState}
              node={data}
              closing={`停用业务集团「${data.name}」后：它和 ${data.teamCount} 个团队、${data.salesmanCount} 名业务员的 ${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.merchantCount} 家商户照常收款。可随时重新启用。`}
              opening={`启用业务集团「${data.name}」？${data.accountCount} 个账号可以重新登录。`}
              refreshes={[getGroup, listGroups, summariseGroups]}
            />
            <ShareRatio level="group" id={data.id} />
            <LogInAs
              merchant={{ shortName: data.name, loginUserId: data.loginUserId }}
              of="/businessGroup/businessGroup/loginAs"
              what="业务集团"
            />
            <Act of={updateGroup}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => <Facts group={details} />}
    </DetailDrawer>
  );
}

function Facts({ group: g }: { group: Details }): ReactNode {
  const c = columns<Details["teams"][number]>();
  return (
    <>
      <HeroLine label="业务集团" value={g.name} status={<StatusTag of={nodeState} code={g.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["负责人", g.leader],
          ["服务商", g.serviceProviderName],
          ["建立时间", <Time at={g.createdAt} />],
          ["业务员", `${g.salesmanCount} 人`],
          ["商户", `${g.merchantCount} 家`],
          ["本月交易", `${yuan(g.monthPaidCents)} 元`],
        ]}
      />
      {g.teams.length > 0 && (
        <Group title="团队">
          <DataTable
            label="团队"
            rows={g.teams}
            columns={[
              c.text("name", "团队", { width: 180 }),
              c.code("state", "状态", nodeState, { width: 80 }),
              c.number("merchantCount", "商户", { width: 72 }),
            ]}
          />
        </Group>
      )}
    </>
  );
}
