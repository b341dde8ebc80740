import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { nodeState } from "../../../organisation/contract/index.ts";
import { getStore, type listStoreRows, storeRole, updateStore } from "../../contract/index.ts";
import { SetStoreState } from "./SetStoreState.tsx";

type Details = OutputOf<typeof getStore>;

/** One store over the list. */
export function StoreDetail({ list, onEdit }: { list: List<typeof listStoreRows>; onEdit: (id: string) => void }): ReactNode {
  const store = useDetail(getStore, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = store;
  return (
    <DetailDrawer
      title={data ? data.shortName : "门店详情"}
      of={store}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetStoreState store={data} />
            <Act of={updateStore}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => (
        <>
          <Facts store={details} />
          <People store={details} />
        </>
      )}
    </DetailDrawer>
  );
}

const names = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join("、");

function Facts({ store: s }: { store: Details }): ReactNode {
  return (
    <>
      <HeroLine label={`门店编号 ${s.number}`} value={s.name} status={<StatusTag of={nodeState} code={s.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["商户", s.merchantState === "active" ? s.merchantName : `${s.merchantName}（已停用）`],
          ["服务商", s.serviceProviderName],
          ["地区", [s.province, s.city, s.district].filter(Boolean).join(" ")],
          ["地址", s.address],
          ["经纬度", s.latitude === null ? null : <span className="num">{`${s.latitude}, ${s.longitude}`}</span>],
          ["电话", s.phone],
          ["营业时间", s.hours],
          ["创建时间", <Time at={s.createdAt} />],
        ]}
      />
      <Group
        title="经营"
        pairs={[
          ["今日净收", <Money cents={s.todayCents} symbol />],
          ["今日笔数", `${s.todayCount} 笔`],
          ["分组", names(s.groups)],
          ["区域", names(s.areas)],
        ]}
      />
    </>
  );
}

/** What stands in the store and who works there; the first fifty of each. */
function People({ store: s }: { store: Details }): ReactNode {
  const d = columns<Details["devices"][number]>();
  const c = columns<Details["cashiers"][number]>();
  const e = columns<Details["employees"][number]>();
  return (
    <>
      <Group title={`设备（${s.deviceCount} 台）`}>
        {s.devices.length > 0 && (
          <DataTable
            label="设备"
            rows={s.devices}
            columns={[
              d.text("name", "名称", { width: 140 }),
              d.text("sn", "设备编号", { width: 140 }),
              d.text("model", "型号", { width: 140 }),
              d.code("state", "状态", nodeState, { width: 80 }),
              d.time("lastSeenAt", "最近在线", { width: 168 }),
            ]}
          />
        )}
      </Group>
      <Group title={`收银员（${s.cashierCount} 人）`}>
        {s.cashiers.length > 0 && (
          <DataTable
            label="收银员"
            rows={s.cashiers}
            columns={[
              c.text("code", "编号", { width: 100 }),
              c.text("name", "姓名", { width: 140 }),
              c.code("state", "状态", nodeState, { width: 80 }),
            ]}
          />
        )}
      </Group>
      {s.employees.length > 0 && (
        <Group title="账号">
          <DataTable
            label="账号"
            rows={s.employees}
            columns={[
              e.text("login", "登录名", { width: 140 }),
              e.text("name", "姓名", { width: 140 }),
              e.code("role", "身份", storeRole, { width: 100 }),
              e.code("state", "状态", nodeState, { width: 80 }),
            ]}
          />
        </Group>
      )}
    </>
  );
}
