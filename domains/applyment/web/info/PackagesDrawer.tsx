import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { packageChannel, packageState } from "../../contract/codes.ts";
import { addPackage, listPackages, lookAtPackage, setPackageState } from "../../contract/index.ts";
import { minute } from "./info-words.ts";
import "./info.css";

type Package = OutputOf<typeof listPackages>["items"][number];
const READS = [listPackages];

/** 资料包: the papers as a file, for Alipay and the acquirers, and how each stands there. */
export function PackagesDrawer({
  merchantId,
  merchantName,
  onClose,
}: {
  merchantId: string;
  merchantName: string;
  onClose: () => void;
}): ReactNode {
  const packages = useDetail(listPackages, { merchantId });
  const [told, setTold] = useState<{ readonly of: Package; readonly state: "PASSED" | "REJECTED" }>();
  const form = useForm(addPackage, {
    initial: { merchantId },
    draft: false,
    done: "资料包已生成，可以下载",
    refreshes: READS,
  });
  if (told) return <StateDrawer {...told} onClose={() => setTold(undefined)} />;
  const { channel } = form.values;
  return (
    <FormDrawer
      form={form}
      title={`资料包 ${merchantName}`}
      submit={channel === undefined ? "选择通道" : `生成给${packageChannel.label(channel)}的资料包`}
      onClose={onClose}
    >
      <p className="note">
        支付宝和收单机构没有进件接口：把资料和图片打成压缩包交给他们，结果在这里登记。包里是完整的证件号和卡号，每次下载都留记录。
      </p>
      <Field of={form.field("channel")} label="通道">
        {(f) => <Pick {...f} set={packageChannel} />}
      </Field>
      <Loaded of={packages}>
        {({ items }) => (
          <Group title="已生成的">
            {items.length === 0 && <p className="note">还没有生成过。</p>}
            <ul className="applyment-packages">
              {items.map((one) => (
                <Item key={one.id} of={one} onTell={(state) => setTold({ of: one, state })} />
              ))}
            </ul>
          </Group>
        )}
      </Loaded>
    </FormDrawer>
  );
}
function Item({ of: one, onTell }: { of: Package; onTell: (state: "PASSED" | "REJECTED") => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const name = packageChannel.label(one.channel);
  const load = (): Promise<void> =>
    run(async () => {
      const { url } = await call(lookAtPackage, { id: one.id });
      Object.assign(document.createElement("a"), { href: url, download: "" }).click();
    });
  const send = async (): Promise<void> => {
    if (!(await confirm(`登记已把资料包交给${name}？`, { ok: "已提交" }))) return;
    await run(async () => {
      await call(setPackageState, { id: one.id, state: "SUBMITTED" });
      success("已登记");
    });
  };
  return (
    <li>
      <div>
        <b>{name}</b> <StatusTag of={packageState} code={one.state} />
        <p className="note">{`${minute(one.createdAt)} ${one.byName} 生成 · ${one.pictures} 张图片${one.state === "MADE" ? "" : ` · ${minute(one.stateAt)} ${one.stateBy} 登记`}`}</p>
        {one.number && <p className="num">{one.number}</p>}
        {one.reason && <p className="applyment-until">{one.reason}</p>}
      </div>
      <div className="applyment-choose">
        <Act of={lookAtPackage}>
          <Button small busy={busy} onClick={() => void load()}>
            下载
          </Button>
        </Act>
        <Act of={setPackageState}>
          {one.state === "MADE" && (
            <Button small busy={busy} onClick={() => void send()}>
              登记已提交
            </Button>
          )}
          {one.state === "SUBMITTED" && (
            <>
              <Button small onClick={() => onTell("PASSED")}>
                登记通过
              </Button>
              <Button small onClick={() => onTell("REJECTED")}>
                登记驳回
              </Button>
            </>
          )}
        </Act>
      </div>
    </li>
  );
}
/** 登记: the number of who was let in, or why not. */
function StateDrawer({ of, state, onClose }: { of: Package; state: "PASSED" | "REJECTED"; onClose: () => void }): ReactNode {
  const form = useForm(setPackageState, { initial: { id: of.id, state }, draft: false, done: "已登记", refreshes: READS, onDone: onClose });
  const name = packageChannel.label(of.channel);
  return (
    <FormDrawer form={form} title={state === "PASSED" ? `${name}通过了` : `${name}驳回了`} submit="登记" onClose={onClose}>
      {state === "PASSED" ? (
        <Field of={form.field("number")} label="通道给的商户号" help="登记后还要在商户管理的通道设置里填写">
          {(f) => <TextInput {...f} value={f.value ?? ""} maxLength={64} />}
        </Field>
      ) : (
        <Field of={form.field("reason")} label="驳回的原因">
          {(f) => <TextInput {...f} value={f.value ?? ""} maxLength={500} />}
        </Field>
      )}
    </FormDrawer>
  );
}
