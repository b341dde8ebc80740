import type { ReactNode } from "react";
import type { Endpoint, InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailDrawer, Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  cardStatus,
  createWxCard,
  deleteWxCard,
  getWxCard,
  listWxCards,
  summariseWxCards,
  syncWxCard,
  wxApi,
  wxCardState,
  wxHolderState,
  wxSync,
} from "../contract/index.ts";
import { CardFace, Swatched } from "./CardFace.tsx";

type Row = RowOf<typeof listWxCards>;
const READS = [listWxCards, summariseWxCards, getWxCard];
const c = columns<Row>();

/** 微信会员卡设置: a merchant's own. */
export const WxCardSettings = (): ReactNode => <WxCards title="微信会员卡设置" />;
/** 微信会员卡: of all merchants of a provider. */
export const WxCardList = (): ReactNode => <WxCards title="微信会员卡" wide />;

function WxCards({ title, wide = false }: { title: string; wide?: boolean }): ReactNode {
  const list = useList(listWxCards, { live_ms: 15_000 });
  const sums = useSummary(summariseWxCards, list.filters).data;
  const create = usePanel("create");
  const card = useDetail(getWxCard, list.openId && { id: list.openId });
  return (
    <ListScreen
      title={title}
      unit="张"
      list={list}
      tabs={{ of: list.field("state"), set: wxCardState, counts: sums?.byState }}
      totals={
        sums && [
          ["微信里有效", `${sums.holders.toLocaleString("en-US")} 人`],
          ["等待同步", `${sums.waiting.toLocaleString("en-US")} 人`],
        ]
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="会员卡" placeholder="卡名 / 微信卡号" />
          {wide && <OrgFilter of={list} levels={["merchantId"]} />}
        </>
      }
      columns={[
        c.link("name", "卡名", (row) => list.open(row.id), { copy: false, width: 144 }),
        c.text("tone", "颜色", (row) => <Swatched tone={row.tone} name="" />, { width: 64 }),
        ...(wide ? [c.text("merchantName", "商户", { width: 144 })] : []),
        c.code("status", "卡状态", cardStatus, { width: 88 }),
        c.code("state", "微信状态", wxCardState, { width: 96 }),
        c.text("sync", "同步", (row) => (row.sync === null ? null : <StatusTag of={wxSync} code={row.sync} />), { width: 104 }),
        c.text("why", "微信说明", { width: 160 }),
        c.number("holders", "有效会员", { width: 96 }),
        c.number("waiting", "等待同步", { width: 96 }),
        c.time("syncedAt", "同步时间", { width: 168 }),
        c.text("wxCardId", "微信卡号", { hidden: true, width: 240 }),
        c.actions((row) => <Acts row={row} create={create.open} />, { width: 128, of: [createWxCard, syncWxCard] }),
      ]}
      empty={{ text: wide ? "商户还没有会员卡" : "还没有会员卡，请先在「会员卡」里新建并确认" }}
    >
      {list.openId && (
        <DetailDrawer title="微信会员卡详情" of={card} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts card={one} />}
        </DetailDrawer>
      )}
      <OneRow list={list} by={getWxCard} id={create.id} title="创建微信会员卡" onClose={create.close}>
        {(row) => <CreateDrawer row={row} onClose={create.close} />}
      </OneRow>
    </ListScreen>
  );
}

function Acts({ row, create }: { row: Row; create: (id: string) => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const ask = <E extends Endpoint>(endpoint: E, input: InputOf<E>, said: string): Promise<unknown> =>
    run(async () => {
      await call(endpoint, input);
      success(said);
    });
  const remove = async (): Promise<void> => {
    const text = `从微信删除「${row.name}」？顾客微信里的卡会消失；这里的会员卡、积分和余额都不变。`;
    if (await confirm(text, { ok: "从微信删除", danger: true })) await ask(deleteWxCard, { id: row.id }, "已提交删除");
  };
  const there = row.state >= 1 && row.state <= 3;
  return (
    <>
      {!there && row.status !== 0 && row.status !== 5 && (
        <Act of={createWxCard}>
          <Button tone="link" onClick={() => create(row.id)}>
            创建
          </Button>
        </Act>
      )}
      {there && (
        <Act of={syncWxCard}>
          <Button tone="link" busy={busy} onClick={() => void ask(syncWxCard, { id: row.id }, "已排队，几秒内同步")}>
            同步
          </Button>
        </Act>
      )}
      {there && (
        <Act of={deleteWxCard}>
          <Button tone="link" busy={busy} onClick={() => void remove()}>
            删除
          </Button>
        </Act>
      )}
    </>
  );
}
function CreateDrawer({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const form = useForm(createWxCard, {
    initial: { id: row.id, api: "open" },
    draft: false,
    done: "已提交，微信审核后生效",
    refreshes: READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`创建微信会员卡 ${row.name}`} submit="提交微信审核" onClose={onClose}>
      <p className="note">提交后由微信审核。微信连不上时这里一切照常，恢复后自动补上；以这里的账为准。</p>
      <Field of={form.field("api")} label="接口" help="公众平台：卡在公众号下；品牌会员卡：卡在微信支付品牌下">
        {(f) => <Radios {...f} value={f.value ?? "open"} set={wxApi} />}
      </Field>
    </FormDrawer>
  );
}
function Facts({ card }: { card: OutputOf<typeof getWxCard> }): ReactNode {
  const p = columns<(typeof card)["problems"][number]>();
  return (
    <>
      <CardFace {...card} />
      <Group
        title="微信"
        pairs={[
          ["状态", <StatusTag of={wxCardState} code={card.state} />],
          ["接口", card.api && wxApi.label(card.api)],
          ["微信卡号", card.wxCardId],
          ["同步", card.sync !== null && <StatusTag of={wxSync} code={card.sync} />],
          ["微信说明", card.why],
          ["同步时间", card.syncedAt && <Time at={card.syncedAt} />],
        ]}
      />
      <Group
        title="持卡会员"
        pairs={
          card.byState.length === 0
            ? [["微信里", "还没有"]]
            : card.byState.map(({ state, count }) => [wxHolderState.label(state), `${count.toLocaleString("en-US")} 人`] as const)
        }
      />
      {card.problems.length > 0 && (
        <Group title="没同步成的">
          <DataTable
            label="没同步成的"
            rows={card.problems}
            columns={[
              p.text("code", "卡号", { width: 136 }),
              p.text("memberNo", "会员号", { width: 112 }),
              p.code("sync", "同步", wxSync, { width: 96 }),
              p.text("why", "微信说明", { width: 200 }),
              p.time("sentAt", "时间", { width: 168 }),
            ]}
            blank="没有"
          />
        </Group>
      )}
    </>
  );
}
