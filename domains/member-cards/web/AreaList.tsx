import type { ReactNode } from "react";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { cardStatus, getCardPlaces, listCardAreas, setCardFace, setCardPlaces, summariseCardAreas } from "../contract/index.ts";
import { rightWords } from "../contract/words.ts";
import { PickSome, Swatched } from "./CardFace.tsx";
import { AskedDrawer, CARD_READS, FaceDrawer } from "./CardForms.tsx";
import { Moves } from "./CardList.tsx";

type Row = RowOf<typeof listCardAreas>;
const c = columns<Row>();

/** 区域会员卡: where each card serves, and what one may do about it. */
export function AreaList(): ReactNode {
  const list = useList(listCardAreas);
  const sums = useSummary(summariseCardAreas, list.filters).data;
  const [places, face, asked] = [usePanel("places"), usePanel("face"), usePanel("form")];
  return (
    <ListScreen
      title="区域会员卡"
      unit="张"
      list={list}
      tabs={{ of: list.field("status"), set: cardStatus, counts: sums?.byStatus }}
      totals={sums && [["只在部分门店用", `${sums.narrowed} 张`]]}
      filters={<Keyword of={list.field("keyword")} label="卡名" placeholder="会员卡名称" />}
      columns={[
        c.text("name", "卡名", (row) => <Swatched tone={row.tone} name={row.name} />, { width: 160 }),
        c.code("status", "状态", cardStatus, { width: 88 }),
        c.text("placeNames", "适用范围", { width: 280 }),
        c.number("areas", "区域", { width: 72 }),
        c.number("stores", "另加门店", { width: 96 }),
        c.text("may", "我能改", (row) => rightWords(row.may), { width: 200 }),
        c.actions(
          (row) =>
            row.status !== 5 && (
              <>
                <Act of={setCardPlaces}>
                  {row.may.includes("stores") && (
                    <Button tone="link" onClick={() => places.open(row.id)}>
                      范围
                    </Button>
                  )}
                </Act>
                <Act of={setCardFace}>
                  {row.may.includes("face") && (
                    <Button tone="link" onClick={() => face.open(row.id)}>
                      卡面
                    </Button>
                  )}
                  {row.may.includes("form") && (
                    <Button tone="link" onClick={() => asked.open(row.id)}>
                      表单
                    </Button>
                  )}
                </Act>
                {row.may.includes("pause") && <Moves {...row} only={(to) => to >= 3} />}
              </>
            ),
          { width: 208, of: [setCardPlaces, setCardFace] },
        ),
      ]}
      empty={{ text: "还没有会员卡，由商户先在「会员卡」里新建" }}
    >
      {list.openId && <AreaDrawer id={list.openId} onClose={list.close} />}
      {places.id && <PlacesDrawer id={places.id} onClose={places.close} />}
      {face.id && <FaceDrawer id={face.id} onClose={face.close} />}
      {asked.id && <AskedDrawer id={asked.id} onClose={asked.close} />}
    </ListScreen>
  );
}

/** Where one card serves. */
function AreaDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const card = useDetail(getCardPlaces, { id });
  const named = (all: readonly { id: string; name: string }[], chosen: readonly string[]) =>
    all.flatMap((one) => (chosen.includes(one.id) ? one.name : [])).join("、");
  return (
    <DetailDrawer title={card.data?.name ?? "区域会员卡"} of={card} onClose={onClose}>
      {({ everywhere, areas, areaIds, stores, storeIds, narrowed, may }) => (
        <Group
          title="适用范围"
          pairs={[
            ["全部门店", everywhere ? "是" : "否"],
            ["区域", named(areas, areaIds)],
            [narrowed ? "我管的门店" : "另加门店", named(stores, storeIds)],
            ["我能改", rightWords(may)],
          ]}
        />
      )}
    </DetailDrawer>
  );
}
function PlacesDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const card = useDetail(getCardPlaces, { id });
  if (card.data) return <PlacesForm key={card.data.revision} card={card.data} onClose={onClose} />;
  return <WaitingDrawer of={card} title="适用范围" onClose={onClose} />;
}
function PlacesForm({ card, onClose }: { card: OutputOf<typeof getCardPlaces>; onClose: () => void }): ReactNode {
  const { id, name, revision, everywhere, areaIds, storeIds, areas, stores, narrowed } = card;
  const form = useForm(setCardPlaces, {
    initial: { id, revision, everywhere, areaIds: narrowed ? [] : areaIds, storeIds },
    draft: `${id}:${revision}`,
    done: "已保存",
    refreshes: [...CARD_READS, summariseCardAreas, getCardPlaces],
    onDone: onClose,
    ask: (values) =>
      everywhere && !values.everywhere
        ? { text: "改为部分门店后，持卡会员在其他门店不再享受等级折扣；积分和余额不受影响。", ok: "保存范围" }
        : undefined,
  });
  const all = form.values.everywhere === true;
  return (
    <FormDrawer form={form} title={`适用范围 ${name}`} submit="保存" onClose={onClose}>
      {narrowed ? (
        <p className="notice">{everywhere ? "这张卡适用全部门店，只有商户能改" : "这里只加减您管的门店，其余门店不变"}</p>
      ) : (
        <Field of={form.field("everywhere")} label="全部门店">
          {(f) => <Switch {...f} value={f.value === true} label="所有门店都能用，新开的门店也算" />}
        </Field>
      )}
      {!all && !narrowed && (
        <Field of={form.field("areaIds")} label="区域" optional help="区域以后加减门店，卡跟着变">
          {(f) => <PickSome {...f} of={areas.map((area) => ({ ...area, name: `${area.name}（${area.stores} 家）` }))} />}
        </Field>
      )}
      {!all && (
        <Field of={form.field("storeIds")} label="门店" optional>
          {(f) => <PickSome {...f} of={stores} />}
        </Field>
      )}
      <p className="note">不在范围内的门店：没有等级折扣；积分和余额照常用。</p>
    </FormDrawer>
  );
}
