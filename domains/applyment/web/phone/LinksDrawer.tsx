import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { copyText } from "@zhangfang/web/copy.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { step as steps, type Step } from "../../contract/codes.ts";
import { addApplymentLink, listApplymentLinks, revokeApplymentLink } from "../../contract/index.ts";
import "./fill.css";

type Link = OutputOf<typeof listApplymentLinks>["items"][number];
const READS = [listApplymentLinks];
const minute = (at: string): string => shanghaiTime(at).slice(5, 16);

/** 商户填写链接: for which steps, until when; those that are there, each with its code. */
export function LinksDrawer({
  merchantId,
  merchantName,
  onClose,
}: {
  merchantId: string;
  merchantName: string;
  onClose: () => void;
}): ReactNode {
  const links = useDetail(listApplymentLinks, { merchantId }, { live_ms: 15_000 });
  const form = useForm(addApplymentLink, {
    initial: { merchantId, steps: [], days: 7 },
    draft: false,
    done: "链接已生成，发给商户即可",
    refreshes: READS,
  });
  const chosen = form.values.steps ?? [];
  const field = form.field("steps");
  const toggle = (one: Step): void => field.set(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <FormDrawer
      form={form}
      title={`商户填写链接 ${merchantName}`}
      submit={chosen.length === 0 ? "选择步骤" : `生成 ${chosen.length} 步的链接`}
      onClose={onClose}
    >
      <p className="note">拿到链接的人不用登录，就能看、能填选中的步骤，别的一概看不到；证件号和卡号只显示尾号。请只发给商户本人。</p>
      <Field of={field} label="让商户填">
        {({ id, ...f }) => (
          <div role="group" id={id} aria-label="让商户填" aria-describedby={f["aria-describedby"]} className="fill-ticks">
            {steps.values.map((one) => (
              <label key={one}>
                <input type="checkbox" checked={chosen.includes(one)} onChange={() => toggle(one)} />
                {steps.label(one)}
              </label>
            ))}
          </div>
        )}
      </Field>
      <Field of={form.field("days")} label="几天有效" help="1 到 30 天，随时可以停用">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Loaded of={links}>
        {({ items }) => (
          <Group title="已有的链接">
            {items.length === 0 && <p className="note">还没有生成过。</p>}
            <ul className="fill-links">
              {items.map((link) => (
                <Item key={link.id} of={link} />
              ))}
            </ul>
          </Group>
        )}
      </Loaded>
    </FormDrawer>
  );
}
function Item({ of: link }: { of: Link }): ReactNode {
  const [busy, run] = useRun(READS);
  const named = link.steps.map((one) => steps.label(one)).join("、");
  const copy = (): void => void copyText(link.url ?? "", "已复制", { failed: "复制失败，请让商户扫旁边的码" });
  const revoke = async (): Promise<void> => {
    if (!(await confirm(`停用「${named}」的链接？马上打不开，商户已填的还在。`, { ok: "停用", danger: true }))) return;
    await run(async () => {
      await call(revokeApplymentLink, { id: link.id });
      success("链接已停用");
    });
  };
  const state =
    link.url === null
      ? link.revokedAt
        ? `${minute(link.revokedAt)} 停用`
        : `${minute(link.expiresAt)} 到期`
      : `${minute(link.expiresAt)} 前有效`;
  return (
    <li>
      {link.url !== null && <QrCode text={link.url} label={`${named}的填写链接`} size={112} />}
      <div>
        <b>{named}</b>
        <p className="note">{`${state} · ${link.byName} 生成${link.savedAt ? ` · 商户 ${minute(link.savedAt)} 填过` : " · 商户还没填"}`}</p>
        {link.url !== null && (
          <p className="fill-link-acts">
            <Button small onClick={copy}>
              复制链接
            </Button>
            <Act of={revokeApplymentLink}>
              <Button small busy={busy} onClick={() => void revoke()}>
                停用
              </Button>
            </Act>
          </p>
        )}
      </div>
    </li>
  );
}
