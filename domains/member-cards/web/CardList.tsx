import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import {
  activation,
  addCard,
  cardStatus,
  type CardStatus,
  getCard,
  listCards,
  moveCard,
  openCard,
  setCardFace,
  summariseCards,
} from "../contract/index.ts";
import { CARD_MOVES, formWords } from "../contract/words.ts";
import { CardFace, Swatched } from "./CardFace.tsx";
import { AddCardDrawer, AskedDrawer, CARD_READS, FaceDrawer, OpenCardDrawer } from "./CardForms.tsx";
import { HolderList } from "./Holders.tsx";

type Row = RowOf<typeof listCards>;
const cardView = labelled({ list: "会员卡", holders: "持卡会员" });
const c = columns<Row>();
/** What a move is called, and what is asked before it. */
const MOVE: Readonly<Record<string, readonly [name: string, asks?: string]>> = {
  "0:1": ["确认创建"],
  "1:0": ["退回修改"],
  "1:2": ["启用", "启用后，入会的会员会自动拿到这张卡。"],
  "2:3": ["暂停", "暂停后不能再开卡，已有的卡照常用。"],
  "3:4": ["重启", "重新开始开卡。"],
  "4:3": ["暂停", "暂停后不能再开卡，已有的卡照常用。"],
};

/** 会员卡: the cards, and who holds them. */
export function CardScreen(): ReactNode {
  const [query, setQuery] = useSearchParams();
  const view = query.get("view") === "holders" ? "holders" : "list";
  const views = (
    <Segments label="查看方式" set={cardView} value={view} onChange={(next) => setQuery(next === "list" ? {} : { view: next })} />
  );
  return view === "holders" ? <HolderList views={views} /> : <CardList views={views} />;
}

function CardList({ views }: { views: ReactNode }): ReactNode {
  const list = useList(listCards);
  const sums = useSummary(summariseCards, list.filters).data;
  const [add, face, asked, open] = [usePanel("add"), usePanel("face"), usePanel("form"), usePanel("open")];
  const mayExport = useAct(["/memberCard/card/export"]);
  const card = useDetail(getCard, list.openId && { id: list.openId });
  const adding = (
    <Act of={addCard}>
      <Button tone="primary" onClick={() => add.open()}>
        新建会员卡
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="会员卡"
      unit="张"
      list={list}
      tabs={{ of: list.field("status"), set: cardStatus, counts: sums?.byStatus }}
      totals={sums && [["持卡会员", `${sums.holders.toLocaleString("en-US")} 人`]]}
      filters={<Keyword of={list.field("keyword")} label="卡名" placeholder="会员卡名称" />}
      actions={
        <>
          {views}
          {adding}
        </>
      }
      {...(mayExport && { exportSource: "member-cards" })}
      columns={[
        c.link("name", "卡名", (row) => list.open(row.id), { copy: false, width: 160 }),
        c.text("tone", "颜色", (row) => <Swatched tone={row.tone} name="" />, { width: 72 }),
        c.code("status", "状态", cardStatus, { width: 88 }),
        c.text("given", "入会自动发", (row) => (row.given ? "是" : ""), { width: 104 }),
        c.number("holders", "持卡会员", { width: 96 }),
        c.text("everywhere", "适用门店", (row) => (row.everywhere ? "全部门店" : "部分门店"), { width: 104 }),
        c.text("endsOn", "有效期至", (row) => row.endsOn ?? "长期", { width: 112 }),
        c.time("createdAt", "新建时间", { sort: "createdAt", width: 168 }),
        c.actions((row) => <Acts row={row} face={face.open} form={asked.open} />, { width: 208, of: [setCardFace, moveCard] }),
      ]}
      empty={{ text: "还没有会员卡；建一张并启用，入会的会员就会自动拿到", action: adding }}
    >
      {list.openId && (
        <DetailDrawer title="会员卡详情" of={card} onClose={list.close} extra={<Neighbours of={list} />}>
          {(one) => <Facts card={one} open={open.open} />}
        </DetailDrawer>
      )}
      {add.id && (
        <AddCardDrawer
          onClose={add.close}
          onAdded={(id) => {
            add.close();
            list.open(id);
          }}
        />
      )}
      {face.id && <FaceDrawer id={face.id} onClose={face.close} />}
      {asked.id && <AskedDrawer id={asked.id} onClose={asked.close} />}
      {open.id && (
        <OpenCardDrawer id={open.id} cards={list.rows.filter(({ status }) => status === 2 || status === 4)} onClose={open.close} />
      )}
    </ListScreen>
  );
}

function Acts({ row, face, form }: { row: Row; face: (id: string) => void; form: (id: string) => void }): ReactNode {
  return (
    <>
      {row.status !== 5 && (
        <Act of={setCardFace}>
          <Button tone="link" onClick={() => face(row.id)}>
            卡面
          </Button>
          <Button tone="link" onClick={() => form(row.id)}>
            表单
          </Button>
        </Act>
      )}
      <Moves {...row} />
    </>
  );
}
/** The next moves of a card, each asked about where it changes what customers get. */
export function Moves({
  id,
  name,
  status,
  only,
}: {
  id: string;
  name: string;
  status: CardStatus;
  only?: (to: CardStatus) => boolean;
}): ReactNode {
  const [busy, run] = useRun(CARD_READS);
  const move = async (to: CardStatus, title: string, asks?: string): Promise<void> => {
    if (asks && !(await confirm(`${title}「${name}」？${asks}`, { ok: title }))) return;
    await run(async () => {
      await call(moveCard, { id, from: status, to });
      success(`已${title}`);
    });
  };
  return (
    <Act of={moveCard}>
      {CARD_MOVES[status]
        .filter((to) => only?.(to) ?? true)
        .map((to) => {
          const [title, asks] = MOVE[`${status}:${to}`]!;
          return (
            <Button key={to} tone="link" busy={busy} onClick={() => void move(to, title, asks)}>
              {title}
            </Button>
          );
        })}
    </Act>
  );
}

function Facts({ card, open }: { card: OutputOf<typeof getCard>; open: (id: string) => void }): ReactNode {
  const living = card.status === 2 || card.status === 4;
  return (
    <>
      <CardFace {...card} />
      <Group
        title="会员卡"
        pairs={[
          ["状态", <StatusTag of={cardStatus} code={card.status} />],
          ["有效期", card.endsOn ? `至 ${card.endsOn} 24:00` : "长期"],
          ["适用门店", card.placeNames],
          ["激活", activation.label(card.activation)],
          ["持卡会员", `${card.holders.toLocaleString("en-US")} 人`],
          ["入会自动发", card.given ? "是，没有绑定其他卡的门店都发它" : "否"],
        ]}
      />
      <Group title="开卡时问什么">
        <p>{formWords(card.form)}</p>
      </Group>
      <Group title="权益说明">
        <p className="membercard-rights">{card.rights || <span className="blank">没有填写</span>}</p>
      </Group>
      {living && (
        <Act of={openCard}>
          <Button onClick={() => open(card.id)}>给会员开卡</Button>
        </Act>
      )}
    </>
  );
}
