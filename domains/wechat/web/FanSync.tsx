import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { type FanSync, getFanSync, startFanSync } from "../contract/index.ts";
import { useApps } from "./FanParts.tsx";

const AGAIN_MS = 2_000;
const count = (n: number): string => n.toLocaleString("en-US");

/** 同步粉丝 of each account of the merchant, and how far the last one came. */
export function FanSyncs({ onDone }: { onDone: () => void }): ReactNode {
  const apps = useApps().data ?? [];
  return apps
    .filter(({ state, mayCall }) => state === "active" && mayCall)
    .map(({ id, name }) => <One key={id} id={id} name={apps.length > 1 ? name : undefined} onDone={onDone} />);
}
function One({ id, name, onDone }: { id: string; name: string | undefined; onDone: () => void }): ReactNode {
  const [busy, run] = useRun([getFanSync]);
  const last = useQuery({
    queryKey: [getFanSync.path, id],
    queryFn: ({ signal }) => call(getFanSync, { id }, { signal }),
    refetchInterval: ({ state }) => (state.data?.sync?.status === 0 ? AGAIN_MS : false),
  });
  const sync = last.data?.sync;
  const running = sync?.status === 0;
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && !running) onDone();
    ran.current = running;
  }, [running, onDone]);
  const start = (): Promise<unknown> =>
    run(async () => {
      await call(startFanSync, { id });
      success("已开始同步，可以离开本页");
    });
  return (
    <p className="fan-syncs" role="status">
      {name && `${name}：`}
      {sync ? <Words of={sync} /> : "还没有同步过：在接入以前关注的粉丝，同步后才看得到"}{" "}
      <Act of={startFanSync}>
        <Button small busy={busy || running} onClick={() => void start()}>
          {running ? "同步中" : "同步粉丝"}
        </Button>
      </Act>
    </p>
  );
}
function Words({ of: { status, total, listed, unknown, asked, taking, added, returned, gone, why, endedAt } }: { of: FanSync }): ReactNode {
  if (status === 0 && taking) return "名单读完了，正在写入；中途断了会自己接着写";
  if (status === 0)
    return asked > 0 || unknown > 0
      ? `正在问新粉丝的来源：${count(asked)} / ${count(unknown)} 人`
      : `正在读微信的名单：${count(listed)} / ${total > 0 ? count(total) : "…"} 人`;
  const at = endedAt && <Time at={endedAt} />;
  if (status === 2)
    return (
      <>
        {at} 同步没有完成：{why}。什么都没有改
      </>
    );
  return (
    <>
      {at} 同步完成：名单 {count(listed)} 人，补进 {count(added)}，回来 {count(returned)}，离开 {count(gone)}
    </>
  );
}
