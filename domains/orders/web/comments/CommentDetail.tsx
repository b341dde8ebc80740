import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { Picture } from "@zhangfang/web/show/Picture.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import {
  commentStatus,
  getComment,
  hideComment,
  listComments,
  replyComment,
  showComment,
  statComments,
  summariseComments,
} from "../../contract/index.ts";
import { Stars } from "./Stars.tsx";

type Comment = OutputOf<typeof getComment>;
const reads = [listComments, summariseComments, statComments, getComment] as const;

/** One comment over its list: what was said, what was answered; it is answered, hidden and shown from here. */
export function CommentDetail({ list }: { list: List<typeof listComments> }): ReactNode {
  const comment = useDetail(getComment, list.openId && { id: list.openId });
  const [reply, hide] = [usePanel("reply"), usePanel("hide")];
  if (list.openId === undefined) return null;
  const { data } = comment;
  return (
    <>
      <DetailDrawer
        title="评价详情"
        of={comment}
        onClose={list.close}
        extra={<Neighbours of={list} />}
        footer={data && (data.replyable || data.hideable) && <Acts comment={data} onReply={reply.open} onHide={hide.open} />}
      >
        {(details) => <Facts comment={details} />}
      </DetailDrawer>
      {reply.id && data && <ReplyDrawer comment={data} onClose={reply.close} />}
      {hide.id && data && <HideDrawer comment={data} onClose={hide.close} />}
    </>
  );
}

function Acts({ comment, onReply, onHide }: { comment: Comment; onReply: () => void; onHide: () => void }): ReactNode {
  const [busy, run] = useRun(reads);
  const show = async (): Promise<void> => {
    if (!(await confirm(`恢复展示订单 ${comment.orderNo} 的评价？`, { ok: "恢复展示" }))) return;
    await run(async () => {
      await call(showComment, { id: comment.id });
      success("已恢复展示");
    });
  };
  return (
    <>
      {comment.hideable && (
        <Act of={hideComment}>
          {comment.status === "shown" ? (
            <Button onClick={() => onHide()}>隐藏</Button>
          ) : (
            <Button busy={busy} onClick={() => void show()}>
              恢复展示
            </Button>
          )}
        </Act>
      )}
      {comment.replyable && (
        <Act of={replyComment}>
          <Button tone="primary" onClick={() => onReply()}>
            {comment.reply === null ? "回复" : "修改回复"}
          </Button>
        </Act>
      )}
    </>
  );
}

function Facts({ comment }: { comment: Comment }): ReactNode {
  return (
    <>
      <HeroLine label="星级" value={<Stars of={comment.stars} />} status={<StatusTag of={commentStatus} code={comment.status} />} />
      <p className="comment-said">{comment.said || <span className="blank">没有留言</span>}</p>
      {comment.pictures.length > 0 && (
        <div className="comment-pictures">
          {comment.pictures.map((url, n) => (
            <Picture key={url} url={url} tile={`${url}?size=small`} name={`评价图片 ${n + 1}`} size={96} />
          ))}
        </div>
      )}
      <Group
        title="回复"
        pairs={[
          ["内容", comment.reply && <span className="comment-said">{comment.reply}</span>],
          ["回复人", comment.repliedBy],
          ["回复时间", <Time at={comment.repliedAt} />],
        ]}
      />
      {comment.status === "hidden" && (
        <Group
          title="隐藏"
          pairs={[
            ["原因", comment.hiddenReason],
            ["操作人", comment.hiddenBy],
            ["时间", <Time at={comment.hiddenAt} />],
          ]}
        />
      )}
      <Group
        title="订单"
        pairs={[
          [
            "订单号",
            <Copy text={comment.orderNo}>
              <Link to={`/dataCentre/payOrder?id=${comment.orderId}`}>{comment.orderNo}</Link>
            </Copy>,
          ],
          ["商品", comment.subject],
          ["实收", <Money cents={comment.paidCents} symbol />],
          ["门店", comment.storeName],
          ["付款人", comment.payer],
          ["支付时间", <Time at={comment.paidAt} />],
          ["评价时间", <Time at={comment.createdAt} />],
        ]}
      />
    </>
  );
}

function ReplyDrawer({ comment, onClose }: { comment: Comment; onClose: () => void }): ReactNode {
  const form = useForm(replyComment, {
    initial: { id: comment.id, reply: comment.reply ?? "" },
    draft: comment.id,
    done: "已回复",
    refreshes: reads,
    onDone: onClose,
  });
  const first = comment.reply === null;
  return (
    <FormDrawer form={form} title={first ? "回复评价" : "修改回复"} submit={first ? "回复" : "保存"} onClose={onClose}>
      <Field of={form.field("reply")} label="回复内容" help={first ? "顾客在评价页能看到，之后可修改一次" : "只能修改这一次"}>
        {(f) => <TextArea {...f} maxLength={500} rows={5} />}
      </Field>
    </FormDrawer>
  );
}

function HideDrawer({ comment, onClose }: { comment: Comment; onClose: () => void }): ReactNode {
  const [, run] = useRun(reads);
  const form = useForm(hideComment, {
    initial: { id: comment.id, reason: "" },
    draft: comment.id,
    refreshes: reads,
    onDone: () => {
      undoable("已隐藏", () => void run(() => call(showComment, { id: comment.id })));
      onClose();
    },
    ask: () => ({ text: `隐藏订单 ${comment.orderNo} 的 ${comment.stars} 星评价？隐藏后不计入平均星级。`, ok: "隐藏", danger: true }),
  });
  return (
    <FormDrawer form={form} title="隐藏评价" submit="隐藏" danger onClose={onClose}>
      <Field of={form.field("reason")} label="隐藏原因" help="记入操作日志">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
