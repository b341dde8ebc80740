import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense, useEffect, useMemo } from "react";
import { useNavigate } from "react-router";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { useUser } from "@zhangfang/web/api/user.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter, OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Pick, Radios, Switch, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { rowsOf } from "@zhangfang/web/list/selected.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { opening } from "@zhangfang/web/list/table/opening.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { error, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { printSheets, saveSheets, type Sheet, SheetActs } from "../../pay-codes/web/index.ts";
import { StorePicks } from "../../stores/web/index.ts";
import { addFanChannels, fanChannelKind, fanChannelStatus, getFanChannel, listFanChannels, makeFanChannel } from "../contract/index.ts";
import { channelSheet } from "./channel-sheet.ts";
import { AppChoice, useApps } from "./FanParts.tsx";
import "./wechat.css";

type Row = RowOf<typeof listFanChannels>;
const READS = [listFanChannels];
const AGAIN_MS = 2_000;

/** 渠道码: codes by which followers come, and how many each brought. */
export function FanChannels(): ReactNode {
  const { level } = useUser();
  const navigate = useNavigate();
  const list = useList(listFanChannels);
  const add = usePanel("add");
  const making = list.rows.some(({ status }) => status === 0);
  const queries = useQueryClient();
  useEffect(() => {
    if (!making) return;
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: [listFanChannels.path] }), AGAIN_MS);
    return () => clearInterval(timer);
  }, [making, queries]);
  const c = columns<Row>();
  const adding = (
    <Act of={addFanChannels}>
      <Button tone="primary" onClick={() => add.open()}>
        做渠道码
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="渠道码"
      unit="个"
      list={list}
      actions={
        <>
          <Button onClick={() => void navigate("/wxCRM/fans")}>回到粉丝</Button>
          {adding}
        </>
      }
      filters={
        <>
          <Keyword of={list.field("keyword")} label="名称" placeholder="门店 / 员工 / 桌号 / 活动" />
          <Choice of={list.field("kind")} label="类型" set={fanChannelKind} />
          <OrgFilter of={list} levels={["merchantId", "storeId"]} />
          <AppChoice of={list.field("appRow")} />
        </>
      }
      columns={[
        c.link("name", "名称", (row) => list.open(row.id), {
          width: 160,
          copy: false,
          note: (row) => row.storeName !== row.name && row.storeName,
        }),
        c.code("kind", "类型", fanChannelKind, { width: 80 }),
        c.code("status", "状态", fanChannelStatus, { width: 96, note: (row) => (row.over ? "已过期" : row.why) }),
        c.number("brought", "带来粉丝", { width: 96, hint: "第一次关注是扫这个码来的" }),
        opening(c.number("fans", "在关注", { width: 88, hint: "最近一次扫的是这个码，现在还在关注" }), (row) =>
          row.fans > 0 ? `/wxCRM/fans?channelId=${row.id}&state=yes` : undefined,
        ),
        c.text("endsAt", "有效期", (row) => (row.endsAt ? <Time at={row.endsAt} /> : row.days === null ? "永久" : `${row.days} 天`), {
          width: 168,
        }),
        c.text("appName", "公众号", { width: 128 }),
        c.text("merchantName", "商户", { width: 136, hidden: level === "MCH" }),
        c.text("byName", "添加人", { width: 96 }),
        c.time("createdAt", "添加时间", { width: 168, sort: "-createdAt" }),
      ]}
      batch={(selection) => <Ticked selection={selection} rows={list.rows} />}
      empty={{ text: "还没有渠道码。给门店、员工、桌台或活动各做一个，就知道粉丝从哪来", action: adding }}
    >
      <OneRow list={list} by={getFanChannel} id={list.openId} title="渠道码" onClose={list.close}>
        {(row) => <ChannelDrawer row={row} onClose={list.close} />}
      </OneRow>
      {add.id && <AddChannels onClose={add.close} />}
    </ListScreen>
  );
}

/** So many codes go into one file. */
const AT_ONCE = 100;

/** Those that are ticked, on whatever page, or all that the filter finds; as one zip. */
function Ticked({ selection: { all, ids, count, filters }, rows }: { selection: Selection; rows: readonly Row[] }): ReactNode {
  if (count > AT_ONCE) return <span className="note">一次最多 {AT_ONCE} 个渠道码，请缩小筛选范围</span>;
  const withSheets = async (act: (made: readonly Sheet[]) => Promise<void>): Promise<void> => {
    const inSight = !all && ids.every((id) => rows.some((row) => row.id === id));
    const found = inSight ? rows : await rowsOf(listFanChannels, filters, all ? AT_ONCE : Infinity);
    const made = found.filter(({ id }) => all || ids.includes(id)).flatMap((row) => channelSheet(row) ?? []);
    if (made.length === 0) error("选中的渠道码都还没做好");
    else await act(made);
  };
  return (
    <SheetActs
      save={(format) => withSheets((made) => saveSheets(made, format, `渠道码-${made.length}张`))}
      print={() => withSheets(printSheets)}
    />
  );
}

function ChannelDrawer({ row, onClose }: { row: Row; onClose: () => void }): ReactNode {
  const [busy, run] = useRun(READS);
  const sheet = useMemo(() => channelSheet(row), [row]);
  const again = (): Promise<unknown> =>
    run(async () => {
      await call(makeFanChannel, { id: row.id });
      success("已重新提交给微信");
    });
  return (
    <Drawer
      title={`渠道码 ${row.name}`}
      onClose={onClose}
      footer={
        sheet && !row.over ? (
          <SheetActs save={(format) => saveSheets([sheet], format, "")} print={() => printSheets([sheet])} />
        ) : (
          <Act of={makeFanChannel}>
            <Button tone="primary" busy={busy} onClick={() => void again()}>
              重做
            </Button>
          </Act>
        )
      }
    >
      {row.status === 0 && <p className="note">正在向微信要二维码，一会儿就好。等了很久还没有，点重做再要一次</p>}
      {row.status === 2 && <p className="notice notice-warn">没有做成：{row.why}</p>}
      {row.over && <p className="notice notice-warn">已过期，扫了没有反应。重做后要重新打印</p>}
      {sheet && !row.over && (
        <img
          className="fan-sheet"
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(sheet.svg)}`}
          alt={`${row.name}的渠道码海报`}
        />
      )}
      <Group
        title="渠道码"
        pairs={[
          ["公众号", row.appName],
          ["类型", fanChannelKind.label(row.kind)],
          ["门店", row.storeName],
          ["有效期", row.endsAt ? <Time key="ends" at={row.endsAt} /> : row.days === null ? "永久" : `${row.days} 天`],
          ["带来粉丝", `${row.brought.toLocaleString("en-US")} 人`],
          ["在关注", `${row.fans.toLocaleString("en-US")} 人`],
          ["二维码内容", row.url && <Copy key="url" text={row.url} />],
          ["添加人", row.byName],
        ]}
      />
    </Drawer>
  );
}

const NAMES_OF = { employee: "员工姓名", table: "桌号", campaign: "活动名称", store: "" } as const;
function AddChannels({ onClose }: { onClose: () => void }): ReactNode {
  const apps = useApps().data?.filter(({ state, mayCall }) => state === "active" && mayCall) ?? [];
  const form = useForm(addFanChannels, {
    initial: { kind: "store", storeIds: [], names: [] },
    done: "已提交给微信，一会儿就能下载",
    refreshes: READS,
    onDone: onClose,
  });
  const { kind = "store" } = form.values;
  const [only] = apps;
  useEffect(() => {
    if (only && form.values.appRow === undefined) form.set({ appRow: only.id });
  });
  return (
    <FormDrawer form={form} title="做渠道码" submit="提交" onClose={onClose}>
      {apps.length === 0 && <p className="notice notice-warn">还没有能用的公众号：先到 微信应用 授权，或接通并填写 AppSecret</p>}
      {apps.length > 1 && (
        <Field of={form.field("appRow")} label="公众号">
          {(f) => <Pick {...f} set={labelled(Object.fromEntries(apps.map(({ id, name }) => [id, name]))) as never} />}
        </Field>
      )}
      <Field of={form.field("kind")} label="类型">
        {(f) => <Radios {...f} set={fanChannelKind} onChange={(one) => form.set({ kind: one, storeIds: [], names: [] })} />}
      </Field>
      {kind === "store" && (
        <Field of={form.field("storeIds")} label="门店" help="每家门店一个码，一次最多 100 家">
          {(f) => (
            <Suspense>
              <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
            </Suspense>
          )}
        </Field>
      )}
      {(kind === "employee" || kind === "table") && (
        <Field of={form.field("storeIds")} label="门店">
          {(f) => <OrgPicker {...f} level="storeId" value={f.value?.[0]} onChange={(one) => f.onChange(one === undefined ? [] : [one])} />}
        </Field>
      )}
      {kind !== "store" && (
        <Field of={form.field("names")} label={NAMES_OF[kind]} help="一行一个，每行一个码，一次最多 100 个">
          {(f) => <TextArea {...f} value={f.value?.join("\n") ?? ""} onChange={(text) => f.onChange(linesOf(text))} rows={4} />}
        </Field>
      )}
      <Field of={form.field("days")} label="有效期">
        {(f) => <Switch value={f.value !== undefined} onChange={(some) => f.onChange(some ? 30 : undefined)} label="临时码，到期作废" />}
      </Field>
      {form.values.days !== undefined && (
        <Field of={form.field("days")} label="几天后过期" help="1 到 30 天；印在纸上的用永久码">
          {(f) => <NumberInput {...f} unit="天" />}
        </Field>
      )}
    </FormDrawer>
  );
}
const linesOf = (text: string | undefined): string[] => (text ?? "").split("\n").map((one) => one.trimStart());
