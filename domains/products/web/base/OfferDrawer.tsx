import { type ReactNode, useState } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import {
  getBaseGood,
  getBaseGoods,
  getSaleGood,
  getSaleGoods,
  offerBaseGoods,
  summariseBaseGoods,
  takeBackBaseGoods,
} from "../../contract/index.ts";

const what = labelled({ offer: "下发", back: "收回" });
const refreshes = [getBaseGoods, getBaseGood, summariseBaseGoods, getSaleGoods, getSaleGood];

/** 下发 or 收回 of some base goods: one merchant, or all. */
export function OfferDrawer({ ids, onClose }: { ids: readonly string[]; onClose: () => void }): ReactNode {
  const [act, setAct] = useState<"offer" | "back">("offer");
  const form = useForm(act === "offer" ? offerBaseGoods : takeBackBaseGoods, {
    initial: { ids: [...ids], merchantId: null },
    draft: false,
    refreshes,
    onDone: ({ changed }) => {
      success(`已${what.label(act)} ${changed} 项`);
      onClose();
    },
    ask: ({ merchantId }) =>
      act === "back"
        ? {
            text: `从${merchantId ? "这家商户" : "全部商户"}收回 ${ids.length} 个基础商品？在卖的马上下架，收银机随即更新。`,
            ok: "收回",
            danger: true,
          }
        : undefined,
  });
  return (
    <FormDrawer
      form={form}
      title={`下发或收回 ${ids.length} 个基础商品`}
      submit={what.label(act)}
      danger={act === "back"}
      onClose={onClose}
    >
      <Field
        of={{ name: "act", value: act, error: undefined, set: (value) => setAct(value as "offer") }}
        label="操作"
        help={
          act === "offer"
            ? "商户定价后就能卖；名称、图片、单位、税务跟着基础商品变"
            : "在卖的商品下架，商户自己的价格和库存留着；再下发可以重新上架"
        }
      >
        {(f) => <Radios {...f} set={what} />}
      </Field>
      <Field of={form.field("merchantId")} label="商户" optional help="不选就是现有的全部商户">
        {(f) => (
          <OrgPicker
            {...f}
            level="merchantId"
            value={(f.value as string | null) ?? undefined}
            onChange={(value) => f.onChange((value ?? null) as never)}
            placeholder="全部商户"
          />
        )}
      </Field>
    </FormDrawer>
  );
}
