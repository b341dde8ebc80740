import { formField, type FormField, type FormFlag, type CardRight, cardRight, type CardStatus } from "./codes.ts";

/** Mobile 2, name and birthday 1, the rest 0. */
export const FORM_DEFAULT: Readonly<Record<FormField, FormFlag>> = {
  mobile: 2,
  name: 1,
  birthday: 1,
  idcard: 0,
  income: 0,
  industry: 0,
  habit: 0,
  email: 0,
  location: 0,
  sex: 0,
  education: 0,
};
/** The form as it is kept. @example formText(FORM_DEFAULT) // "21100000000" */
export const formText = (form: Readonly<Record<FormField, FormFlag>>): string =>
  formField.values.map((field) => String(form[field])).join("");
export const formOf = (text: string): Record<FormField, FormFlag> =>
  Object.fromEntries(formField.values.map((field, at) => [field, Number(text[at] ?? 0) as FormFlag])) as Record<FormField, FormFlag>;
/** What a form wants and is not there. @example lacking(FORM_DEFAULT, new Set(["name"])) // ["mobile"] */
export const lacking = (form: Readonly<Record<FormField, FormFlag>>, filled: ReadonlySet<string>): FormField[] =>
  formField.values.filter((field) => form[field] === 2 && !filled.has(field));
/** What the customer is asked. @example formWords(FORM_DEFAULT) // "必填 手机号；选填 姓名、生日" */
export function formWords(form: Readonly<Record<FormField, FormFlag>>): string {
  const named = (flag: FormFlag) => formField.values.filter((field) => form[field] === flag).map((field) => formField.label(field));
  const [must, may] = [named(2), named(1)];
  return [must.length > 0 && `必填 ${must.join("、")}`, may.length > 0 && `选填 ${may.join("、")}`].filter(Boolean).join("；");
}

/** The moves that a person makes; 5 comes by time alone. */
export const CARD_MOVES: Readonly<Record<CardStatus, readonly CardStatus[]>> = { 0: [1], 1: [2, 0], 2: [3], 3: [4], 4: [3], 5: [] };
/** Whether somebody may join by it. */
export const isOpen = (status: CardStatus): boolean => status === 2 || status === 4;
/** Whether it is worth anything to who holds it. */
export const isLiving = (status: CardStatus): boolean => status === 2 || status === 3 || status === 4;

/** What of some rights a giver may pass on: never more than they have. */
export const within = (given: readonly CardRight[], has: readonly CardRight[]): CardRight[] =>
  cardRight.values.filter((right) => given.includes(right) && has.includes(right));
export const rightWords = (rights: readonly CardRight[]): string =>
  rights.length === 0
    ? "只能看"
    : cardRight.values
        .filter((right) => rights.includes(right))
        .map((right) => cardRight.label(right))
        .join("、");

/** What whoever opens a card gets. @example giftWords({ points: 100, giftCents: 500 }) // "100 积分、赠送余额 5.00（不可退）" */
export const giftWords = ({
  points,
  giftCents,
  coupons = "",
}: {
  readonly points: number;
  readonly giftCents: number;
  readonly coupons?: string;
}): string =>
  [points > 0 && `${points} 积分`, giftCents > 0 && `赠送余额 ${(giftCents / 100).toFixed(2)}（不可退）`, coupons]
    .filter(Boolean)
    .join("、");
