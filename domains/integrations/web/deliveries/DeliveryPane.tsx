import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { copyText } from "@zhangfang/web/copy.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Loaded } from "@zhangfang/web/show/over/Detail.tsx";
import { useKey } from "@zhangfang/web/window/use-key.ts";
import {
  checkPushSignature,
  getPushDelivery,
  getPushEndpoint,
  listPushDeliveries,
  type PushDelivery,
  pushEvent,
  replayPushDelivery,
} from "../../contract/index.ts";
import { clockOf } from "../push-words.ts";
import { AttemptLine } from "./AttemptLine.tsx";
import { State } from "./DeliveryRows.tsx";

/** One delivery: its tries, the very bytes, what came back, and how to check it. */
export function DeliveryPane({
  of,
  onCheck,
  onReplay,
  onBack,
}: {
  of: UseQueryResult<PushDelivery>;
  onCheck: () => void;
  /** The list loads anew after it, perhaps with newer ones above: what was sent again is to stay. */
  onReplay: () => void;
  onBack: (() => void) | undefined;
}): ReactNode {
  return (
    <section className="push-pane sheet" aria-label="推送详情">
      {onBack && (
        <Button tone="link" onClick={onBack}>
          返回列表
        </Button>
      )}
      <Loaded of={of}>{(delivery) => <Shown of={delivery} now_ms={of.dataUpdatedAt} onCheck={onCheck} onReplay={onReplay} />}</Loaded>
    </section>
  );
}
type Acts = { onCheck: () => void; onReplay: () => void };
function Shown({ of, now_ms, onCheck, onReplay }: Acts & { of: PushDelivery; now_ms: number }): ReactNode {
  const mayCheck = useAct(checkPushSignature);
  return (
    <>
      <header className="push-head">
        <h2>
          {pushEvent.label(of.type)} <small className="note">{of.type}</small>
        </h2>
        <State of={of} />
        <div className="push-acts">
          <CopyCurl of={of} />
          {of.mayReplay && <Replay of={of} onReplay={onReplay} />}
        </div>
      </header>
      <p className="push-fact">
        <About of={of} />
        {of.type === "push.test" ? "只发给这个地址，只试一次。" : " 和这件事在同一个事务里写下，一定有事实才有推送。"}
      </p>
      <AttemptLine of={of} now_ms={now_ms} />
      <h3>{of.urlWhole ? "发出去的，一个字节不差" : "发出去的，正文一个字节不差"}</h3>
      <Bytes of={of} />
      <Answer of={of} />
      <h3>怎么验签</h3>
      <p>
        对 <b>webhook-id.webhook-timestamp.正文</b> 做 HMAC-SHA256，和 v1, 后面的比。
        {mayCheck && (
          <Button tone="link" onClick={onCheck}>
            示例代码，贴一条进来验
          </Button>
        )}
      </p>
    </>
  );
}
/** The number of what it is about, and the list where it stands. */
function About({ of: { type, about } }: { of: PushDelivery }): ReactNode {
  const list = { order: "/dataCentre/payOrder", refund: "/dataCentre/payRefund" }[type.split(".")[0]!];
  if (about === "") return null;
  return list ? <a href={`#${list}?keyword=${encodeURIComponent(about)}`}>{about}</a> : <span className="num">{about}</span>;
}
const lastOf = ({ attempts }: PushDelivery) => attempts.at(-1);
const timestampOf = (at: string): number => Math.floor(Date.parse(at) / 1000);
/** The headers as the last try carried them; before the first there are none to show. */
function headersOf(of: PushDelivery): readonly (readonly [name: string, value: string])[] {
  const last = lastOf(of);
  return [
    ["webhook-id", of.webhookId],
    ...(last
      ? ([
          ["webhook-timestamp", String(timestampOf(last.startedAt))],
          ["webhook-signature", last.signature],
        ] as const)
      : []),
    ["content-type", "application/json"],
  ];
}
function Bytes({ of }: { of: PushDelivery }): ReactNode {
  const { pathname, search } = new URL(of.url);
  const path = of.urlWhole ? `${pathname}${search}` : of.url.slice(new URL(of.url).origin.length);
  const button = useKey("c");
  const { body } = of;
  return (
    <>
      <pre className="push-bytes" tabIndex={0} aria-label="请求原文">
        {`POST ${path} HTTP/1.1\n`}
        {headersOf(of)
          .map(([name, value]) => `${name}: ${value}\n`)
          .join("")}
        {"\n"}
        {body ?? "（正文只留 30 天，已经删除）"}
      </pre>
      <p className="push-under">
        <span>
          {of.bytes.toLocaleString("en-US")} 字节 · sha256{" "}
          <span title={of.sha256}>{`${of.sha256.slice(0, 4)}…${of.sha256.slice(-4)}`}</span> · 每次正文都一样，只有时间戳和签名换新
          {!of.urlWhole && "；接收地址里可能有密钥，这里只显示域名和最后 4 位"}
        </span>
        {body !== null && (
          <Button ref={button} tone="link" aria-keyshortcuts="C" onClick={() => void copyText(body, "正文已复制")}>
            复制字节
          </Button>
        )}
      </p>
    </>
  );
}
function Answer({ of }: { of: PushDelivery }): ReactNode {
  const answered = of.attempts.findLast(({ status }) => status !== null);
  if (!answered) return null;
  return (
    <>
      <h3>对方最后一次有回答，{clockOf(answered.endedAt ?? answered.startedAt, of.createdAt)}</h3>
      {of.answersTold ? (
        <pre className="push-bytes" tabIndex={0} aria-label="回答">
          {`HTTP/1.1 ${answered.status}\n${answered.retryAfter ? `retry-after: ${answered.retryAfter}\n` : ""}\n${answered.answer ?? ""}`}
        </pre>
      ) : (
        <p className="push-fact">状态 {answered.status}。回答的内容只有主账号能看。</p>
      )}
    </>
  );
}
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
function CopyCurl({ of }: { of: PushDelivery }): ReactNode {
  const { body } = of;
  if (body === null) return null;
  const text = [
    `curl -X POST ${quoted(of.url)}`,
    ...headersOf(of).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ].join(" \\\n");
  return (
    <Button small onClick={() => void copyText(text, of.urlWhole ? "curl 命令已复制" : "curl 命令已复制，地址没有写全，请自己补上")}>
      复制为 curl
    </Button>
  );
}
function Replay({ of: { id, endpointName, type, about }, onReplay }: { of: PushDelivery } & Pick<Acts, "onReplay">): ReactNode {
  const [busy, run] = useRun([listPushDeliveries, getPushDelivery, getPushEndpoint]);
  const button = useKey("r");
  const replay = async (): Promise<void> => {
    const text = `向「${endpointName}」重放 ${type}${about && ` ${about}`}？正文和 webhook-id 不变，对方会再收到一次。`;
    if (!(await confirm(text, { ok: "重放" }))) return;
    onReplay();
    await run(async () => {
      await call(replayPushDelivery, { id });
      success("已排上，马上推");
    });
  };
  return (
    <Act of={replayPushDelivery}>
      <Button ref={button} small aria-keyshortcuts="R" busy={busy} onClick={() => void replay()}>
        重放这一条
      </Button>
    </Act>
  );
}
