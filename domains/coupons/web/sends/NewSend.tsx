import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { readSheet } from "../../../imports/web/index.ts";
import { Audience, audienceKey, whom } from "../../../members/web/index.ts";
import {
  countSendAudience,
  createSend,
  getSend,
  listSendable,
  listSendRows,
  listSends,
  MOST_SENT,
  MOST_SHEET,
} from "../../contract/index.ts";
import { counted } from "../campaigns/campaign-words.ts";
import { MomentInput } from "../campaigns/form/TimeFields.tsx";

const READS = [listSends, getSend, listSendRows, listSendable];
const SHEET = [
  { key: "memberNo", label: "会员号", also: ["会员编号", "手机号", "会员号或手机号"], required: true, example: "9000000001", width: 14 },
];
const ways = labelled({ filter: "按条件选会员", sheet: "上传名单" });
type Way = CodeOf<typeof ways>;

/** 新建批量发券任务: for members by what they are, or by a sheet. */
export function NewSend(given: { onClose: () => void; onMade: (id: string) => void }): ReactNode {
  const [way, setWay] = useState<Way>("filter");
  // What was filled in for one way is nothing to the other.
  return <SendForm key={way} {...given} way={way} setWay={setWay} />;
}
type SendFields = Form<typeof createSend>;
const useSendable = () => useQuery({ queryKey: [listSendable.path], queryFn: ({ signal }) => call(listSendable, {}, { signal }) });

function SendForm({
  onClose,
  onMade,
  way,
  setWay,
}: {
  onClose: () => void;
  onMade: (id: string) => void;
  way: Way;
  setWay: (way: Way) => void;
}): ReactNode {
  const client = useQueryClient();
  const sendable = useSendable().data?.items ?? [];
  const form = useForm(createSend, {
    initial: { name: "", again: false, ...(way === "filter" && { filter: {} }) },
    draft: false,
    done: "已开始，名单从现在起不变",
    refreshes: READS,
    onDone: ({ id }) => {
      onClose();
      onMade(id);
    },
    ask: ({ campaignId, memberNos = [], filter }) => {
      const coupon = sendable.find(({ id }) => id === campaignId);
      const what = coupon ? `「${coupon.name}」（${coupon.worth}）` : "这张券";
      const known = filter && client.getQueryData<OutputOf<typeof countSendAudience>>(audienceKey(countSendAudience, filter));
      const many = filter ? known?.members : memberNos.length;
      const people = many === undefined ? "" : ` ${counted(many)} 人`;
      return {
        text: `给${filter ? whom(filter) : "名单里的会员"}${people}每人发一张${what}？名单从现在起不变。`,
        ok: many === undefined ? "开始发送" : `发 ${counted(many)} 张`,
      };
    },
  });
  return (
    <FormDrawer form={form} title="新建批量发券任务" submit="开始发送" onClose={onClose}>
      <Campaign form={form} />
      <Segments label="选会员" set={ways} value={way} onChange={setWay} />
      {way === "filter" ? (
        <Audience
          of={countSendAudience}
          value={form.values.filter ?? {}}
          onChange={(filter) => form.set({ ...form.values, filter })}
          errorAt={form.errorAt}
          most={MOST_SENT}
        />
      ) : (
        <Sheet form={form} />
      )}
      <Field of={form.field("name")} label="任务名称">
        {(f) => <TextInput {...f} maxLength={40} />}
      </Field>
      <Field of={form.field("startsAt")} label="开始时间" optional help="不填就是现在">
        {(f) => <MomentInput {...f} value={f.value as string} onChange={(at) => f.onChange(at as never)} />}
      </Field>
      <label>
        <input
          type="checkbox"
          checked={form.values.again === true}
          onChange={({ target }) => form.set({ ...form.values, again: target.checked })}
        />
        同样的名单或条件已发过这张券，仍要再发一次
      </label>
    </FormDrawer>
  );
}
/** Which coupon, as its sentence says it, and how many there are. */
function Campaign({ form }: { form: SendFields }): ReactNode {
  const sendable = useSendable();
  const items = sendable.data?.items ?? [];
  const chosen = items.find(({ id }) => id === form.values.campaignId);
  const help = chosen
    ? `${chosen.said}还剩 ${counted(chosen.left)} 张`
    : sendable.isSuccess && items.length === 0
      ? "没有发放中的优惠券，请先新建并审核一张"
      : undefined;
  return (
    <Field of={form.field("campaignId")} label="优惠券" {...(help !== undefined && { help })}>
      {(f) => (
        <PickOne
          {...f}
          value={f.value as string}
          options={items.map(({ id, name, worth, left }) => ({ value: id, label: `${name} · ${worth} · 剩 ${counted(left)}` }))}
        />
      )}
    </Field>
  );
}
/** The list as a file: its numbers are read here. */
function Sheet({ form }: { form: SendFields }): ReactNode {
  const [wrong, setWrong] = useState<string>();
  const choose = async (file: File | undefined): Promise<void> => {
    setWrong(undefined);
    if (!file) return;
    try {
      const { lines } = await readSheet(file, SHEET as never);
      const memberNos = lines.map(({ cells }) => cells["memberNo"] ?? "");
      form.set({ ...form.values, memberNos, name: form.values.name || file.name.replace(/\.\w+$/, "").slice(0, 40) });
    } catch (failure) {
      if (failure instanceof ApiError) throw failure;
      setWrong(failure instanceof Error ? failure.message : "无法读取此文件");
    }
  };
  const numbers = form.values.memberNos;
  const at = (numbers ?? []).findIndex((_no, place) => form.errorAt(`memberNos.${place}`));
  const said = wrong ?? form.errorAt("memberNos") ?? (at >= 0 ? `第 ${at + 1} 行：${form.errorAt(`memberNos.${at}`)}` : undefined);
  return (
    <div className="field">
      <label htmlFor="send-sheet">名单</label>
      <input id="send-sheet" type="file" accept=".xlsx,.csv" onChange={({ target }) => void choose(target.files?.[0])} />
      {said && (
        <p className="field-error" role="alert">
          {said}
        </p>
      )}
      <p className="field-help">
        {numbers ? `已读取 ${counted(numbers.length)} 人` : `.xlsx 或 .csv，一列：会员号或手机号；最多 ${counted(MOST_SHEET)} 人`}
      </p>
    </div>
  );
}
