import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import { Button } from "../show/Button.tsx";
import { Drawer } from "../show/over/Drawer.tsx";
import { formTitle } from "../level-names.ts";
import type { Form } from "./use-form.ts";

type AnyForm = Pick<Form, "formId" | "busy" | "dirty" | "failure"> & {
  submit(): Promise<boolean>;
  mayClose(): Promise<boolean>;
  discard(): void;
};

/** The form itself, for a part of a page or drawer that has its own buttons. @example <FormBody form={form}>…<Button type="submit">保存</Button></FormBody> */
export function FormBody({ form, children }: { form: AnyForm; children: ReactNode }): ReactNode {
  const send = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <form
      id={form.formId}
      className="form"
      noValidate
      onSubmit={send}
      onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && send(event)}
    >
      {form.failure && (
        <p className="form-failure" role="alert">
          {form.failure}
        </p>
      )}
      {children}
    </form>
  );
}

/**
 * A form over the page. The button repeats the act (确认退款 ¥29.00); Ctrl+Enter sends, Esc asks before changes are lost.
 * @example
 * <FormDrawer form={form} title="退款" submit={`确认退款 ¥${yuan(amount)}`} danger onClose={refund.close}>
 *   <Field of={form.field("amount")} label="退款金额（元）">{(f) => <MoneyInput {...f} />}</Field>
 * </FormDrawer>
 */
export function FormDrawer({
  form,
  title,
  submit,
  danger = false,
  wide = false,
  onClose,
  children,
}: {
  form: AnyForm;
  title: ReactNode;
  submit: string;
  danger?: boolean;
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const close = (): void => void form.mayClose().then((may) => may && onClose());
  return (
    <Drawer
      title={typeof title === "string" ? formTitle(title) : title}
      width={wide ? 880 : 560}
      onClose={close}
      focusField
      footer={
        <>
          <span className="hint">Ctrl + Enter 提交</span>
          <Button onClick={close}>取消</Button>
          <Button tone={danger ? "danger" : "primary"} type="submit" form={form.formId} busy={form.busy}>
            {submit}
          </Button>
        </>
      }
    >
      <FormBody form={form}>{children}</FormBody>
    </Drawer>
  );
}

/**
 * A form that is a page, with a bar that stays in sight and says that something is not saved.
 * @example <FormScreen form={form} title="商户配置" submit="保存">…</FormScreen>
 */
export function FormScreen({
  form,
  title,
  submit = "保存",
  actions,
  wide = false,
  children,
}: {
  form: AnyForm;
  title: ReactNode;
  submit?: string;
  actions?: ReactNode;
  /** Fields and what stands beside them take the whole width. */
  wide?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={wide ? "form-screen form-screen-wide" : "form-screen"}>
      <header className="screen-head">
        <h1>{typeof title === "string" ? formTitle(title) : title}</h1>
        <div className="screen-acts">{actions}</div>
      </header>
      <div className="sheet">
        <FormBody form={form}>{children}</FormBody>
      </div>
      <div className="save-bar">
        <span>{form.dirty ? "有未保存的修改" : ""}</span>
        <Button disabled={!form.dirty} onClick={form.discard}>
          还原
        </Button>
        <Button tone="primary" type="submit" form={form.formId} busy={form.busy}>
          {submit}
        </Button>
      </div>
    </section>
  );
}
