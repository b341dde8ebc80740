import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  authoriseWxApp,
  getWxComponent,
  listWxApps,
  missingPermissions,
  permissionName,
  takeWxAuthorisation,
  unauthoriseWxApp,
  wxAuthState,
} from "../../contract/index.ts";

type Row = RowOf<typeof listWxApps>;
type Component = OutputOf<typeof getWxComponent>["component"];
/** The provider's 第三方平台, as far as a merchant has to know of it. */
export const useComponent = (): Component =>
  useQuery({ queryKey: [getWxComponent.path], queryFn: ({ signal }) => call(getWxComponent, {}, { signal }) }).data?.component ?? null;

/** WeChat looks from which site its page was opened; ours tells nobody else. */
function goTo(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.referrerPolicy = "origin";
  link.click();
}
/** To WeChat's page, where the account's admin scans and says yes. */
export function Authorise({ id, tone = "plain", children }: { id?: string; tone?: "plain" | "primary"; children: ReactNode }): ReactNode {
  const [busy, run] = useRun();
  const component = useComponent();
  if (!component) return null;
  const go = (): Promise<void> => run(async () => goTo((await call(authoriseWxApp, { ...(id !== undefined && { id }) })).url));
  return (
    <Act of={authoriseWxApp}>
      <Button tone={tone} busy={busy} onClick={() => void go()}>
        {children}
      </Button>
    </Act>
  );
}

/** 授权 of an account: whether it holds, what was granted, and what is not possible without the rest. */
export function Authorisation({ of: row }: { of: Row }): ReactNode {
  const component = useComponent();
  if (row.way === "own")
    return (
      component && (
        <Group title="第三方平台授权">
          <Failed why={row.authWhy} />
          <p className="note">也可以授权给服务商的第三方平台：管理员扫码确认，不用填 AppSecret，也不用抄服务器配置。</p>
          <p>
            <Authorise id={row.id}>改为扫码授权</Authorise>
          </p>
        </Group>
      )
    );
  const missing = missingPermissions(row.permissions);
  return (
    <Group
      title="第三方平台授权"
      pairs={[
        ["状态", row.authState && <StatusTag key="state" of={wxAuthState} code={row.authState} />],
        [row.authState === "on" ? "授权时间" : "取消时间", row.authAt && <Time key="at" at={row.authAt} />],
        ["已授权限", row.permissions.map(permissionName).join("、")],
      ]}
    >
      <Failed why={row.authWhy} />
      {row.authState === "on" && missing.length > 0 && (
        <p className="notice notice-warn">没有授权：{missing.join("；")}。点重新授权，在微信的页面上勾选。</p>
      )}
      <p>
        <Authorise id={row.id}>重新授权</Authorise> {row.authState === "on" && <Unauthorise of={row} />}
      </p>
    </Group>
  );
}
/** Also who closed the page before its end reads here what became of it. */
const Failed = ({ why }: { why: string }): ReactNode => why !== "" && <p className="notice notice-warn">最近一次授权没有成功：{why}</p>;
function Unauthorise({ of: { id, name, revision } }: { of: Row }): ReactNode {
  const [busy, run] = useRun([listWxApps]);
  const end = async (): Promise<void> => {
    const text = `取消「${name}」的授权？不再收它的消息，同步粉丝、渠道码、群发和菜单都停。微信那边还要管理员到 公众平台 → 设置与开发 → 授权管理 里取消。`;
    if (!(await confirm(text, { ok: "取消授权", danger: true }))) return;
    await run(async () => {
      await call(unauthoriseWxApp, { id, revision });
      success("已取消授权");
    });
  };
  return (
    <Act of={unauthoriseWxApp}>
      <Button tone="danger" busy={busy} onClick={() => void end()}>
        取消授权
      </Button>
    </Act>
  );
}

/** Back from WeChat's page: what it gave is taken once, and the account is shown. */
export function Authorised({ of, onClose, onDone }: { of: string; onClose: () => void; onDone: (id: string) => void }): ReactNode {
  const [why, setWhy] = useState<string>();
  const [busy, run] = useRun([listWxApps]);
  const [state, code] = [of.slice(0, of.indexOf(".")), of.slice(of.indexOf(".") + 1)];
  const take = (): Promise<void> =>
    run(async () => {
      setWhy(undefined);
      const taken = await call(takeWxAuthorisation, { state, code }).catch((failure: unknown) => {
        if (failure instanceof ApiError) setWhy(failure.message);
        throw failure;
      });
      success(`「${taken.name}」已授权`);
      onDone(taken.id);
    });
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    void take();
  });
  return (
    <Drawer
      title="公众号授权"
      onClose={onClose}
      footer={
        why !== undefined && (
          <>
            <Button busy={busy} onClick={() => void take()}>
              再试一次
            </Button>
            <Authorise tone="primary">重新发起授权</Authorise>
          </>
        )
      }
    >
      <p role="status">{why === undefined ? "正在完成授权…" : `没有授权成功：${why}`}</p>
    </Drawer>
  );
}
