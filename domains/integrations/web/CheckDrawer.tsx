import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { checkPushSignature, VERIFY_NODE, VERIFY_PHP, VERIFY_PYTHON } from "../contract/index.ts";

/** 贴一条进来验: whoever writes the receiver pastes what came, and reads whether and why not. */
export function CheckDrawer({
  row: { id, name },
  onClose,
}: {
  row: { readonly id: string; readonly name: string };
  onClose: () => void;
}): ReactNode {
  const [said, say] = useState<OutputOf<typeof checkPushSignature>>();
  const form = useForm(checkPushSignature, { initial: { id, headers: "", body: "" }, draft: false, onDone: say });
  return (
    <FormDrawer form={form} title={`验「${name}」的签名`} submit="验签" onClose={onClose}>
      <Field of={form.field("headers")} label="请求头" help="一行一个，至少 webhook-id、webhook-timestamp、webhook-signature">
        {(f) => <TextArea {...f} maxLength={8000} rows={4} />}
      </Field>
      <Field of={form.field("body")} label="正文" help="收到的原始字节，不要排版">
        {(f) => <TextArea {...f} maxLength={30000} rows={6} />}
      </Field>
      <div role="status">{said && <p className={said.right ? "notice push-right" : "notice notice-warn"}>{said.why}</p>}</div>
      <Examples />
    </FormDrawer>
  );
}
const language = labelled({ node: "Node", php: "PHP", python: "Python" });
/** How a receiver verifies, in a few lines. */
export function Examples(): ReactNode {
  const [chosen, choose] = useState<"node" | "php" | "python">("node");
  return (
    <section className="push-examples" aria-label="怎么验签">
      <Segments small label="语言" set={language} value={chosen} onChange={choose} />
      <pre className="push-bytes" tabIndex={0}>
        {{ node: VERIFY_NODE, php: VERIFY_PHP, python: VERIFY_PYTHON }[chosen]}
      </pre>
    </section>
  );
}
