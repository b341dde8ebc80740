import { type ReactNode, useState } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { readScale, setScalePattern, summariseProducts, whyNotPattern } from "../../contract/index.ts";

/** 秤码格式: how the merchant's scales print, with a code to try it on. */
export function ScaleDrawer({ pattern, onClose }: { pattern: string; onClose: () => void }): ReactNode {
  const form = useForm(setScalePattern, { initial: { pattern }, done: "已保存秤码格式", refreshes: [summariseProducts], onDone: onClose });
  const [code, setCode] = useState("");
  const given = (form.values.pattern ?? "").trim().toUpperCase();
  return (
    <FormDrawer form={form} title="秤码格式" submit="保存" onClose={onClose}>
      <Field
        of={form.field("pattern")}
        label="格式"
        help="F 前缀（20–29）、I 商品段、P 价格（分）或 W 重量（克）、C 校验位，共 13 位。商品段填在称重商品的条码里"
      >
        {(f) => <TextInput {...f} maxLength={13} />}
      </Field>
      <Field
        of={{ name: "try", value: code, error: undefined, set: (value) => setCode(value ?? "") }}
        label="试读一张秤码"
        optional
        help={trial(given, code)}
      >
        {(f) => <TextInput {...f} inputMode="numeric" maxLength={13} placeholder="扫一张称重标签" />}
      </Field>
    </FormDrawer>
  );
}
function trial(pattern: string, code: string): string {
  if (code === "") return "扫描或输入 13 位秤码，看读得对不对";
  if (whyNotPattern(pattern) !== undefined) return "先填对格式";
  const read = readScale(pattern, code);
  if (!read) return "不是秤码，或校验位不对";
  return `商品段 ${read.item}${read.cents === undefined ? "" : `，价格 ¥${yuan(read.cents)}`}${read.grams === undefined ? "" : `，重量 ${read.grams} 克`}`;
}
