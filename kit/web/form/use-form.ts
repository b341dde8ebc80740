import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "../api-errors.ts";
import { call } from "../api.ts";
import { confirm, error as errorToast, success } from "../notify.ts";
import { schemaOf } from "../schema.ts";
import { markDirty } from "./dirty.ts";
import { drafts } from "./drafts.ts";
import { checked, errorAt, type FieldErrors } from "./issues.ts";

type Values<E extends Endpoint> = Partial<InputOf<E>>;
type FieldName<E extends Endpoint> = keyof InputOf<E> & string;

/** One field as its input sees it. */
export interface FormField<T = unknown> {
  readonly name: string;
  readonly value: T | undefined;
  readonly error: string | undefined;
  set(value: T | undefined): void;
}
export interface FormOptions<E extends Endpoint> {
  readonly initial: Values<E>;
  /** Said when it worked. */
  readonly done?: string;
  onDone?(answer: OutputOf<E>): void;
  /** Tells this form's draft from another one of the same endpoint: the object's id. */
  readonly draft?: string;
  /** Other endpoints' answers that are old now, by path; the endpoint's own domain reads are asked again in any case when named here. */
  readonly refreshes?: readonly Pick<Endpoint, "path">[];
  /** What the contract can't know, said while somebody types: a message by field, such as a bound that comes from the object. */
  check?(values: Values<E>): FieldErrors | undefined;
  /** Asked before sending: the object, the amount and who is affected. */
  readonly ask?: (values: Values<E>) => string | { text: string; ok: string; danger?: boolean } | undefined;
}
/** A form as its screen sees it. */
export interface Form<E extends Endpoint = Endpoint> {
  readonly values: Values<E>;
  readonly dirty: boolean;
  readonly busy: boolean;
  /** A refusal that blames no field. */
  readonly failure: string | undefined;
  /** A field by its name in the contract. @example <Field of={form.field("amount")} label="退款金额（元）">{(f) => <MoneyInput {...f} />}</Field> */
  field<N extends FieldName<E>>(name: N): FormField<InputOf<E>[N]>;
  set(values: Values<E>): void;
  /** The message at a path inside a field, for lists of things. */
  errorAt(path: string): string | undefined;
  submit(): Promise<boolean>;
  /** Back to the first values; the draft goes too. */
  discard(): void;
  /** Asks before unsaved changes are lost. @returns whether it may close */
  mayClose(): Promise<boolean>;
  /** For `Field` and `FormDrawer`. */
  readonly formId: string;
}

/**
 * A form on an endpoint's input: checked by the contract's schema before it is sent and by the server after,
 * with the server's blame at the fields. It can't be sent twice at once, and the same content goes out under the
 * same idempotency key, so that pressing again after a lost answer does nothing twice.
 * What was typed survives a reload and a new login.
 * @example
 * const form = useForm(refundOrder, { initial: { orderId: id, reason: "" }, draft: id, done: "已提交退款", refreshes: [listPayOrders], onDone: onClose });
 */
export function useForm<E extends Endpoint>(endpoint: E, options: FormOptions<E>): Form<E> {
  const client = useQueryClient();
  const { pathname } = useLocation();
  const draftName = `${endpoint.path}:${options.draft ?? ""}`;
  const [initial] = useState(options.initial);
  const [values, setValues] = useState<Values<E>>(() => ({ ...initial, ...(drafts.read(draftName) as Values<E> | undefined) }));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sending = useRef(false);
  const attempt = useRef({ body: "", key: "" });
  const broken = options.check?.(values) ?? {};
  const formId = useMemo(() => `form-${crypto.randomUUID().slice(0, 8)}`, []);
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);

  useEffect(() => {
    // The schema travels while somebody reads the form.
    void schemaOf(endpoint);
  }, [endpoint]);
  useEffect(() => {
    const mark = attempt.current;
    markDirty(mark, dirty, pathname);
    return () => markDirty(mark, false, pathname);
  }, [dirty, pathname]);

  const change = (given: Values<E>): void => {
    const next = { ...values, ...given };
    setValues(next);
    drafts.write(draftName, next);
    setFailure(undefined);
    const changed = Object.keys(given);
    setErrors((old) =>
      Object.fromEntries(Object.entries(old).filter(([path]) => !changed.some((name) => path === name || path.startsWith(`${name}.`)))),
    );
  };
  const blame = (fields: FieldErrors): false => {
    flushSync(() => setErrors(fields));
    document.querySelector<HTMLElement>(`#${formId} [aria-invalid=true]`)?.focus();
    return false;
  };
  const keyed = (body: Record<string, unknown>): Record<string, unknown> => {
    if (endpoint.idempotent === undefined) return body;
    const text = JSON.stringify(body);
    if (attempt.current.body !== text) attempt.current = Object.assign(attempt.current, { body: text, key: crypto.randomUUID() });
    return { ...body, [endpoint.idempotent]: attempt.current.key };
  };
  const send = async (): Promise<boolean> => {
    const result = checked(await schemaOf(endpoint), keyed(values as Record<string, unknown>));
    if ("errors" in result) return blame(result.errors);
    // What `check` says stands at its fields already.
    if (Object.keys(broken).length > 0) return blame({});
    const question = options.ask?.(values);
    if (question !== undefined && !(await (typeof question === "string" ? confirm(question) : confirm(question.text, question))))
      return false;
    const answer = await call(endpoint, result.values as InputOf<E>, { form: true });
    attempt.current.body = "";
    drafts.remove(draftName);
    setValues(initial);
    if (options.done !== undefined) success(options.done);
    for (const other of options.refreshes ?? []) void client.invalidateQueries({ queryKey: [other.path] });
    options.onDone?.(answer);
    return true;
  };
  const submit = async (): Promise<boolean> => {
    if (sending.current) return false;
    sending.current = true;
    setBusy(true);
    setFailure(undefined);
    try {
      return await send();
    } catch (reason) {
      if (!(reason instanceof ApiError)) {
        errorToast("提交失败，请重试");
        throw reason;
      }
      setFailure(Object.keys(reason.fields).length > 0 ? undefined : reason.message);
      return blame(reason.fields);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  const discard = (): void => {
    drafts.remove(draftName);
    setValues(initial);
    setErrors({});
    setFailure(undefined);
  };

  return {
    values,
    dirty,
    busy,
    failure,
    formId,
    field: (name) => ({
      name,
      value: values[name],
      error: errorAt(broken, name) ?? errorAt(errors, name),
      set: (value) => change({ [name]: value } as Values<E>),
    }),
    set: change,
    errorAt: (path) => errors[path],
    submit,
    discard,
    mayClose: async () => {
      if (dirty && !(await confirm("有未保存的修改，关闭后将丢失。", { ok: "放弃修改", cancel: "继续填写", danger: true }))) return false;
      discard();
      return true;
    },
  };
}
