import { applicable, fieldOf, FIELDS } from "./fields.ts";
import { fieldFaults } from "./field-checks.ts";
import { togetherFaults } from "./together-checks.ts";
import { type Dossier, listOf } from "./dossier.ts";
import { isMicro } from "./subject-fields.ts";
import type { Fault, Finding } from "./finding.ts";

/** What the dossier itself does not tell. */
export interface Around {
  /** YYYY-MM-DD in Shanghai. */
  readonly today: string;
  /** Whether WeChat Pay grants 小微 to the provider; not said, it is not looked at. */
  readonly micro?: boolean;
  /** Other applications in the same provider's tree with the same licence; of another's nothing is told. */
  readonly sameLicence?: readonly { readonly id: string; readonly day: string }[];
  /** The asker has some steps alone, by a link: names of other steps are not compared with, so that nobody guesses them. */
  readonly apart?: boolean;
  /** Pictures that were filled in and are not kept any more. */
  readonly gone?: ReadonlySet<string>;
}
const place = new Map(FIELDS.map(({ path }, at) => [path, at]));

/**
 * 体检: what would hold this dossier up, by itself and offline, the same in the browser and on the server. In the order of the form; of a
 * field that is wrong by itself nothing more is said. An error holds the application back, a warning does not.
 */
export function doctor(dossier: Dossier, around: Around): readonly Finding[] {
  const alone = applicable(dossier).flatMap((field) => fieldFaults(field, dossier, around.today));
  const wrong = new Set(alone.flatMap(({ path, severity }) => (severity === "error" ? [path] : [])));
  const together = [
    ...togetherFaults(dossier, around.apart === true),
    ...ungranted(dossier, around),
    ...twice(dossier, around),
    ...lost(dossier, around),
  ].filter(({ path }) => !wrong.has(path));
  return [...alone, ...together]
    .toSorted((a, b) => place.get(a.path)! - place.get(b.path)!)
    .map((found) => {
      const { step, label } = fieldOf(found.path)!;
      return { ...found, step, label };
    });
}
/** Whether nothing holds the application back. */
export const isFit = (findings: readonly Fault[]): boolean => findings.every(({ severity }) => severity !== "error");

function ungranted(dossier: Dossier, { micro }: Around): readonly Fault[] {
  if (micro !== false || !isMicro(dossier)) return [];
  const text = "小微商户要微信支付先给服务商开通权限，现在没有，请改选主体类型";
  return [{ path: "subject.type", severity: "error", rule: "micro-grant", text }];
}
function lost(dossier: Dossier, { gone = new Set() }: Around): readonly Fault[] {
  return applicable(dossier).flatMap(({ path, form, label }) => {
    if (form !== "picture" && form !== "pictures") return [];
    return listOf(dossier, path).some((one) => gone.has(one))
      ? [{ path, severity: "error" as const, rule: "gone", text: `${label}已过保存期限，请删去后重新上传` }]
      : [];
  });
}
function twice(dossier: Dossier, { sameLicence = [] }: Around): readonly Fault[] {
  const path = dossier["licence.number"] === undefined ? "cert.number" : "licence.number";
  return sameLicence.map(({ id, day }) => ({
    path,
    severity: "warning" as const,
    rule: "twice",
    text: `同一证照已有 ${day} 的申请，请先看那一份再提交`,
    applymentId: id,
  }));
}
