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
import { getTeam, listTeams, moveTeam, nodeState, setTeamState, summariseTeams, updateTeam } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { ShareRatio } from "../ratios/ShareRatio.tsx";
import { SetState } from "../SetState.tsx";

type Details = OutputOf<typeof getTeam>;

interface Opens {
  readonly list: List<typeof listTeams>;
  readonly onEdit: (id: string) => void;
  readonly onMove: (id: string) => void;
}

/** One team over the list. */
export function TeamDetail({ list, onEdit, onMove }: Opens): ReactNode {
  const team = useDetail(getTeam, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = team;
  return (
    <DetailDrawer
      title={data ? data.name : "业务团队详情"}
      of={team}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setTeamState}
              node={data}
              closing={`停用业务团队「${data.name}」后：它和 ${data.salesmanCount} 名业务员的 ${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.merchantCount} 家商户照常收款。可随时重新启用。`}
              opening={`启用业务团队「${data.name}」？${data.accountCount} 个账号可以重新登录。`}
              refreshes={[getTeam, listTeams, summariseTeams]}
            />
            <ShareRatio level="team" id={data.id} />
            <LogInAs
              merchant={{ shortName: data.name, loginUserId: data.loginUserId }}
              of="/businessGroup/businessTeam/loginAs"
              what="业务团队"
            />
            <Act of={moveTeam}>
              <Button onClick={() => onMove(data.id)}>转移集团</Button>
            </Act>
            <Act of={updateTeam}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => <Facts team={details} />}
    </DetailDrawer>
  );
}

function Facts({ team: t }: { team: Details }): ReactNode {
  const c = columns<Details["salesmen"][number]>();
  return (
    <>
      <HeroLine label="业务团队" value={t.name} status={<StatusTag of={nodeState} code={t.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["负责人", t.leader],
          ["业务集团", t.groupName ?? "服务商直属"],
          ["服务商", t.serviceProviderName],
          ["建立时间", <Time at={t.createdAt} />],
          ["商户", `${t.merchantCount} 家`],
          ["本月交易", `${yuan(t.monthPaidCents)} 元`],
        ]}
      />
      {t.salesmen.length > 0 && (
        <Group title="业务员">
          <DataTable
            label="业务员"
            rows={t.salesmen}
            columns={[
              c.text("name", "业务员", { width: 140 }),
              c.code("state", "状态", nodeState, { width: 80 }),
              c.number("merchantCount", "商户", { width: 72 }),
            ]}
          />
        </Group>
      )}
    </>
  );
}
