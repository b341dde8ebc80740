import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { decideBetter, getCampaign, listCampaigns, withdrawBetter } from "../../contract/index.ts";
import { counted, minute, worthMost } from "./campaign-words.ts";

type Campaign = OutputOf<typeof getCampaign>;
const READS = [listCampaigns, getCampaign];

/** 等审核的改动: what the terms would say, and whose turn it is. */
export function BetterPart({ of: { id, name, better } }: { of: Campaign }): ReactNode {
  const panel = usePanel("better");
  const [busy, run] = useRun(READS);
  if (!better) return null;
  const { n, said, by, at, own, mayDecide, mayDecideAlone } = better;
  const withdraw = async (): Promise<void> => {
    if (!(await confirm(`撤回「${name}」的条款改动？现在的条款照旧。`, { ok: "撤回", danger: true }))) return;
    await run(async () => {
      await call(withdrawBetter, { id, n });
      success("已撤回改动");
    });
  };
  return (
    <Group title="等审核的改动">
      <p className="coupon-sentence">{said}</p>
      <p className="note">
        {by} 于 {minute(at)} 提交，要由另一人审核{mayDecide ? "，现在等你" : ""}；通过后领的才按它
      </p>
      <div className="package-acts">
        {(mayDecide || mayDecideAlone) && (
          <Act of={decideBetter}>
            <Button tone="primary" onClick={() => panel.open(id)}>
              审核改动
            </Button>
          </Act>
        )}
        {own && (
          <Act of={withdrawBetter}>
            <Button busy={busy} onClick={() => void withdraw()}>
              撤回改动
            </Button>
          </Act>
        )}
      </div>
    </Group>
  );
}

/** 审核改动: both sentences beside each other, and what it may cost. */
export function BetterDrawer({ of: campaign, onClose }: { of: Campaign; onClose: () => void }): ReactNode {
  const { better } = campaign;
  if (better && (better.mayDecide || better.mayDecideAlone))
    return <BetterForm key={better.n} of={campaign} better={better} onClose={onClose} />;
  return (
    <Drawer title="审核改动" onClose={onClose}>
      <p className="notice notice-warn">{better ? `${better.by} 提交的改动，提交人自己不能审核` : "这次改动已经处理过了"}</p>
    </Drawer>
  );
}
const verdict = labelled({ yes: "通过，之后领的按新条款", no: "不通过，条款照旧" });
function BetterForm({
  of: { id, name, said, terms, total, issued },
  better: { n, said: next, eachCents, by, mayDecide },
  onClose,
}: {
  of: Campaign;
  better: NonNullable<Campaign["better"]>;
  onClose: () => void;
}): ReactNode {
  const left = total - issued;
  const more = Math.max(0, eachCents - (worthMost(terms) ?? 0)) * left;
  const form = useForm(decideBetter, {
    initial: mayDecide ? { id, n } : { id, n, approve: true },
    draft: false,
    refreshes: READS,
    onDone: () => {
      success(form.values.approve ? `「${name}」已按新条款发` : "没有通过，条款照旧");
      onClose();
    },
    ask: ({ approve }) =>
      approve
        ? { text: `通过「${name}」的新条款？剩下的 ${counted(left)} 张按它发，最高负债增加 ¥${yuan(more)}。`, ok: "通过" }
        : { text: `不通过「${name}」的改动？现在的条款照旧。`, ok: "不通过", danger: true },
  });
  const { approve } = form.values;
  const chosen = approve === undefined ? undefined : approve ? ("yes" as const) : ("no" as const);
  const field = form.field("approve");
  return (
    <FormDrawer
      form={form}
      title={`审核改动 ${name}`}
      submit={approve === undefined ? "选择审核结果" : approve ? `通过 · 负债加 ${yuan(more)} 元` : "不通过"}
      danger={approve === false}
      onClose={onClose}
    >
      <Group title="现在">
        <p className="coupon-sentence">{said}</p>
      </Group>
      <Group title={`改成（${by}）`}>
        <p className="coupon-sentence">{next}</p>
      </Group>
      <Group
        title="最多会多花多少"
        pairs={[
          ["还没发的", `${counted(left)} 张`],
          ["每张最多减", `${yuan(worthMost(terms) ?? 0)} → ${yuan(eachCents)} 元`],
          ["负债增加", <b key="more" className="num">{`¥${yuan(more)}`}</b>],
        ]}
      />
      {mayDecide ? (
        <Field
          of={{
            name: "approve",
            value: chosen,
            error: field.error,
            set: (one) => field.set(one === undefined ? undefined : one === "yes"),
          }}
          label="审核结果"
        >
          {(f) => <Radios {...f} set={verdict} />}
        </Field>
      ) : (
        <Field of={form.field("refundPassword")} label="退款密码" help="改动是你提交的；小额的券，商户主账号可以凭退款密码自己通过">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={64} />}
        </Field>
      )}
    </FormDrawer>
  );
}
