import { type ReactNode, useState } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { listPushEndpoints, takePushSecret } from "../contract/index.ts";
import type { Endpoint } from "./EndpointDrawer.tsx";
import { minuteOf } from "./push-words.ts";

/** The secret, once: it lives in this drawer alone and is gone with it. */
export function SecretDrawer({ row: { id, name, secretShownAt }, onClose }: { row: Endpoint; onClose: () => void }): ReactNode {
  const [secret, setSecret] = useState<string>();
  const [busy, run] = useRun([listPushEndpoints]);
  const show = () => run(async () => setSecret((await call(takePushSecret, { id })).secret));
  return (
    <Drawer
      title={`「${name}」的密钥`}
      onClose={onClose}
      footer={
        secret || secretShownAt ? (
          <Button tone="primary" onClick={onClose}>
            {secret ? "记好了" : "关闭"}
          </Button>
        ) : (
          <Act of={takePushSecret}>
            <Button tone="primary" busy={busy} onClick={() => void show()}>
              显示密钥
            </Button>
          </Act>
        )
      }
    >
      {secret ? (
        <>
          <p className="notice notice-warn">关掉就看不到了，请现在抄到你的系统里。</p>
          <p className="push-key">
            <Copy text={secret} />
          </p>
        </>
      ) : secretShownAt ? (
        <p className="notice">{minuteOf(secretShownAt)} 已经显示过，密钥只显示一次。没有记下来，就轮换一个。</p>
      ) : (
        <p>密钥只显示一次。准备好抄下来，再点显示。</p>
      )}
    </Drawer>
  );
}
