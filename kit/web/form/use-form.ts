import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "react-router";
import type { Endpoint, InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ApiError } from "../api/api-errors.ts";
import { call } from "../api/api.ts";
import { confirm, error as errorToast, success } from "../notify.ts";
import { schemaOf } from "../schema.ts";
import { useAttemptKey } from "./attempt-key.ts";
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
  /** Tells this form's draft from another one of the same endpoint: the object's id. False keeps none: for passwords and codes. */
  readonly draft?: string | false;
  /** Fields that no draft keeps: passwords and keys. */
  readonly secrets?: readonly FieldName<E>[];
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
  const formId = useMemo(() => `form-${crypto.randomUUID().slice(0, 8)}`, []);
  const draft = options.draft === false ? undefined : `${endpoint.path}:${options.draft ?? ""}`;
  const typed = useTyped<E>(draft, options.initial, options.secrets ?? []);
  const keyed = useAttemptKey(endpoint.idempotent, draft);
  const [failure, setFailure] = useState<string>();
  const { values, errors, dirty } = typed;
  const broken = options.check?.(values) ?? {};
  useEffect(() => {
    // The schema travels while somebody reads the form.
    void schemaOf(endpoint).catch(() => undefined);
  }, [endpoint]);

  const blame = (fields: FieldErrors): false => {
    flushSync(() => typed.setErrors(fields));
    const unseen = focusWrong(formId, fields);
    if (unseen !== undefined) setFailure(unseen);
    return false;
  };
  const refresh = (): void => options.refreshes?.forEach(({ path }) => void client.invalidateQueries({ queryKey: [path] }));
  const send = async (): Promise<boolean> => {
    setFailure(undefined);
    const result = checked(await schemaOf(endpoint), keyed.add(values as Record<string, unknown>));
    if ("errors" in result) return blame(result.errors);
    // What `check` says stands at its fields already.
    if (Object.keys(broken).length > 0) return blame({});
    if (!(await agreed(options.ask?.(values)))) return false;
    const answer = await call(endpoint, result.values as InputOf<E>, { form: true });
    keyed.done();
    typed.saved();
    if (options.done !== undefined) success(options.done);
    refresh();
    options.onDone?.(answer);
    return true;
  };
  const refused = (reason: unknown): false => {
    if (!(reason instanceof ApiError)) {
      errorToast("提交失败，请重试");
      throw reason;
    }
    // Nobody knows what became of it: what stands around the form tells.
    if (reason.kind === "network" || reason.kind === "timeout") refresh();
    setFailure(Object.keys(reason.fields).length > 0 ? undefined : reason.message);
    return blame(reason.fields);
  };
  const { busy, submit } = useOneAtATime(() => send().catch(refused));
  const discard = (): void => {
    typed.reset();
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
      set: (value) => typed.change({ [name]: value } as Values<E>),
    }),
    set: typed.change,
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

/** Goes to the first wrong field. @returns what is said of fields that this form does not show: nothing is refused without a word */
function focusWrong(formId: string, fields: FieldErrors): string | undefined {
  const form = document.querySelector(`#${formId}`);
  const wrong = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  // A group of choices takes no focus; its first one does.
  (wrong?.matches("[role=radiogroup]") ? wrong.querySelector("input") : wrong)?.focus();
  return form?.querySelector(".field-error") === null ? Object.values(fields)[0] : undefined;
}

const agreed = (question: string | { text: string; ok: string; danger?: boolean } | undefined): Promise<boolean> =>
  question === undefined ? Promise.resolve(true) : typeof question === "string" ? confirm(question) : confirm(question.text, question);

/** What somebody typed, its mistakes, and its draft. */
function useTyped<E extends Endpoint>(draft: string | undefined, first: Values<E>, secrets: readonly string[]) {
  const { pathname } = useLocation();
  const [initial, setInitial] = useState(first);
  const [values, setValues] = useState<Values<E>>(() => ({ ...first, ...((draft && drafts.read(draft)) as Values<E> | undefined) }));
  const [errors, setErrors] = useState<FieldErrors>({});
  const dirty = JSON.stringify(values) !== JSON.stringify(initial);
  const [mark] = useState(() => ({}));
  useEffect(() => {
    markDirty(mark, dirty, pathname);
    return () => markDirty(mark, false, pathname);
  }, [mark, dirty, pathname]);
  return {
    values,
    errors,
    dirty,
    setErrors,
    change: (given: Values<E>): void => {
      const next = { ...values, ...given };
      setValues(next);
      if (draft) drafts.write(draft, Object.fromEntries(Object.entries(next).filter(([name]) => !secrets.includes(name))));
      setErrors((old) => without(old, Object.keys(given)));
    },
    /** What was sent is what there is now. */
    saved: (): void => {
      if (draft) drafts.remove(draft);
      setInitial(values);
    },
    reset: (): void => {
      if (draft) drafts.remove(draft);
      setValues(initial);
      setErrors({});
    },
  };
}
const without = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !names.some((name) => path === name || path.startsWith(`${name}.`))));

/** Runs one thing at a time: while it runs, asking again does nothing. */
function useOneAtATime(run: () => Promise<boolean>): { busy: boolean; submit: () => Promise<boolean> } {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const submit = async (): Promise<boolean> => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      return await run();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, submit };
}
