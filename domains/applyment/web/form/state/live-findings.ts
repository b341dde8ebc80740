import { doctor } from "../../../contract/rules/doctor.ts";
import { type Dossier, listOf, textOf } from "../../../contract/rules/dossier.ts";
import { FIELDS } from "../../../contract/rules/fields.ts";
import type { Finding } from "../../../contract/rules/finding.ts";
import { SETTLEMENT_RULES } from "../../../contract/rules/settlement-rules.ts";

const place = new Map(FIELDS.map(({ path }, at) => [path, at]));
/** Of these the browser does not know enough: what others handed in, names that are masked here, and pictures that are not kept any more. */
const BY_SERVER = new Set(["twice", "bare-name", "gone"]);

/**
 * 体检 while somebody types: the doctor's own word on all that is known here; of masked secrets what the server found last.
 * @param masked paths of which only the mask is here @param typed paths whose value the server has not seen
 */
export function liveFindings({
  dossier,
  masked,
  typed,
  server,
  today,
  micro,
}: {
  readonly dossier: Dossier;
  readonly masked: ReadonlySet<string>;
  readonly typed: ReadonlySet<string>;
  readonly server: readonly Finding[];
  readonly today: string;
  readonly micro: boolean;
}): readonly Finding[] {
  const compares = textOf(dossier, "account.type") === "BANK_ACCOUNT_TYPE_PERSONAL" && masked.has("legal.name");
  const here = doctor(dossier, { today, micro }).filter(({ path, rule }) => !masked.has(path) && !(rule === "account-name" && compares));
  const told = server.filter(({ path, rule }) => !typed.has(path) && (masked.has(path) || BY_SERVER.has(rule)));
  const known = new Set(here.map(({ path, rule }) => `${path} ${rule}`));
  return [...here, ...told.filter(({ path, rule }) => !known.has(`${path} ${rule}`))].toSorted(
    (a, b) => place.get(a.path)! - place.get(b.path)!,
  );
}

/** What was looked at and is in order, as far as it tells somebody something. */
export function passedOf(dossier: Dossier, findings: readonly Finding[]): readonly { readonly text: string; readonly note: string }[] {
  const sound = (path: string): boolean => listOf(dossier, path).length > 0 && findings.every((one) => one.path !== path);
  const rule = SETTLEMENT_RULES.find(
    ({ id, trade }) => id === textOf(dossier, "settlement.id") && trade === textOf(dossier, "settlement.trade"),
  );
  return [
    ...(sound("licence.number") ? [{ text: "信用代码校验通过", note: "18 位，末位校验" }] : []),
    ...(sound("legal.idNumber") ? [{ text: "证件号码校验通过", note: "经营者或法人证件" }] : []),
    ...(sound("account.name") && sound("account.type") ? [{ text: "开户名称没有发现问题", note: "和证件或执照比对" }] : []),
    ...(rule && sound("settlement.id") ? [{ text: `结算规则 ${rule.id}，${rule.trade}`, note: rule.source }] : []),
  ];
}
