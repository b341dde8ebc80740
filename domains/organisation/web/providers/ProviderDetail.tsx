import "./providers.css";
import type { ReactNode } from "react";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  getProvider,
  listProviders,
  nodeState,
  setProviderState,
  summariseProviders,
  updateBrand,
  updateProvider,
} from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { Rates } from "../ratios/Rates.tsx";
import { SetState } from "../SetState.tsx";
import { BrandFacts } from "./BrandFacts.tsx";
import { ContractFacts } from "./contract/ContractFacts.tsx";
import type { ProviderFacts } from "./provider-facts.ts";

interface Opens {
  readonly list: List<typeof listProviders>;
  readonly onEdit: (id: string) => void;
  readonly onBrand: (id: string) => void;
  readonly onNames: (id: string) => void;
  /** `renew:<id>`, `reject:<id>` or `cancel:<id>`. */
  readonly onContract: (what: string) => void;
}

/** One provider over the list. */
export function ProviderDetail({ list, onEdit, onBrand, onNames, onContract }: Opens): ReactNode {
  const provider = useDetail(getProvider, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = provider;
  return (
    <DetailDrawer
      title={data ? data.shortName : "服务商详情"}
      of={provider}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={
        data && (
          <>
            <SetState
              of={setProviderState}
              node={data}
              closing={`停用服务商「${data.shortName}」后：它和下级的 ${data.accountCount} 个账号不能登录，${data.sessionCount} 处登录立即退出；${data.merchantCount} 家商户、${data.storeCount} 家门店、${data.deviceCount} 台设备停止收款。可随时重新启用。`}
              opening={`启用服务商「${data.shortName}」？${data.accountCount} 个账号可以重新登录，${data.storeCount} 家门店恢复收款。`}
              refreshes={[getProvider, listProviders, summariseProviders]}
            />
            <LogInAs
              merchant={{ shortName: data.shortName, loginUserId: data.loginUserId }}
              of="/admin/serviceProvider/loginAs"
              what="服务商"
            />
            <Rates level="provider" id={data.id} />
            <Act of={updateProvider}>
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
          <Facts provider={details} />
          <ContractFacts provider={details} onContract={onContract} />
          <BrandFacts provider={details}>
            <Act of={updateBrand}>
              <div className="provider-acts">
                <Button small onClick={() => onBrand(details.id)}>
                  修改品牌
                </Button>
                <Button small onClick={() => onNames(details.id)}>
                  层级名称
                </Button>
              </div>
            </Act>
          </BrandFacts>
        </>
      )}
    </DetailDrawer>
  );
}

function Facts({ provider: p }: { provider: ProviderFacts }): ReactNode {
  const used = (count: number, quota: number | null, unit: string): string =>
    quota === null ? `${count} ${unit}，不限` : `${count} / ${quota} ${unit}${count >= quota ? "，已满" : ""}`;
  return (
    <>
      <HeroLine label={`服务商编号 ${p.number}`} value={p.name} status={<StatusTag of={nodeState} code={p.state} />} />
      <Group
        title="基本资料"
        pairs={[
          ["简称", p.shortName],
          ["联系人", p.contactName],
          ["联系电话", p.contactPhone],
          ["费率", percent(p.feeRate)],
          ["代理商分润上限", percent(p.agentRatioLimit)],
          ["开通时间", <Time at={p.createdAt} />],
        ]}
      />
      <Group
        title="用量"
        pairs={[
          ["商户", used(p.merchantCount, p.quotas.merchants, "家")],
          ["门店", used(p.storeCount, p.quotas.stores, "家")],
          ["设备", used(p.deviceCount, p.quotas.devices, "台")],
          ["账号", used(p.accountCount, p.quotas.accounts, "个")],
          ["正在登录", `${p.sessionCount} 处`],
        ]}
      />
    </>
  );
}
