import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { WaitingDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { contractMove, getProvider, listProviders, moveContract, renewContract, summariseProviders } from "../../../contract/index.ts";
import type { ProviderFacts } from "../provider-facts.ts";

/** 续约, 驳回 and 注销. @param what the act and the provider: `renew:<id>` */
export function ContractDrawer({ what, onClose }: { what: string; onClose: () => void }): ReactNode {
  const [act = "", id = ""] = what.split(":");
  const title = act === "reject" ? "驳回合同" : act === "cancel" ? "注销合同" : "续约";
  const provider = useDetail(getProvider, { id });
  const { data } = provider;
  if (!data) return <WaitingDrawer of={provider} title={title} onClose={onClose} />;
  if (act === "reject" || act === "cancel") return <MoveForm key={data.version} provider={data} move={act} onClose={onClose} />;
  return <RenewForm key={data.version} provider={data} onClose={onClose} />;
}

const REFRESHES = [listProviders, getProvider, summariseProviders];
const RENEWED = "续约后立即生效";

function RenewForm({ provider, onClose }: { provider: ProviderFacts; onClose: () => void }): ReactNode {
  const { id, version, contractFrom, contractUntil, contractState, shortName } = provider;
  const form = useForm(renewContract, {
    initial: { id, version, contractFrom, contractUntil },
    draft: `${id}:${version}`,
    done: "合同期限已保存",
    refreshes: REFRESHES,
    onDone: onClose,
  });
  const help = contractState === "expired" ? `${RENEWED}，${provider.accountCount} 个账号可以重新登录` : "含当天；留空为长期";
  return (
    <FormDrawer form={form} title={`续约 ${shortName}`} submit="保存期限" onClose={onClose}>
      <Field of={form.field("contractFrom")} label="生效日" optional>
        {(f) => <DayInput {...f} />}
      </Field>
      <Field of={form.field("contractUntil")} label="到期日" optional help={help}>
        {(f) => <DayInput {...f} />}
      </Field>
    </FormDrawer>
  );
}

function MoveForm({ provider, move, onClose }: { provider: ProviderFacts; move: "reject" | "cancel"; onClose: () => void }): ReactNode {
  const { id, version, shortName } = provider;
  const title = contractMove.label(move);
  const form = useForm(moveContract, {
    initial: { id, version, move },
    draft: `${move}:${id}:${version}`,
    done: `合同已${title}`,
    refreshes: REFRESHES,
    onDone: onClose,
    ask: () =>
      move === "cancel"
        ? {
            text: `注销「${shortName}」的合同后：${provider.accountCount} 个账号不能登录，${provider.sessionCount} 处登录立即退出；${provider.merchantCount} 家商户照常收款。注销后不能恢复。`,
            ok: "注销合同",
            danger: true,
          }
        : undefined,
  });
  return (
    <FormDrawer form={form} title={`${title}合同 ${shortName}`} submit={`${title}合同`} danger={move === "cancel"} onClose={onClose}>
      <Field of={form.field("note")} label="原因">
        {(f) => <TextArea {...f} maxLength={200} />}
      </Field>
    </FormDrawer>
  );
}
