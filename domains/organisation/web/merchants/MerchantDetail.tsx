import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { getMerchant, listMerchantRows, nodeState, setMerchantState, summariseMerchants, updateMerchant } from "../../contract/index.ts";
import { Rates } from "../ratios/Rates.tsx";
import { SetState } from "../SetState.tsx";
import { Assignments } from "../assignments/Assignments.tsx";
import { LogInAs } from "./LogInAs.tsx";
import { channelText } from "./merchant-columns.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";

type Details = OutputOf<typeof getMerchant>;

/** One merchant over the list. */
export function MerchantDetail({ list, onEdit }: { list: List<typeof listMerchantRows>; onEdit: (id: string) => void }): ReactNode {
  const merchant = useDetail(getMerchant, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = merchant;
  return (
    <DetailDrawer
      title={data ? data.shortName : "商户详情"}
      of={merchant}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setMerchantState}
              node={data}
              closing={levelWords`停用商户「${data.shortName}」后：${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.storeCount} 家门店、${data.deviceCount} 台设备停止收款。已收的款仍可退款，可随时重新启用。`}
              opening={levelWords`启用商户「${data.shortName}」？${data.accountCount} 个账号可以重新登录，${data.storeCount} 家门店恢复收款。`}
              refreshes={[getMerchant, listMerchantRows, summariseMerchants]}
            />
            <LogInAs merchant={data} />
            <Rates level="merchant" id={data.id} />
            <Act of={updateMerchant}>
              <Button tone="primary" onClick={() => onEdit(data.id)}>
                修改
              </Button>
            </Act>
          </>
        )
      }
    >
      {(details) => <Facts merchant={details} />}
    </DetailDrawer>
  );
}

function Facts({ merchant: m }: { merchant: Details }): ReactNode {
  return (
    <>
      <HeroLine label={`商户编号 ${m.number}`} value={m.name} status={<StatusTag of={nodeState} code={m.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["简称", m.shortName],
          ["行业", m.trade],
          ["地区", [m.province, m.city].filter(Boolean).join(" ")],
          ["地址", m.address],
          ["联系人", m.contactName],
          ["联系电话", m.contactPhone],
          ["客服电话", m.servicePhone],
          ["信用代码", m.licenceNo],
          ["法定代表人", m.legalPerson],
          ["开通时间", <Time at={m.openedAt} />],
        ]}
      />
      <Group
        title="归属"
        pairs={[
          ["服务商", m.serviceProviderName],
          ["代理商", m.agentName],
          ["团队", m.teamName],
          ["业务员", m.salesmanName],
        ]}
      />
      <Assignments of={{ merchantId: m.id }} />
      <Group
        title="经营"
        pairs={[
          ["费率", percent(m.feeRate)],
          ["通道", <Channels of={m} />],
          ["结算账户", m.settleTail && `${m.settleBank ?? ""} 尾号 ${m.settleTail}`],
          ["门店", `${m.storeCount} 家`],
          ["设备", `${m.deviceCount} 台`],
        ]}
      />
      {m.accounts.length > 0 && (
        <Group
          title="主账号"
          pairs={m.accounts.map((account) => [
            account.login,
            <>
              <StatusTag of={nodeState} code={account.state} /> {account.lastLoginAt ? <Time at={account.lastLoginAt} /> : "从未登录"}
            </>,
          ])}
        />
      )}
    </>
  );
}

/** What takes its money, and the two ways to have one more: keys that it has already, or an application. */
function Channels({ of: { id, channels } }: { of: Pick<Details, "id" | "channels"> }): ReactNode {
  return (
    <>
      {channelText(channels) || "没有"}{" "}
      <Act of={["/merchants/v3Secret/set"]}>
        <Link className="text-link" to={`/merchants/v3Secret?merchantId=${id}`}>
          设置密钥
        </Link>
      </Act>{" "}
      <Act of={["/applyment/form/edit"]}>
        <Link className="text-link" to={`/applyment/form?merchantId=${id}`}>
          进件
        </Link>
      </Act>
    </>
  );
}
