import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { copyText } from "@zhangfang/web/copy.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { setApplymentAccount } from "../../contract/index.ts";
import { ChooseNumber } from "./After.tsx";
import { type Applyment, untilWords } from "./info-words.ts";

/** The one thing to do now, and who has to do it. */
export function ToDo({ of: one, onAccount }: { of: Applyment; onAccount: () => void }): ReactNode {
  const { title, body } = toDo(one, onAccount);
  return (
    <section className="applyment-card applyment-todo" aria-label="现在要做的">
      <h2>{title}</h2>
      {body}
    </section>
  );
}
function toDo(one: Applyment, onAccount: () => void): { readonly title: string; readonly body: ReactNode } {
  const { state, sending, message, adminName } = one;
  const note = message ? <p className="note">{message}</p> : null;
  if (sending) return { title: "现在不用做什么：正在送到微信支付", body: <Sending message={message} onAccount={onAccount} /> };
  switch (state) {
    case "EDITTING":
      return { title: "现在要做的：改好资料，再提交一次", body: <Mend of={one} /> };
    case "REJECTED":
      return {
        title: one.rejected.length > 0 ? `现在要做的：改 ${one.rejected.length} 处，再提交一次` : "现在要做的：改好资料，再提交一次",
        body: <Mend of={one} />,
      };
    case "AUDITING":
      return one.signUrl
        ? { title: `等微信支付审核，${adminName}可以先扫码核对联系信息`, body: <Scan of={one} /> }
        : {
            title: "现在不用做什么：等微信支付审核",
            body: note ?? <p className="note">通常 1 到 3 个工作日，有结果会自己显示，也会发消息。</p>,
          };
    case "TO_BE_CONFIRMED":
      return { title: `现在要做的：请${adminName}本人用微信扫，验证账户`, body: <Scan of={one} /> };
    case "TO_BE_SIGNED":
      return { title: `现在要做的：请${adminName}本人用微信扫，签约`, body: <Scan of={one} /> };
    case "SIGNING":
      return {
        title: "现在不用做什么：微信支付正在开通",
        body: <p className="note">通常 30 分钟以内，每 2 分钟查一次，开好会自己显示。</p>,
      };
    case "FINISHED":
      return one.otherNumber
        ? { title: "现在要做的：选定用哪个商户号", body: <ChooseNumber of={one} /> }
        : { title: "开通完成", body: <Opened of={one} /> };
    default:
      return { title: "已作废", body: <Voided of={one} /> };
  }
}
/** Why it is over, and how to begin again. */
function Voided({ of: { events, merchantId } }: { of: Applyment }): ReactNode {
  const why = events.find(({ kind }) => kind === "voided")?.said;
  return (
    <>
      <p>{why ? `原因：${why}` : "微信支付作废了这份申请单。"}</p>
      <p className="note">填好的资料还在，要办就再提交一份。</p>
      {useAct(["/applyment/form"]) && (
        <Link className="btn applyment-again" to={`/applyment/form?merchantId=${merchantId}`}>
          打开资料
        </Link>
      )}
    </>
  );
}
function Opened({ of: { subMchId } }: { of: Applyment }): ReactNode {
  return (
    <>
      <p className="applyment-number num">{subMchId}</p>
      <p className="note">子商户号。下面几件事做完，商户就能放心收款。</p>
    </>
  );
}
function Sending({ message, onAccount }: { message: string; onAccount: () => void }): ReactNode {
  return (
    <>
      <p className="note">{message || "图片一张张上传，然后提交，通常一分钟以内。"}</p>
      {message.includes("进件账户") && (
        <Act of={setApplymentAccount}>
          <Button tone="primary" onClick={onAccount}>
            设置进件账户
          </Button>
        </Act>
      )}
    </>
  );
}
/** What was rejected, in WeChat's words, and the way to it. */
function Mend({ of: { merchantId, rejected, message } }: { of: Applyment }): ReactNode {
  const may = useAct(["/applyment/form"]);
  return (
    <>
      {message && <p className="note">{message}</p>}
      <ul className="applyment-reasons">
        {rejected.map(({ name, reason, paths }, index) => (
          <li key={index}>
            <b>{paths.length === 0 ? `未指明哪一栏${name ? `（${name}）` : ""}` : name}</b>
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {may ? (
        <Link className="btn btn-primary" to={`/applyment/form?merchantId=${merchantId}`}>
          去修改
        </Link>
      ) : (
        <p className="note">由服务商修改资料后再提交。</p>
      )}
    </>
  );
}
/** The code, large, with whom it is for; an old one is never shown. */
function Scan({ of: one }: { of: Applyment }): ReactNode {
  const { signUrl, adminName, adminPhone, state, stateAt, merchantName } = one;
  const [now_ms] = useState(() => Date.now());
  const until = untilWords(state, stateAt, now_ms);
  const copy = (): void => void copyText(signUrl ?? "", "已复制");
  return (
    <>
      <p className="note">{`只有超级管理员${adminName}（${adminPhone}）扫才有效，别人扫会提示无权限。`}</p>
      <div className="applyment-scan">
        {signUrl ? (
          <div className="applyment-qr">
            <QrCode text={signUrl} label={`${merchantName}的签约二维码，给${adminName}扫`} size={232} />
          </div>
        ) : (
          <p className="applyment-qr applyment-no-qr">正在向微信支付要新的码</p>
        )}
        <div className="applyment-scan-side">
          {signUrl && (
            <>
              <Button onClick={copy}>复制链接</Button>
              <Button onClick={() => void saveQr(signUrl, `签约码 ${merchantName}.svg`)}>存成图片</Button>
            </>
          )}
          <p className="note">扫完这里自己会变，不用刷新。看着的时候每分钟问一次，码换了也会自己换。</p>
          {until && <p className="applyment-until">{until}</p>}
        </div>
      </div>
    </>
  );
}
async function saveQr(text: string, name: string): Promise<void> {
  const { qrPath } = await import("@zhangfang/contract/qr-path.ts");
  const { path, cells } = qrPath(text);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="960" viewBox="0 0 ${cells} ${cells}" shape-rendering="crispEdges"><rect width="${cells}" height="${cells}" fill="#fff"/><path d="${path}"/></svg>`;
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
