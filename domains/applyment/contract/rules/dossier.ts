import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { Step } from "../codes.ts";

/**
 * What a merchant opens an account with: by path a text, or several (scenes, pictures). A picture stands as the id of its file, a day as
 * YYYY-MM-DD, an end may be 长期, a flag is yes or no. What is not there is not filled in.
 */
export type Dossier = Readonly<Record<string, string | readonly string[] | undefined>>;
export type When = (dossier: Dossier) => boolean;
export type Form =
  | "text"
  | "choice"
  | "choices"
  | "flag"
  | "picture"
  | "pictures"
  | "begin"
  | "end"
  | "phone"
  | "mail"
  | "id-number"
  | "credit-code"
  | "card-number"
  | "area"
  | "appid"
  | "domain"
  | "rate"
  | "degrees";
/** Where a field stands at WeChat Pay: `subject_info.ubo_info_list[0].ubo_id_doc_name`. */
export interface Target {
  readonly at: string;
  readonly when?: When;
}
/** One row of *dossier path ↔ WeChat Pay path*. */
export interface Field {
  readonly path: string;
  readonly label: string;
  readonly step: Step;
  readonly form: Form;
  readonly options?: Labelled;
  /** What is said where it is not there, instead of 请填写. */
  readonly missing?: string;
  /** Signs of a text, pictures of several. */
  readonly least: number;
  readonly most: number;
  /** Is sealed here, masked wherever it is shown, and travels as RSA-OAEP. */
  readonly secret: boolean;
  /** Of a secret: WeChat Pay takes it as it is. */
  readonly plain?: boolean;
  readonly when: When;
  readonly needed: When;
  /** None: it steers the form alone. */
  readonly to: readonly Target[];
}

/** The one text of a field; empty where nothing is filled in, or several are. */
export function textOf(dossier: Dossier, path: string): string {
  const value = dossier[path];
  return typeof value === "string" ? value.trim() : "";
}
/** The texts of a field. */
export function listOf(dossier: Dossier, path: string): readonly string[] {
  const value = dossier[path];
  return typeof value === "string" ? (value.trim() === "" ? [] : [value.trim()]) : (value ?? []);
}
/** 长期: an end that does not come. */
export const FOREVER = "长期";

type More = Partial<Omit<Field, "path" | "label" | "form" | "to" | "step" | "needed">> & { readonly needed?: boolean | When };
export type To = string | readonly Target[] | null;
const always: When = () => true;
/** Fields of a step, in the order in which a person fills them in. */
export const fieldsOf =
  (step: Step) =>
  (path: string, label: string, form: Form, to: To, more: More = {}): Field => {
    const { needed = true, when = always } = more;
    return {
      least: form === "pictures" || form === "choices" ? 1 : 0,
      most: form === "pictures" ? 5 : 128,
      secret: false,
      ...more,
      path,
      label,
      step,
      form,
      when,
      needed: typeof needed === "function" ? needed : () => needed,
      to: to === null ? [] : typeof to === "string" ? [{ at: to }] : to,
    };
  };
