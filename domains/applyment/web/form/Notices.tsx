import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { applymentState } from "../../contract/codes.ts";
import { askApplyment, getDossier } from "../../contract/index.ts";
import type { Standing } from "./state/standing.ts";

type Told = OutputOf<typeof getDossier>;

/** What holds for the whole form: it is on its way, it was sent back, it was sent back without a word. */
export function Notices({ told, standing }: { told: Told; standing: Standing }): ReactNode {
  const { applyment, opened } = told;
  return (
    <>
      {opened !== null && applyment === null && (
        <p className="filing-notice">这个商户已经开通商户号 {opened}；再提交一次，会另开一个商户号。</p>
      )}
      {applyment && standing.readOnly && (
        <p className="filing-notice" role="status">
          {applyment.sending ? "正在提交给微信支付" : `微信支付：${applymentState.label(applyment.state)}`}，有结果前资料不能改。
          {applyment.message && `${applyment.message}。`}
          <Link className="link" to={`/applyment/info?id=${applyment.id}`}>
            看进度
          </Link>
        </p>
      )}
      {applyment?.state === "EDITTING" && !applyment.sending && applyment.message && (
        <p className="filing-notice filing-notice-bad" role="alert">
          {applyment.message}。改好后再提交，还是同一份申请。
        </p>
      )}
      {applyment && standing.rejected && <Rejected applyment={applyment} standing={standing} />}
    </>
  );
}

function Rejected({ applyment, standing }: { applyment: NonNullable<Told["applyment"]>; standing: Standing }): ReactNode {
  const { reasons, elsewhere, silent } = standing;
  const at = shanghaiTime(applyment.stateAt).slice(5, 16);
  const [busy, run] = useRun([getDossier]);
  const ask = () =>
    run(async () => {
      await call(askApplyment, { id: applyment.id });
      success("已去问微信支付，稍后看结果");
    });
  return (
    <div className="filing-notice filing-notice-bad" role="alert">
      {silent ? (
        <p>
          微信支付 {at} 驳回，微信没给原因{applyment.message && `（${applyment.message}）`}。
          <Act of={askApplyment}>
            <Button tone="link" busy={busy} onClick={() => void ask()}>
              再查
            </Button>
          </Act>
        </p>
      ) : (
        <p>
          微信支付 {at} 驳回 {reasons.size + elsewhere.length} 处
          {reasons.size > 0 && `，${elsewhere.length > 0 ? `${reasons.size} 处` : "都"}已标在对应的栏里。其他栏锁着，免得改错`}。
          {applyment.message && elsewhere.length + reasons.size === 0 && applyment.message}
        </p>
      )}
      {!silent && elsewhere.length > 0 && (
        <ul>
          {elsewhere.map((text) => (
            <li key={text}>未指明哪一栏：{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
