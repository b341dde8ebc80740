import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  checkPushSignature,
  endpointState,
  getPushEndpoint,
  listPushDeliveries,
  listPushEndpoints,
  offWhy,
  pushEvent,
  rotatePushSecret,
  steerPushEndpoint,
  testPushEndpoint,
  updatePushEndpoint,
} from "../contract/index.ts";
import { minuteOf } from "./push-words.ts";

export type Endpoint = OutputOf<typeof getPushEndpoint>;
const READS = [listPushEndpoints, getPushEndpoint, listPushDeliveries];

/** One address, what it listens to, how it stands, and everything that may be done with it. */
export function EndpointDrawer({
  of,
  onEdit,
  onSecret,
  onCheck,
  onClose,
}: {
  of: UseQueryResult<Endpoint>;
  onEdit: () => void;
  onSecret: () => void;
  onCheck: () => void;
  onClose: () => void;
}): ReactNode {
  const row = of.data;
  const footer = row && (
    <>
      <Steer of={row} onClose={onClose} />
      <Rotate of={row} onDone={onSecret} />
      <Act of={updatePushEndpoint}>
        <Button onClick={onEdit}>修改</Button>
      </Act>
      <TestButton of={row} primary />
    </>
  );
  return (
    <DetailDrawer title="推送地址" of={of} onClose={onClose} footer={footer}>
      {(endpoint) => (
        <>
          <HeroLine label="名称" value={endpoint.name} status={<StatusTag of={endpointState} code={endpoint.state} />} />
          <Standing of={endpoint} />
          <Group
            title="推到哪里"
            pairs={[
              ["接收地址", <Copy key="url" text={endpoint.url} />],
              [
                "商户",
                endpoint.merchants === null ? "全部商户，以及不属于商户的事件" : endpoint.merchants.map(({ name }) => name).join("、"),
              ],
              ["密钥", <SecretLine key="secret" of={endpoint} onSecret={onSecret} onCheck={onCheck} />],
              ["最后修改", endpoint.byName],
              ["新建时间", <Time key="at" at={endpoint.createdAt} />],
            ]}
          />
          <Group title={`事件 ${endpoint.events.length} 种`}>
            <ul className="push-events">
              {endpoint.events.map((type) => (
                <li key={type}>
                  <code>{type}</code> {pushEvent.label(type)}
                </li>
              ))}
            </ul>
          </Group>
          <p>
            <a href={`#/admin/dataPush/list?endpointId=${endpoint.id}`}>推送记录</a>
          </p>
        </>
      )}
    </DetailDrawer>
  );
}
/** What has to be known about it now, in words with their minute. */
export function Standing({ of: { state, offWhy: why, offAt, failingSince, offDueAt, abandoned, waiting } }: { of: Endpoint }): ReactNode {
  if (state === "disabled")
    return (
      <p className="notice notice-warn">
        {minuteOf(offAt!)} 已停用：{offWhy.label(why)}。修好后发一条测试，通过就恢复。
        {abandoned > 0 && `没推到的 ${abandoned.toLocaleString("en-US")} 条留着，恢复后可以重放。`}
      </p>
    );
  if (state === "paused")
    return (
      <p className="notice">
        已暂停，新的事件先留着{waiting > 0 && `，现有 ${waiting.toLocaleString("en-US")} 条`}，恢复后接着推；正文只留 30 天。
      </p>
    );
  if (failingSince && offDueAt)
    return (
      <p className="notice notice-warn">
        这个地址 {minuteOf(failingSince)} 起一直失败。连续失败到 {minuteOf(offDueAt)} 会自动停用，并通知你。
      </p>
    );
  return null;
}
function SecretLine({ of, onSecret, onCheck }: { of: Endpoint; onSecret: () => void; onCheck: () => void }): ReactNode {
  return (
    <span className="push-secret">
      {of.secretShownAt ? `${minuteOf(of.secretShownAt)} 显示过，不再显示` : "还没有显示过"}
      {of.oldUntil && `；旧密钥到 ${minuteOf(of.oldUntil)} 失效`}
      {!of.secretShownAt && (
        <Act of={updatePushEndpoint}>
          <Button tone="link" onClick={onSecret}>
            显示密钥
          </Button>
        </Act>
      )}
      <Act of={checkPushSignature}>
        <Button tone="link" onClick={onCheck}>
          贴一条进来验
        </Button>
      </Act>
    </span>
  );
}

/** 发一条测试, and where it can be watched. */
export function TestButton({ of: { id, name }, primary = false }: { of: Pick<Endpoint, "id" | "name">; primary?: boolean }): ReactNode {
  const [busy, run] = useRun(READS);
  const navigate = useNavigate();
  const send = () =>
    run(async () => {
      const { deliveryId } = await call(testPushEndpoint, { id });
      success(`已向「${name}」发一条测试`);
      void navigate(`/admin/dataPush/list?endpointId=${id}&id=${deliveryId}`);
    });
  return (
    <Act of={testPushEndpoint}>
      <Button tone={primary ? "primary" : "plain"} busy={busy} onClick={() => void send()}>
        发测试事件
      </Button>
    </Act>
  );
}
function Steer({ of: { id, name, revision, state, waiting }, onClose }: { of: Endpoint; onClose: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const steer = async (to: "active" | "paused" | "removed"): Promise<void> => {
    const asked = {
      active: `恢复「${name}」？暂停期间的 ${waiting.toLocaleString("en-US")} 条马上开始推送。`,
      paused: `暂停「${name}」？新的事件先留着，恢复后接着推。`,
      removed: `删除「${name}」？以后不再推送，还没推到的 ${waiting.toLocaleString("en-US")} 条不推了，不能恢复。`,
    }[to];
    const ok = { active: "恢复", paused: "暂停", removed: "删除" }[to];
    if (!(await confirm(asked, { ok, danger: to === "removed" }))) return;
    await run(async () => {
      await call(steerPushEndpoint, { id, revision, to });
      success(`已${ok}`);
      if (to === "removed") onClose();
    });
  };
  return (
    <Act of={steerPushEndpoint}>
      <Button busy={busy} onClick={() => void steer("removed")}>
        删除
      </Button>
      {state !== "disabled" && (
        <Button busy={busy} onClick={() => void steer(state === "active" ? "paused" : "active")}>
          {state === "active" ? "暂停" : "恢复"}
        </Button>
      )}
    </Act>
  );
}
function Rotate({ of: { id, name, revision, oldUntil }, onDone }: { of: Endpoint; onDone: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const rotate = async (): Promise<void> => {
    const atOnce = oldUntil !== null;
    const text = atOnce
      ? `「${name}」上一次轮换还没过 24 小时。现在再换，之前的密钥全部立即失效，没换上新密钥的系统会验签失败。`
      : `轮换「${name}」的密钥？新旧两个密钥都签 24 小时，请在这之前换上新的。`;
    if (!(await confirm(text, { ok: atOnce ? "立即失效并更换" : "轮换密钥", danger: atOnce }))) return;
    await run(async () => {
      await call(rotatePushSecret, { id, revision, atOnce });
      success("已更换，新密钥只显示一次");
      onDone();
    });
  };
  return (
    <Act of={rotatePushSecret}>
      <Button busy={busy} onClick={() => void rotate()}>
        轮换密钥
      </Button>
    </Act>
  );
}
