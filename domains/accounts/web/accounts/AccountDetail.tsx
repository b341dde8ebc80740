import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { accountLevel, getUser, role, userState } from "../../contract/index.ts";
import { ExplainAccess } from "./ExplainAccess.tsx";
import { type ActsOf, RowActs } from "./account-acts.tsx";

type Listed = Pick<List, "openId" | "open" | "close"> & { readonly rows: readonly { readonly id: string }[] };

/** One account over its list: what it is, what it sees, where it is signed in. */
export function AccountDetail({ list, acts }: { list: Listed; acts: ActsOf }): ReactNode {
  const account = useDetail(getUser, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const refresh = (): void => {
    acts.refresh();
    void account.refetch();
  };
  return (
    <DetailDrawer
      title={account.data ? `账号 ${account.data.login}` : "账号详情"}
      of={account}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={account.data && <RowActs row={account.data} {...acts} refresh={refresh} />}
    >
      {(found) => <AccountFacts account={found} />}
    </DetailDrawer>
  );
}

function AccountFacts({ account }: { account: OutputOf<typeof getUser> }): ReactNode {
  return (
    <>
      <HeroLine
        label={accountLevel.label(account.level)}
        value={account.firstName}
        status={<StatusTag of={userState} code={account.state} />}
      />
      <Group
        title="账号"
        pairs={[
          ["登录名", account.login],
          ["角色", role.label(account.role)],
          ["所属机构", account.ownerName],
          ["服务商", account.serviceProviderName],
          ["主账号", account.root ? "是" : account.rootLogin],
          ["子账号", account.root ? `${account.subAccounts} 个` : undefined],
          ["岗位", account.positionName],
          ["功能范围", account.limited ? "已限定" : "该级别全部"],
          ["门店", account.stores.join("、")],
          ["区域", account.areas.join("、")],
          ["最近登录", <Time at={account.lastLoginAt} />],
          ["锁定至", <Time at={account.lockedUntil} />],
          ["创建时间", <Time at={account.createdAt} />],
        ]}
      />
      <ExplainAccess key={account.id} userId={account.id} />
      <Group title={`登录中（${account.sessions}）`}>
        {account.devices.length === 0 ? (
          <p className="note">当前没有登录</p>
        ) : (
          <ul className="account-devices">
            {account.devices.map((device, index) => (
              <li key={index}>
                <span>{device.device ?? "未知设备"}</span>
                <span className="note">
                  {device.ip ?? "—"} · 最近活动 <Time at={device.seenAt} />
                  {device.actorLogin && ` · ${device.actorLogin} 代管`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Group>
    </>
  );
}
