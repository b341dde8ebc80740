import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { OneRow } from "@zhangfang/web/list/OneRow.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { success, error } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { Group, HeroLine } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { taxRate } from "../../../products/contract/codes.ts";
import {
  addTaxSubject,
  bureauSession,
  getTaxSubject,
  listTaxSubjects,
  redFirst,
  refreshSession,
  setSubjectStores,
  subjectState,
  taxpayer,
  testTaxSubject,
  updateTaxSubject,
} from "../../contract/index.ts";
import { AddSubject, EditSubject, SubjectStores } from "./SubjectForms.tsx";
import { TaxRules } from "./TaxRules.tsx";

type Row = RowOf<typeof listTaxSubjects>;

/** 配置: the tax numbers that a merchant issues by. */
export function SubjectList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listTaxSubjects);
  const [add, edit, stores] = [usePanel("add"), usePanel("edit"), usePanel("stores")];
  const adding = (
    <Act of={addTaxSubject}>
      <Button tone="primary" onClick={() => add.open()}>
        添加开票主体
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="商户开票配置"
      unit="个"
      list={list}
      filters={<Keyword of={list.field("keyword")} label="开票主体" placeholder="名称 / 税号" />}
      actions={
        <>
          {views}
          {adding}
        </>
      }
      columns={columnsOf(list.open, stores.open, edit.open)}
      empty={{ text: "还没有开票主体。添加税号，设好门店，小票上的码就能开发票", action: adding }}
    >
      <div className="sheet invoice-rules">
        <TaxRules kind="category" />
      </div>
      <OneRow list={list} by={getTaxSubject} id={list.openId} title="开票主体" onClose={list.close}>
        {(row) => <SubjectDrawer row={row} onEdit={() => edit.open(row.id)} onStores={() => stores.open(row.id)} onClose={list.close} />}
      </OneRow>
      {add.id && <AddSubject onClose={add.close} onMade={list.open} />}
      <OneRow list={list} by={getTaxSubject} id={edit.id} title="修改开票主体" onClose={edit.close}>
        {(row) => <EditSubject key={row.revision} row={row} onClose={edit.close} />}
      </OneRow>
      <OneRow list={list} by={getTaxSubject} id={stores.id} title="开票主体的门店" onClose={stores.close}>
        {(row) => <SubjectStores key={row.revision} row={row} onClose={stores.close} />}
      </OneRow>
    </ListScreen>
  );
}
const c = columns<Row>();
const columnsOf = (open: (id: string) => void, place: (id: string) => void, edit: (id: string) => void) => [
  c.link("name", "开票主体", (row) => open(row.id), {
    width: 216,
    copy: false,
    note: (row) => <span className="num">{row.taxNo}</span>,
  }),
  c.text("stores", "门店", (row) => (row.stores.length === 0 ? <span className="blank">还没有</span> : `${row.stores.length} 家`), {
    width: 88,
  }),
  c.text("taxRate", "默认税率", (row) => (row.taxRate === null ? "按商品" : taxRate.label(row.taxRate)), { width: 88 }),
  c.text("auto", "自动开票", (row) => (row.auto ? `≤ ${yuan(row.autoLimitCents)}` : "全部审核"), { width: 128 }),
  c.code("session", "开票人登录", bureauSession, { width: 112 }),
  c.money("quotaCents", "本月剩余额度（元）", { width: 144 }),
  c.text("testedAt", "测试", (row) => (row.testedAt ? "通过" : row.testSaid ? "没通过" : "还没测"), { width: 80 }),
  c.code("state", "状态", subjectState, { width: 80 }),
  c.time("createdAt", "添加时间", { width: 168, hidden: true, sort: "-createdAt" }),
  c.actions(
    (row) => (
      <>
        <Act of={setSubjectStores}>
          <Button tone="link" onClick={() => place(row.id)}>
            设门店
          </Button>
        </Act>
        <Act of={updateTaxSubject}>
          <Button tone="link" onClick={() => edit(row.id)}>
            修改
          </Button>
        </Act>
      </>
    ),
    { width: 136, of: [setSubjectStores, updateTaxSubject] },
  ),
];
function SubjectDrawer({
  row,
  onEdit,
  onStores,
  onClose,
}: {
  row: Row;
  onEdit: () => void;
  onStores: () => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Drawer
      title="开票主体"
      onClose={onClose}
      footer={
        <>
          <Test of={row} />
          <Act of={setSubjectStores}>
            <Button onClick={onStores}>设门店</Button>
          </Act>
          <Act of={updateTaxSubject}>
            <Button tone="primary" onClick={onEdit}>
              修改
            </Button>
          </Act>
        </>
      }
    >
      <HeroLine label={`税号 ${row.taxNo}`} value={row.name} status={<StatusTag of={subjectState} code={row.state} />} />
      {row.session !== "ok" && <Session of={row} />}
      <p className={row.testedAt ? "note" : "notice notice-warn"}>
        {row.testSaid ?? "还没测试过：点测试，用一个不可能有的订单号问平台，不会开出发票"}
      </p>
      <Facts of={row} />
    </Drawer>
  );
}
function Facts({ of: row }: { of: Row }): ReactNode {
  return (
    <>
      <Group
        title="开票"
        pairs={[
          ["开票人", row.drawer],
          ["分机号", row.extension],
          ["纳税人", taxpayer.label(row.taxpayer)],
          [
            "默认编码",
            row.taxCode && <span key="code" className="num">{`${row.taxCode} · ${taxRate.label(row.taxRate)} · ${row.goodsName}`}</span>,
          ],
          ["自动开票", row.auto ? `不超过 ${yuan(row.autoLimitCents)} 元的普通发票` : "全部审核"],
          ["专用发票", row.special ? "可以申请，都要审核" : "不开"],
          ["申请期限", `付款后 ${row.applyDays} 天`],
          ["退款前须红冲", redFirst.label(row.redFirst)],
          ["每张最多", `${row.mostLines} 行${row.mostCents === null ? "" : `，不含税 ${yuan(row.mostCents)} 元`}`],
          [
            "本月剩余额度",
            row.quotaCents !== null && row.quotaAt && (
              <span key="quota" className="num">
                {`${yuan(row.quotaCents)} 元（`}
                <Time at={row.quotaAt} />）
              </span>
            ),
          ],
        ]}
      />
      <Group
        title="票面"
        pairs={[
          ["地址", row.address],
          ["电话", row.phone],
          ["开户行", row.bank],
          ["账号", row.bankAccount],
        ]}
      />
      <Group title="门店" pairs={row.stores.map(({ name, fromDay }) => [name, `${fromDay} 起`] as const)}>
        {row.stores.length === 0 && <p className="note">还没有门店由它开票。</p>}
      </Group>
    </>
  );
}
/** The drawer has to scan; nothing is sent until then. */
function Session({ of: { id, session, sessionQr } }: { of: Row }): ReactNode {
  const [busy, run] = useRun([listTaxSubjects]);
  const refresh = (): Promise<void> =>
    run(async () => {
      const { session: now } = await call(refreshSession, { id });
      success(now === "ok" ? "开票人已登录，排队的发票接着开" : "还没登录，请扫新的码");
    });
  return (
    <div className="notice notice-warn">
      <p>
        {session === "face" ? "请开票人用电子税务局 App 扫码做人脸认证" : "开票人在电子税务局的登录失效，请本人扫码登录"}
        ，期间新发票排队，不会丢。
      </p>
      {sessionQr && <QrCode text={sessionQr} label="电子税务局登录二维码" size={168} />}
      <Act of={refreshSession}>
        <Button busy={busy} onClick={() => void refresh()}>
          我已扫码，刷新
        </Button>
      </Act>
    </div>
  );
}
function Test({ of: { id } }: { of: Row }): ReactNode {
  const [busy, run] = useRun([listTaxSubjects]);
  const test = (): Promise<void> =>
    run(async () => {
      const { ok, said } = await call(testTaxSubject, { id });
      (ok ? success : error)(said);
    });
  return (
    <Act of={testTaxSubject}>
      <Button busy={busy} onClick={() => void test()}>
        测试
      </Button>
    </Act>
  );
}
