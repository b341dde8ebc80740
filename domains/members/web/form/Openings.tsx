import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { decideOpenings, getMemberAccount, listMembers, listOpenings, summariseMembers } from "../../contract/index.ts";

type Row = OutputOf<typeof listOpenings>["items"][number];

/** 待确认的期初本金: a second person looks, then it is the members'. */
export function OpeningsDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const openings = useDetail(listOpenings, {});
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [busy, run] = useRun([listOpenings, listMembers, summariseMembers, getMemberAccount]);
  const rows = (openings.data?.items ?? []).filter(({ id }) => chosen.has(id));
  const cents = rows.reduce((sum, row) => sum + row.principalCents, 0);
  const own = rows.some(({ mayConfirm }) => !mayConfirm);
  const decide = async (approve: boolean): Promise<void> => {
    const words = approve ? `确认 ${rows.length} 笔本金入账，合计 ¥${yuan(cents)}？` : `驳回 ${rows.length} 笔？这些本金不会入账。`;
    if (!(await confirm(words, { ok: approve ? "确认入账" : "驳回", danger: !approve }))) return;
    await run(async () => {
      const { decided } = await call(decideOpenings, { ids: [...chosen], approve });
      choose(new Set());
      success(`已${approve ? "入账" : "驳回"} ${decided} 笔`);
    });
  };
  const footer = (
    <>
      {own && <span className="note">自己导入的要由另一人确认</span>}
      <Button busy={busy} disabled={rows.length === 0 || own} onClick={() => void decide(false)}>
        驳回
      </Button>
      <Button tone="primary" busy={busy} disabled={rows.length === 0 || own} onClick={() => void decide(true)}>
        {rows.length === 0 ? "确认入账" : `确认入账 ¥${yuan(cents)}`}
      </Button>
    </>
  );
  return (
    <Drawer title="待确认的期初本金" width={880} onClose={onClose} footer={footer}>
      <Loaded of={openings}>
        {({ items }) => (
          <DataTable
            label="待确认的期初本金"
            rows={items}
            columns={COLUMNS}
            ticks={{
              keys: chosen,
              toggle: (keys, on) => choose((now) => new Set(on ? [...now, ...keys] : [...now].filter((key) => !keys.includes(key)))),
            }}
            blank={<p className="note">没有待确认的本金</p>}
          />
        )}
      </Loaded>
    </Drawer>
  );
}
const c = columns<Row>();
const COLUMNS = [
  c.text("memberNo", "会员号", { width: 120 }),
  c.text("name", "姓名", { width: 88 }),
  c.text("phone", "手机号", { width: 124 }),
  c.text("storeName", "售卡门店", { width: 120 }),
  c.money("principalCents", "本金（元）", { width: 112 }),
  c.money("giftCents", "赠送（元）", { width: 104 }),
  c.text("askedBy", "导入人", { width: 104 }),
  c.time("createdAt", "导入时间"),
];
