import type { ReactNode } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, error as errorToast, success, warning } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { verifyChannelSecret } from "../../../organisation/contract/index.ts";
import { afterThing, askWilling, chooseNumber, getApplyment, listApplyments, numberChoice, tickAfter } from "../../contract/index.ts";
import { type Applyment, minute } from "./info-words.ts";

const READS = [getApplyment, listApplyments];
type Done = NonNullable<Applyment["after"]>;
interface Item {
  readonly what: string;
  readonly result: ReactNode;
  readonly how: "done" | "open" | "bad";
  readonly act?: ReactNode;
}

/** What follows the number: where it stands, whether it takes money, and what is left to set at WeChat Pay. */
export function After({ of: one }: { of: Applyment }): ReactNode {
  const { after } = one;
  return (
    <section className="applyment-card" aria-label="开通以后">
      <h2>{after ? "开通以后要做的" : "完成后会做的"}</h2>
      <ul className="applyment-after">
        {(after ? itemsOf(one, after) : AHEAD).map(({ what, result, how, act }) => (
          <li key={what} className={`applyment-item-${how}`}>
            <b>{what}</b>
            <span className="sr-only">{{ done: "已完成", open: "未完成", bad: "有问题" }[how]}</span>
            <div>{result}</div>
            <div className="applyment-item-act">{act}</div>
          </li>
        ))}
      </ul>
      {after && <p className="note">绑定 AppID、支付授权目录、费率由人在微信支付商户平台办理，这里只登记谁办好了；系统不会自己去改。</p>}
    </section>
  );
}
const AHEAD: readonly Item[] = [
  { what: "写入子商户号", result: "自动写进商户的通道设置；那里已有别的号时不覆盖，请人选", how: "open" },
  { what: "验证能不能收款", result: "向通道验证密钥，再收 0.01 元试一笔", how: "open" },
  { what: "绑定 AppID、支付授权目录", result: "在微信支付商户平台办理，办好在这里登记", how: "open" },
  { what: "开户意愿确认", result: "还要法人用微信再扫一次", how: "open" },
];
function itemsOf(one: Applyment, { settings, firstPaid, willing, willingAt, checks }: Done): readonly Item[] {
  const { id, merchantId, subMchId, otherNumber } = one;
  const ours = settings?.ours === true;
  const outcome = ours ? settings.verifyOutcome : null;
  return [
    {
      what: "写入子商户号",
      result: ours
        ? `已写入通道设置：子商户号 ${subMchId}`
        : otherNumber
          ? "通道设置里有别的号，没有改动"
          : `通道设置里现在${settings?.subMchId || settings?.mchId ? `是商户号 ${settings.subMchId ?? settings.mchId}` : "是空的"}`,
      how: ours ? "done" : otherNumber ? "bad" : "open",
    },
    {
      what: "向通道验证",
      result:
        outcome === "ok" && settings?.verifiedAt
          ? `${minute(settings.verifiedAt)} 验证通过`
          : outcome
            ? `${outcome === "refused" ? "没有通过" : "没有得到结果"}：${settings?.verifyMessage ?? ""}`
            : "还没有验证",
      how: outcome === "ok" ? "done" : outcome === "refused" ? "bad" : "open",
      act: ours && outcome !== "ok" && <Verify merchantId={merchantId} />,
    },
    {
      what: "试收 0.01 元",
      result: firstPaid ? <FirstPaid of={firstPaid} /> : "用门店收款码收 0.01 元，到账后在支付订单里原路退回",
      how: firstPaid ? "done" : "open",
      act: ours && !firstPaid && <ToCodes />,
    },
    {
      what: "开户意愿确认",
      result:
        willing === "AUTHORIZED"
          ? "法人已确认"
          : willing === "UNAUTHORIZED"
            ? `${willingAt ? `${minute(willingAt)} 查：` : ""}法人还没有确认，请法人用微信扫微信支付发的码`
            : "还没有查过",
      how: willing === "AUTHORIZED" ? "done" : "open",
      act: willing !== "AUTHORIZED" && <Will id={id} />,
    },
    ...afterThing.values.map((thing): Item => {
      const done = checks.find((check) => check.thing === thing);
      return {
        what: afterThing.label(thing),
        result: done ? `${minute(done.at)} · ${done.byName} 登记` : "还没有登记",
        how: done ? "done" : "open",
        act: <Tick id={id} thing={thing} done={done !== undefined} />,
      };
    }),
  ];
}
function FirstPaid({ of: { orderId, at, cents } }: { of: NonNullable<Done["firstPaid"]> }): ReactNode {
  const may = useAct(["/dataCentre/payOrder"]);
  const words = `${minute(at)} 收到第一笔 ¥${yuan(cents)}`;
  return may ? <Link to={`/dataCentre/payOrder?id=${orderId}`}>{words}</Link> : words;
}
function ToCodes(): ReactNode {
  return useAct(["/store/store/payCode"]) ? <Link to="/store/store">打开门店收款码</Link> : null;
}
/** The product's own verification of channel settings: the channel is asked with number, certificate and key. */
function Verify({ merchantId }: { merchantId: string }): ReactNode {
  const [busy, run] = useRun(READS);
  const ask = (): Promise<void> =>
    run(async () => {
      const { outcome, message } = await call(verifyChannelSecret, { merchantId });
      if (outcome === "ok") success(message);
      else if (outcome === "refused") errorToast(`通道拒绝：${message}`);
      else warning(`没有得到通道的结果，请稍后再试：${message}`);
    });
  return (
    <Act of={verifyChannelSecret}>
      <Button small busy={busy} onClick={() => void ask()}>
        向通道验证
      </Button>
    </Act>
  );
}
function Will({ id }: { id: string }): ReactNode {
  const [busy, run] = useRun(READS);
  const ask = (): Promise<void> =>
    run(async () => {
      const { willing, message } = await call(askWilling, { id });
      if (willing === null) warning(message);
      else success(willing === "AUTHORIZED" ? "法人已确认" : "法人还没有确认");
    });
  return (
    <Act of={askWilling}>
      <Button small busy={busy} onClick={() => void ask()}>
        查开户意愿
      </Button>
    </Act>
  );
}
function Tick({ id, thing, done }: { id: string; thing: CodeOf<typeof afterThing>; done: boolean }): ReactNode {
  const [busy, run] = useRun(READS);
  const tick = (): Promise<void> => run(() => call(tickAfter, { id, thing, done: !done }));
  return (
    <Act of={tickAfter}>
      <Button
        small
        tone={done ? "link" : "plain"}
        busy={busy}
        aria-label={`${done ? "撤销登记" : "登记已办"}：${afterThing.label(thing)}`}
        onClick={() => void tick()}
      >
        {done ? "撤销登记" : "登记已办"}
      </Button>
    </Act>
  );
}
/** Two numbers stand against each other: a person says which the merchant takes money under. */
export function ChooseNumber({ of: { id, merchantName, subMchId, after } }: { of: Applyment }): ReactNode {
  const [busy, run] = useRun(READS);
  const old = after?.settings?.subMchId ?? after?.settings?.mchId ?? "";
  const choose = async (use: CodeOf<typeof numberChoice>): Promise<void> => {
    const words =
      use === "take"
        ? `把「${merchantName}」的商户号从 ${old} 换成 ${subMchId}？之后的收款和退款都走新号，换好要马上验证。原号下还有没完成的款项时换不了。`
        : `「${merchantName}」继续用 ${old}？${subMchId} 不写进通道设置。`;
    if (!(await confirm(words, { ok: numberChoice.label(use), danger: use === "take" }))) return;
    await run(async () => {
      await call(chooseNumber, { id, use, standing: old, opened: subMchId ?? "" });
      success(use === "take" ? `已换成 ${subMchId}，请向通道验证` : `继续用 ${old}`);
    });
  };
  return (
    <>
      <p className="note">{`微信支付开好了子商户号 ${subMchId}，通道设置里已有 ${old}，没有改动。`}</p>
      <Act of={chooseNumber}>
        <div className="applyment-choose">
          <Button tone="primary" busy={busy} onClick={() => void choose("take")}>
            {`换成 ${subMchId}`}
          </Button>
          <Button busy={busy} onClick={() => void choose("keep")}>
            {`继续用 ${old}`}
          </Button>
        </div>
      </Act>
    </>
  );
}
