import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { Step, SubjectType } from "../../contract/codes.ts";
import { type Dossier, type Field, textOf } from "../../contract/rules/dossier.ts";
import { applicable } from "../../contract/rules/fields.ts";
import { CERTIFICATES } from "../../contract/rules/together-checks.ts";

/** Fields that stand together under one heading. */
export interface Section {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly Field[];
}
/** The heading of a field, by the beginning of its path. */
const TITLES: readonly (readonly [start: string, title: string])[] = [
  ["contact.", "超级管理员"],
  ["subject.", "主体"],
  ["licence.", "营业执照"],
  ["cert.", "登记证书"],
  ["micro.", "小微经营"],
  ["legal.", "经营者或法人证件"],
  ["owners.count", "最终受益人"],
  ["owners.0.", "受益人 1"],
  ["owners.1.", "受益人 2"],
  ["owners.2.", "受益人 3"],
  ["owners.3.", "受益人 4"],
  ["finance.", "金融机构"],
  ["business.", "商户与场景"],
  ["store.", "线下场所"],
  ["mp.", "公众号"],
  ["mini.", "小程序"],
  ["web.", "互联网网站"],
  ["app.", "APP"],
  ["wework.", "企业微信"],
  ["settlement.", "结算规则"],
  ["account.", "结算银行账户"],
  ["extra.", "补充材料"],
];

/** The sections of a step that this dossier has to do with, in the order of the form. */
export function sectionsOf(step: Step, dossier: Dossier): readonly Section[] {
  return titled(applicable(dossier).filter((field) => field.step === step));
}
/** Fields under their headings, in the order of the form. */
export function titled(fields: readonly Field[]): readonly Section[] {
  return TITLES.map(([start, title]) => ({ name: start, title, fields: fields.filter(({ path }) => path.startsWith(start)) })).filter(
    (section) => section.fields.length > 0,
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}
const COUNTS: readonly Option[] = Array.from({ length: 5 }, (_none, count) => ({ value: String(count), label: `${count} 位` }));
/** What a field offers with this dossier; a value that is not offered any more stays until somebody changes it. */
export function optionsOf(field: Field, dossier: Dossier, micro: boolean): readonly Option[] {
  if (field.path === "owners.count") return COUNTS;
  const chosen = textOf(dossier, field.path);
  const offered = offeredBy(field, dossier, micro);
  return (field.options as Labelled<string> | undefined)?.options.filter(({ value }) => offered(value) || value === chosen) ?? [];
}
function offeredBy({ path }: Field, dossier: Dossier, micro: boolean): (value: string) => boolean {
  if (path === "subject.type") return (value) => micro || value !== "SUBJECT_TYPE_MICRO";
  if (path !== "cert.type") return () => true;
  const certificates: readonly string[] | undefined = CERTIFICATES[textOf(dossier, "subject.type") as SubjectType];
  return (value) => certificates?.includes(value) ?? true;
}
