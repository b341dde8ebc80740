import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MomentInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { readSheet } from "../../../imports/web/index.ts";
import { Audience, audienceKey, whom } from "../../../members/web/index.ts";
import {
  countSendAudience,
  createPackageSend,
  createSend,
  getSend,
  listSendable,
  listSendablePackages,
  listSendRows,
  listSends,
  MOST_SENT,
  SHEET_DAYS,
} from "../../contract/index.ts";
import { counted } from "../campaigns/campaign-words.ts";

const READS = [listSends, getSend, listSendRows, listSendable, listSendablePackages];
const SHEET = [
  { key: "memberNo", label: "会员号", also: ["会员编号", "手机号", "会员号或手机号"], required: true, example: "9000000001", width: 14 },
];
const ways = labelled({ filter: "按条件选会员", sheet: "上传名单" });
type Way = CodeOf<typeof ways>;

const things = labelled({ coupon: "优惠券", package: "券包" });
type Kind = CodeOf<typeof things>;

/**
 * 新建批量发券任务: a coupon or a package, for members by what they are or by a sheet.
 * @param memberNos who was chosen before, and gets a package
 */
export function NewSend({
  memberNos,
  ...given
}: {
  onClose: () => void;
  onMade: (id: string) => void;
  memberNos?: readonly string[];
}): ReactNode {
  const [way, setWay] = useState<Way>(memberNos ? "sheet" : "filter");
  const [chosen, setKind] = useState<Kind>();
  const [mayCoupons, mayPackages] = [useAct(createSend), useAct(createPackageSend)];
  const kind = memberNos ? "package" : (chosen ?? (mayCoupons ? "coupon" : "package"));
  const kinds = !memberNos && mayCoupons && mayPackages && <Segments label="发什么" set={things} value={kind} onChange={setKind} />;
  // What was filled in for one way is nothing to the other.
  return <SendForm key={`${way} ${kind}`} {...given} way={way} setWay={setWay} kind={kind} kinds={kinds} memberNos={memberNos} />;
}
type SendFields = Form<typeof createSend | typeof createPackageSend>;
interface Sendable {
  readonly id: string;
  readonly name: string;
  readonly worth: string;
  readonly left: number;
  /** The sentence of its terms. */
  readonly said?: string;
}
/** What gives out now: coupons or packages. */
function useSendable(kind: Kind): { readonly items: readonly Sendable[]; readonly none: boolean } {
  const found = useQuery<{ readonly items: readonly Sendable[] }>({
    queryKey: [kind === "coupon" ? listSendable.path : listSendablePackages.path],
    queryFn: ({ signal }) => (kind === "coupon" ? call(listSendable, {}, { signal }) : call(listSendablePackages, {}, { signal })),
  });
  return { items: found.data?.items ?? [], none: found.isSuccess && found.data.items.length === 0 };
}

/** Who sends: a merchant to its own members; a provider its own coupons to those of the merchants that take part. */
type Side = "merchant" | "provider";
/** Of whose members a provider's sending is, its campaign says. */
const alsoOf = (side: Side, given: object): object => {
  const { campaignId } = given as { readonly campaignId?: string };
  return side === "provider" && campaignId ? { campaignId } : {};
};

/** The form of a sending, with its question that names the people and what each gets. */
function useSendForm(
  { kind, way, memberNos }: Pick<SendParts, "kind" | "way" | "memberNos">,
  side: Side,
  onDone: (made: { readonly id: string }) => void,
): SendFields {
  const client = useQueryClient();
  const { items } = useSendable(kind);
  const [field, unit, word] = kind === "coupon" ? (["campaignId", "张", "券"] as const) : (["packageId", "份", "券包"] as const);
  return useForm<typeof createSend | typeof createPackageSend>(kind === "coupon" ? createSend : createPackageSend, {
    initial: {
      name: memberNos ? `选中的 ${memberNos.length} 位会员` : "",
      again: false,
      ...(way === "filter" && { filter: {} }),
      ...(memberNos && { memberNos: [...memberNos] }),
    },
    draft: false,
    done: "已开始，名单从现在起不变",
    refreshes: READS,
    onDone,
    ask: (given) => {
      const { memberNos = [], filter } = given;
      const thing = items.find(({ id }) => id === (given as { readonly [field]?: string })[field]);
      const what = thing ? `${kind === "coupon" ? "" : word}「${thing.name}」（${thing.worth}）` : word;
      const known =
        filter &&
        client.getQueryData<OutputOf<typeof countSendAudience>>(audienceKey(countSendAudience, { ...filter, ...alsoOf(side, given) }));
      const many = filter ? known?.members : memberNos.length;
      const people = many === undefined ? "" : ` ${counted(many)} 人`;
      return {
        text: `给${filter ? `${side === "provider" && !filter.merchantId ? "所有参加商户的" : ""}${whom(filter)}` : "名单里的会员"}${people}每人发一${unit}${what}？名单从现在起不变。`,
        ok: many === undefined ? "开始发送" : `发 ${counted(many)} ${unit}`,
      };
    },
  });
}
interface SendParts {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
  readonly way: Way;
  readonly setWay: (way: Way) => void;
  readonly kind: Kind;
  readonly kinds: ReactNode;
  readonly memberNos: readonly string[] | undefined;
}
function SendForm({ onClose, onMade, way, setWay, kind, kinds, memberNos }: SendParts): ReactNode {
  const side: Side = useUser().level === "SP" ? "provider" : "merchant";
  const form = useSendForm({ kind, way, memberNos }, side, ({ id }) => {
    onClose();
    onMade(id);
  });
  const filter = form.values.filter ?? {};
  return (
    <FormDrawer form={form} title={memberNos ? "发券包" : "新建批量发券任务"} submit="开始发送" onClose={onClose}>
      {kinds}
      <ThingField form={form} kind={kind} />
      {side === "merchant" && !memberNos && <Segments label="选会员" set={ways} value={way} onChange={setWay} />}
      {way === "filter" ? (
        <Audience
          of={countSendAudience}
          value={filter}
          onChange={(chosen) => form.set({ ...form.values, filter: chosen })}
          errorAt={form.errorAt}
          most={MOST_SENT}
          also={alsoOf(side, form.values)}
        >
          {side === "provider" && (
            <Field
              of={{
                name: "filter.merchantId",
                value: filter.merchantId,
                error: form.errorAt("filter.merchantId"),
                set: (id) => form.set({ ...form.values, filter: { ...filter, merchantId: id || undefined } }),
              }}
              label="哪家商户的会员"
              optional
              help="不填就是所有参加这张券的商户。只看得到人数，看不到会员是谁"
            >
              {(f) => <OrgPicker {...f} level="merchantId" value={f.value as string} />}
            </Field>
          )}
        </Audience>
      ) : memberNos ? (
        <p className="note">发给选中的 {counted(memberNos.length)} 位会员，每人一份；已冻结或注销的跳过。</p>
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
        />{" "}
        同样的名单或条件已发过，仍要再发一次
      </label>
    </FormDrawer>
  );
}
/** Which coupon, as its sentence says it, or which package, and how many there are. */
function ThingField({ form, kind }: { form: SendFields; kind: Kind }): ReactNode {
  const { items, none } = useSendable(kind);
  const coupon = kind === "coupon";
  const unit = coupon ? "张" : "份";
  const field = form.field((coupon ? "campaignId" : "packageId") as never);
  const chosen = items.find(({ id }) => id === field.value);
  const help = chosen
    ? `${chosen.said ?? "每人整份发，少一张都不发。"}还剩 ${counted(chosen.left)} ${unit}`
    : none
      ? coupon
        ? "没有发放中的优惠券，请先新建并审核一张"
        : "没有发放中的券包，请先新建并审核一个"
      : undefined;
  return (
    <Field of={field} label={coupon ? "优惠券" : "券包"} {...(help !== undefined && { help })}>
      {(f) => (
        <PickOne
          {...f}
          value={f.value as unknown as string}
          onChange={(value) => f.onChange(value as never)}
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
        {numbers
          ? `已读取 ${counted(numbers.length)} 人`
          : `.xlsx 或 .csv，一列：会员号或手机号；最多 ${counted(MOST_SENT)} 人。没发完的名单最多保留 ${SHEET_DAYS} 天，到期任务取消`}
      </p>
    </div>
  );
}
