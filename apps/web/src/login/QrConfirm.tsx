import "./login.css";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { confirmQrRequest, scanQrRequest } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { hashQuery } from "@zhangfang/web/window/hash-query.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { deviceName } from "@zhangfang/web/window/device-name.ts";

/** On the phone: who asks to be signed in, from where, and the number that proves that this screen was seen. */
export default function QrConfirm(): ReactNode {
  const requestId = hashQuery(location.hash).get("requestId") ?? "";
  const [asked, setAsked] = useState<OutputOf<typeof scanQrRequest>>();
  const [said, setSaid] = useState("");
  const [over, setOver] = useState(false);
  useEffect(() => {
    call(scanQrRequest, { requestId }, { quiet: true }).then(setAsked, (reason: unknown) => {
      setSaid(reason instanceof Error && reason.message !== "" ? reason.message : "二维码已失效");
      setOver(true);
    });
  }, [requestId]);
  const answer = async (accept: boolean, matchNumber = ""): Promise<void> => {
    try {
      const { confirmed } = await call(confirmQrRequest, { requestId, accept, matchNumber }, { quiet: true });
      setSaid(confirmed ? "已确认，电脑端正在登录" : accept ? "数字不一致，本次登录已拒绝" : "已取消登录");
    } catch (reason) {
      setSaid(reason instanceof Error ? reason.message : "操作失败");
    }
    setOver(true);
  };
  return (
    <div className="login">
      <main className="login-sheet">
        <h1>确认登录</h1>
        {asked && !over && <Question asked={asked} answer={answer} say={setSaid} />}
        <p role="alert" className="login-failure">
          {said}
        </p>
        {over && (
          <a className="btn" href="#/">
            返回首页
          </a>
        )}
      </main>
    </div>
  );
}

type Asked = OutputOf<typeof scanQrRequest>;

/** Where the request comes from, and the number that only whoever stands before that screen can see. */
function Question({
  asked,
  answer,
  say,
}: {
  asked: Asked;
  answer: (accept: boolean, number?: string) => Promise<void>;
  say: (text: string) => void;
}): ReactNode {
  const [number, setNumber] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (number.trim() === "") say("请输入电脑上显示的数字");
    else void answer(true, number.trim());
  };
  const facts = [
    ["网站", location.host],
    ["IP 地址", asked.ip ?? "未知"],
    ["设备", deviceName(asked.device)],
    ["时间", shanghaiTime(asked.createdAt)],
  ] as const;
  return (
    <form className="login-form" onSubmit={submit} noValidate>
      <dl className="login-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      <label>
        电脑上显示的数字
        <input
          className="input num"
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          value={number}
          onChange={(event) => setNumber(event.target.value)}
        />
      </label>
      <p className="note">不是本人在登录？请取消：确认后对方可以使用你的账号。</p>
      <Button tone="primary" type="submit">
        确认登录
      </Button>
      <Button onClick={() => void answer(false)}>取消</Button>
    </form>
  );
}
