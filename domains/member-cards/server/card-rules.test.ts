import { describe, expect, test } from "vitest";
import { cardRight, cardStatus, formField } from "../contract/codes.ts";
import {
  CARD_MOVES,
  FORM_DEFAULT,
  formOf,
  formText,
  formWords,
  giftWords,
  isLiving,
  isOpen,
  rightWords,
  within,
} from "../contract/words.ts";
import { openCards } from "./wx/open-api.ts";

describe("rules of member cards", () => {
  test("a form is kept as a digit a field and read back", () => {
    expect(formText(FORM_DEFAULT)).toBe("21100000000");
    for (const field of formField.values)
      for (const flag of [0, 1, 2] as const)
        expect(formOf(formText({ ...FORM_DEFAULT, [field]: flag }))).toEqual({ ...FORM_DEFAULT, [field]: flag });
    expect(formWords(FORM_DEFAULT)).toBe("必填 手机号；选填 姓名、生日");
    expect(formWords({ ...FORM_DEFAULT, name: 0, birthday: 0 })).toBe("必填 手机号");
  });

  test("nobody moves a card to its end, and nothing leads out of it", () => {
    for (const from of cardStatus.values) expect(CARD_MOVES[from]).not.toContain(5);
    expect(CARD_MOVES[5]).toEqual([]);
    expect(cardStatus.values.filter(isOpen)).toEqual([2, 4]);
    expect(cardStatus.values.filter(isLiving)).toEqual([2, 3, 4]);
  });

  test("of any rights never more is passed on than the giver has", () => {
    const sets = Array.from({ length: 32 }, (_none, bits) => cardRight.values.filter((_right, at) => bits & (1 << at)));
    for (const given of sets)
      for (const has of sets) {
        const passed = within(given, has);
        expect(passed.every((right) => given.includes(right) && has.includes(right))).toBe(true);
        expect(passed).toHaveLength(given.filter((right) => has.includes(right)).length);
      }
    expect(rightWords([])).toBe("只能看");
    expect(rightWords(["pause", "face"])).toBe("卡面、暂停与重启");
  });

  test("a gift is said without a sum of both, and what can't be paid back says so", () => {
    expect(giftWords({ points: 100, giftCents: 500 })).toBe("100 积分、赠送余额 5.00（不可退）");
    expect(giftWords({ points: 0, giftCents: 500 })).toBe("赠送余额 5.00（不可退）");
  });
});

test("the old API hears the last day of a card to its last second, and a form that it refuses is not taken for told", async () => {
  const heard: { path: string; body: object }[] = [];
  let errcode = 0;
  const http = {
    call: async (path: string, body: object) => (heard.push({ path, body }), { errcode, errmsg: "bad form", card_id: "pC1" }),
  };
  const face = {
    mark: "abc",
    merchantName: "蜀味川菜",
    name: "卡",
    tone: "COLOR020",
    notice: "",
    phone: "",
    rights: "",
    logoUrl: "",
    form: FORM_DEFAULT,
    auto: false,
    madeAt: "2026-11-20T04:00:00.000Z",
    endsOn: "2026-12-31",
  };
  const open = openCards(http);
  await open.create(face);
  await open.create({ ...face, endsOn: null });
  await open.update("pC1", face);
  const range = {
    type: "DATE_TYPE_FIX_TIME_RANGE",
    begin_timestamp: Date.parse(face.madeAt) / 1_000,
    end_timestamp: Date.parse("2026-12-31T15:59:59Z") / 1_000,
  };
  expect(heard[0]!.body).toMatchObject({ card: { member_card: { base_info: { date_info: range } } } });
  expect(heard[1]!.body).toMatchObject({ card: { member_card: { base_info: { date_info: { type: "DATE_TYPE_PERMANENT" } } } } });
  expect(heard[2]!.body).toMatchObject({ member_card: { base_info: { date_info: range } } });
  expect(await open.ask("pC1", face)).toEqual({ state: "done" });
  expect(heard[3]!.body).toMatchObject({ required_form: { common_field_id_list: ["USER_FORM_INFO_FLAG_MOBILE"] } });
  errcode = 40_073;
  expect(await open.ask("pC1", face)).toMatchObject({ state: "refused", why: expect.stringContaining("bad form") });
});
