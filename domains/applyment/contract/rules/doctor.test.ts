import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { creditFault, isLuhn } from "./check-digits.ts";
import { doctor, isFit } from "./doctor.ts";
import type { Dossier } from "./dossier.ts";
import { ENTERPRISE, INDIVIDUAL, INSTITUTION, TODAY } from "./dossiers-for-tests.ts";
import { fieldOf, FIELDS } from "./fields.ts";

const found = (dossier: Dossier) => doctor(dossier, { today: TODAY });
/** The sentence at a path: `!` for an error, `?` for a reminder; undefined where nothing is said. */
function at(dossier: Dossier, path: string): string | undefined {
  const one = found(dossier).find((finding) => finding.path === path);
  return one && `${one.severity === "error" ? "!" : "?"}${one.text}`;
}

test("whole dossiers of three kinds may go; where the reference knows nothing, it says so and holds nothing back", () => {
  expect(found(INDIVIDUAL)).toEqual([]);
  expect(found(ENTERPRISE)).toEqual([]);
  expect(found(INSTITUTION).map(({ path, severity }) => [path, severity])).toEqual([["settlement.id", "warning"]]);
});

test("a secret is held to what one sealed block takes, by its bytes", () => {
  const address = (signs: number) => at({ ...ENTERPRISE, "legal.address": "路".repeat(signs) }, "legal.address");
  expect([address(71), address(72), address(100)]).toEqual([
    undefined,
    "!证件居住地址太长，微信支付收 71 个汉字，请删去 1 个字",
    "!证件居住地址太长，微信支付收 71 个汉字，请删去 29 个字",
  ]);
});

const card = (number: string) => ({ ...INDIVIDUAL, "legal.idNumber": number });
const licence = (number: string) => ({ ...INDIVIDUAL, "licence.number": number });
const coded = (number: string): Dossier => ({
  ...INSTITUTION,
  "subject.type": "SUBJECT_TYPE_OTHERS",
  "cert.type": "CERTIFICATE_TYPE_2389",
  "cert.number": number,
});
const bank = (number: string, more: Dossier = {}) => ({ ...INDIVIDUAL, "account.number": number, ...more });
const name = (text: string) => ({ ...INDIVIDUAL, "business.shortName": text });
const MP = { "business.scenes": ["SALES_SCENES_STORE", "SALES_SCENES_MP"], "mp.pictures": ["p"] };
const MICRO: Dossier = { ...INDIVIDUAL, "subject.type": "SUBJECT_TYPE_MICRO", "settlement.id": "703" };
describe.each<[string, readonly (readonly [Dossier, string, string | undefined])[]]>([
  [
    "信用代码",
    [
      [licence("92510104MA6CGHJK24"), "licence.number", "!第 18 位应为 3，请核对统一社会信用代码"],
      [licence("92510104MA6CGHJI23"), "licence.number", "!第 16 位不会是 I"],
      [licence("92510104MA6CGHJK2"), "licence.number", "!统一社会信用代码是 18 位（旧的 15 位），现在 17 位"],
      // An old number of the national catalogue's own example (GS 15–2006).
      [licence("110108000000016"), "licence.number", undefined],
      [licence("110108000000015"), "licence.number", "!15 位注册号的第 15 位应为 6，请核对执照"],
      [licence("11010800000001X"), "licence.number", "!15 位注册号全是数字"],
      [licence(""), "licence.number", "!请填写统一社会信用代码"],
    ],
  ],
  [
    "身份证",
    [
      [card("510104198506123437"), "legal.idNumber", "!第 18 位与前面对不上，请对证件改正"],
      [card("51010419850612343"), "legal.idNumber", "!17 位，少 1 位；应为 18 位"],
      [card("5101041985061234366"), "legal.idNumber", "!19 位，多 1 位；应为 18 位"],
      [card("510104198513123436"), "legal.idNumber", "!第 7 到 14 位不是出生日期，请对证件改正"],
      [card("510104209906123436"), "legal.idNumber", "!第 7 到 14 位不是出生日期，请对证件改正"],
      [card("660104198506123436"), "legal.idNumber", "!前两位不是省级代码，请对证件改正"],
      [card("5101041985O6123436"), "legal.idNumber", "!第 11 位应为数字，请对证件改正"],
      [card("11010519491231002X"), "legal.idNumber", undefined],
      [{ ...card("E1234567"), "legal.idType": "IDENTIFICATION_TYPE_HONGKONG_PASSPORT" }, "legal.idNumber", undefined],
      [
        { ...card("张三"), "legal.idType": "IDENTIFICATION_TYPE_HONGKONG_PASSPORT" },
        "legal.idNumber",
        "!证件号码是 4 到 20 位数字和大写字母",
      ],
    ],
  ],
  [
    "日期",
    [
      [{ ...INDIVIDUAL, "legal.begin": "2026-11-27" }, "legal.begin", "!证件有效期开始 2026-11-27 还没到，请对证件改正"],
      [{ ...INDIVIDUAL, "legal.begin": "2026-11-26" }, "legal.begin", undefined],
      [{ ...INDIVIDUAL, "legal.begin": "2026-02-30" }, "legal.begin", "!证件有效期开始不是日子，应如 2021-04-02"],
      [{ ...INDIVIDUAL, "legal.end": "2026-11-26" }, "legal.end", "!证件 2026-11-26 已到期，请换有效的证件"],
      [{ ...INDIVIDUAL, "legal.end": "2027-01-25" }, "legal.end", "!证件 2027-01-25 到期，剩下的不足 60 天，微信支付不收，请换新证"],
      [{ ...INDIVIDUAL, "legal.end": "2027-01-26" }, "legal.end", undefined],
      [{ ...INDIVIDUAL, "legal.end": "长期" }, "legal.end", undefined],
      [{ ...INDIVIDUAL, "legal.end": "很久" }, "legal.end", "!证件有效期结束应如 2041-06-30，或选长期"],
      [{ ...INDIVIDUAL, "licence.end": "2026-12-26" }, "licence.end", "?执照或证书 2026-12-26 到期，不足 30 天，最好先换新的"],
      [{ ...INDIVIDUAL, "licence.end": "2026-12-27" }, "licence.end", undefined],
      [
        { ...ENTERPRISE, "contact.idBegin": "2026-01-01", "contact.idEnd": "2025-01-01" },
        "contact.idEnd",
        "!证件 2025-01-01 已到期，请换有效的证件",
      ],
    ],
  ],
  [
    "银行卡",
    [
      [bank("6222021234567890127"), "account.number", "?银行卡号末位校验没过，个别卡本来就不过，请对卡面"],
      [bank("622202123456"), "account.number", "!银行卡号是 13 到 19 位，现在 12 位"],
      [bank("6222 0212 3456"), "account.number", "!银行账号只有数字，请去掉空格和其他符号"],
      [{ ...ENTERPRISE, "account.number": "123456" }, "account.number", undefined],
    ],
  ],
  [
    "户名",
    [
      [bank("6222021234567890128", { "account.name": "王大明" }), "account.name", "!个人银行卡的开户名称要和证件姓名一致，请改正"],
      [{ ...ENTERPRISE, "account.name": "成都蜀味餐饮公司" }, "account.name", "?开户名称和证照上的商户名称不一致，请对开户许可证"],
      [{ ...ENTERPRISE, "licence.name": "蜀味（成都）餐饮有限公司", "account.name": "蜀味(成都) 餐饮有限公司" }, "account.name", undefined],
      [
        { ...INDIVIDUAL, "licence.name": "成都蜀味公司" },
        "licence.name",
        "!个体户的名称不以「公司」结尾：名称照执照填，是公司就把主体类型改为企业",
      ],
      [{ ...INDIVIDUAL, "licence.name": "***" }, "licence.name", "!执照上没有名称的，请填「个体户」加经营者姓名"],
      [{ ...INDIVIDUAL, "licence.name": "" }, "licence.name", "!请照执照填写商户名称；个体户执照上没有名称的，填「个体户」加经营者姓名"],
    ],
  ],
  [
    "主体",
    [
      [{ ...ENTERPRISE, "account.type": "BANK_ACCOUNT_TYPE_PERSONAL" }, "account.type", "!企业只能结算到对公银行账户，请改选"],
      [{ ...INSTITUTION, "account.type": "BANK_ACCOUNT_TYPE_PERSONAL" }, "account.type", "!事业单位只能结算到对公银行账户，请改选"],
      [{ ...MICRO, "account.type": "BANK_ACCOUNT_TYPE_CORPORATE" }, "account.type", "!小微商户只能结算到经营者个人银行卡，请改选"],
      [{ ...INDIVIDUAL, "account.type": "BANK_ACCOUNT_TYPE_CORPORATE" }, "account.type", undefined],
      [{ ...MICRO, "contact.type": "SUPER" }, "contact.type", "!小微商户的超级管理员只能是经营者本人，请改选"],
      [{ ...ENTERPRISE, "contact.letter": undefined }, "contact.letter", "!请上传业务办理授权函"],
      [{ ...ENTERPRISE, "contact.idFront": "" }, "contact.idFront", "!请上传证件正面照片"],
      [{ ...ENTERPRISE, "contact.idEnd": "" }, "contact.idEnd", "!请填写证件有效期结束"],
      [{ ...ENTERPRISE, "legal.address": "" }, "legal.address", "!请填写证件居住地址"],
      [{ ...INSTITUTION, "cert.type": "CERTIFICATE_TYPE_2397" }, "cert.type", "!微信支付不再收这种证书，请改选在用的"],
      [{ ...INSTITUTION, "cert.type": "CERTIFICATE_TYPE_2394" }, "cert.type", "!事业单位不用这种证书，请改选证书或主体类型"],
      [
        {
          ...INSTITUTION,
          "subject.type": "SUBJECT_TYPE_GOVERNMENT",
          "cert.type": "CERTIFICATE_TYPE_2389",
          "legal.idType": "IDENTIFICATION_TYPE_OVERSEA_PASSPORT",
        },
        "legal.idType",
        "!政府机关只能用中国大陆居民身份证，请改选",
      ],
      [coded("91510100MA6CGHJK2C"), "cert.number", undefined],
      [coded("91510100MA6CGHJK2D"), "cert.number", "!" + creditFault("91510100MA6CGHJK2D")!],
      [coded("91510100MA6CGHJK2"), "cert.number", "!统一社会信用代码证书的证书号是 18 位的统一社会信用代码，现在 17 位"],
      [coded(""), "cert.number", "!请填写证书号"],
      [{ ...coded("社证第 0012 号"), "cert.type": "CERTIFICATE_TYPE_2392" }, "cert.number", undefined],
      [{ ...INSTITUTION, "legal.holder": "SUPER" }, "legal.letter", "!请上传法定代表人说明函"],
      [
        { ...INSTITUTION, "subject.type": "SUBJECT_TYPE_OTHERS", "legal.holder": "SUPER" },
        "legal.holder",
        "!只有政府机关和事业单位可以由经办人持证，请改选法人",
      ],
      [{ ...INDIVIDUAL, "subject.type": "SUBJECT_TYPE_BANK" }, "subject.type", "!请重新选择主体类型"],
    ],
  ],
  [
    "简称与场景",
    [
      [name("蜀"), "business.shortName", "!商户简称至少 2 个字，现在 1 个"],
      [name("味".repeat(31)), "business.shortName", "!商户简称最多 30 个字，现在 31 个，请删去 1 个"],
      [name("王小明"), "business.shortName", "!简称不能只是人名，请加上经营内容，如「张三小吃」"],
      [name("888"), "business.shortName", "!简称不能只有数字和符号，请写顾客认得出的店名"],
      [name("面馆"), "business.shortName", "?简称只写了行业，多半会被驳回，请写顾客认得出的店名"],
      [{ ...INDIVIDUAL, "business.scenes": [] }, "business.scenes", "!请选择经营场景"],
      [{ ...INDIVIDUAL, ...MP }, "mp.subAppid", "!公众号的 AppID 要填一个：服务商的，或商户的"],
      [
        { ...INDIVIDUAL, ...MP, "mp.appid": "wx0123456789abcdef", "mp.subAppid": "wx0123456789abcdee" },
        "mp.subAppid",
        "!公众号的 AppID 只能填一个，请清空另一个",
      ],
      [{ ...INDIVIDUAL, ...MP, "mp.appid": "wx0123456789abcdef" }, "mp.subAppid", undefined],
      [{ ...INDIVIDUAL, ...MP, "mp.subAppid": "gh_123" }, "mp.subAppid", "!AppID 是 wx 开头的 18 位"],
      [{ ...INDIVIDUAL, "store.entrance": [] }, "store.entrance", "!请上传门头照片"],
      [{ ...INDIVIDUAL, "store.indoor": ["1", "2", "3", "4", "5", "6"] }, "store.indoor", "!内部照片最多 5 张，请去掉 1 张"],
      [{ ...INDIVIDUAL, "business.scenes": ["SALES_SCENES_WEB"] }, "web.domain", "!请填写网站域名"],
      [{ ...INDIVIDUAL, "business.phone": "打给我" }, "business.phone", "!客服电话只有数字和短横线，如 02812345678"],
      [{ ...INDIVIDUAL, "contact.phone": "1380000902" }, "contact.phone", "!联系手机是 1 开头的 11 位数字，现在 10 位"],
      [{ ...INDIVIDUAL, "contact.mail": "wang@" }, "contact.mail", "!邮箱要写全，如 name@example.com"],
    ],
  ],
  [
    "费率、资质与受益人",
    [
      [{ ...INDIVIDUAL, "settlement.activity": "20191030111cff5b5e" }, "settlement.debitRate", "!请填写非信用卡费率"],
      [
        { ...INDIVIDUAL, "settlement.activity": "20191030111cff5b5e", "settlement.debitRate": "0.2", "settlement.creditRate": "0.255" },
        "settlement.creditRate",
        "!费率是百分数，最多两位小数，如 0.20",
      ],
      [{ ...INDIVIDUAL, "settlement.trade": "宠物医院" }, "settlement.licences", "!宠物医院要上传《动物诊疗许可证》"],
      [{ ...INDIVIDUAL, "settlement.trade": "共享服务" }, "settlement.licences", "?共享服务中，收押金的要《资金监管协议》，有就请上传"],
      [{ ...INDIVIDUAL, "settlement.trade": "宠物医院", "settlement.licences": ["f"] }, "settlement.licences", undefined],
      [{ ...INDIVIDUAL, "settlement.id": "716" }, "settlement.id", "?716 不是个体户的结算规则，请核对"],
      [{ ...INDIVIDUAL, "settlement.id": "555" }, "settlement.id", "?参考表里没有 555，请按微信支付的费率结算规则对照表核对"],
      [{ ...ENTERPRISE, "owners.count": "4" }, "owners.count", "!法人也是受益人时，其他受益人最多 3 位，请去掉 1 位"],
      [{ ...ENTERPRISE, "legal.owner": "no", "owners.count": "5" }, "owners.count", "!受益人最多 4 位，请去掉 1 位"],
      [{ ...ENTERPRISE, "legal.owner": "no", "owners.count": "0" }, "owners.count", "!法人不是受益人时，至少要填 1 位受益人"],
      [{ ...ENTERPRISE, "owners.count": "2" }, "owners.1.name", "!请填写受益人 2 姓名"],
      [{ ...INSTITUTION, "account.branchName": "" }, "account.branchName", "!请填写开户银行全称"],
      [{ ...INSTITUTION, "account.branchName": "", "account.branchId": "402651020006" }, "account.branchName", undefined],
    ],
  ],
])("%s", (_title, rows) => {
  test.each(rows)("%# %o", (dossier, path, said) => expect(at(dossier, path)).toEqual(said));
});

test("a person is grown on the day of eighteen years, not a day before", () => {
  expect(at(card("510104200811261237"), "legal.idNumber")).toBeUndefined();
  expect(at(card("510104200811271232"), "legal.idNumber")).toBe("?证件上的人还没满 18 岁，微信支付多半不收，请确认");
});

test("another application with the same licence is a reminder with its way there", () => {
  const [one] = doctor(INDIVIDUAL, { today: TODAY, sameLicence: [{ id: "a1", day: "2026-11-02" }] });
  expect(one).toMatchObject({
    path: "licence.number",
    severity: "warning",
    step: 2,
    applymentId: "a1",
    text: "同一证照已有 2026-11-02 的申请，请先看那一份再提交",
  });
});

test("an empty dossier asks for what everybody needs, and for nothing of a subject that nobody chose", () => {
  const all = found({});
  expect(isFit(all)).toBe(false);
  expect(new Set(all.map(({ rule }) => rule))).toEqual(new Set(["missing"]));
  expect(all.map(({ path }) => path)).toContain("subject.type");
  expect(all.filter(({ path }) => path.startsWith("licence") || path.startsWith("owners"))).toEqual([]);
});

describe("by chance", () => {
  const anything = fc.dictionary(
    fc.constantFrom(...FIELDS.map(({ path }) => path)),
    fc.oneof(
      fc.string(),
      fc.array(fc.string(), { maxLength: 7 }),
      fc.constantFrom("yes", "长期", "2026-02-30", "9999-99-99", "4", "-1", "510104198506123436", "SUBJECT_TYPE_ENTERPRISE", "SUPER"),
    ),
    { maxKeys: 60 },
  );
  test("whatever stands in a dossier, findings have a field, its step, a sentence, and the order of the form", () => {
    fc.assert(
      fc.property(anything, (dossier) => {
        const all = found(dossier);
        const places = all.map(({ path }) => FIELDS.findIndex((field) => field.path === path));
        expect(places.toSorted((a, b) => a - b)).toEqual(places);
        for (const { path, step, text, label } of all) {
          expect([step, label]).toEqual([fieldOf(path)!.step, fieldOf(path)!.label]);
          expect(text).not.toMatch(/undefined|NaN|null/);
        }
      }),
      { numRuns: 300 },
    );
  });
  test("of a right number each other digit at one place is found", () => {
    const digit = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 16 }), digit, (place, more) => {
        const number = INDIVIDUAL["legal.idNumber"] as string;
        const other = number.slice(0, place) + String((Number(number[place]) + more) % 10) + number.slice(place + 1);
        expect(at(card(other), "legal.idNumber")).toMatch(/^!/);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 13 }), digit, (place, more) => {
        const number = "110108000000016";
        expect(
          at(licence(number.slice(0, place) + String((Number(number[place]) + more) % 10) + number.slice(place + 1)), "licence.number"),
        ).toMatch(/^!/);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 18 }), digit, (place, more) => {
        const number = "6222021234567890128";
        expect(isLuhn(number.slice(0, place) + String((Number(number[place]) + more) % 10) + number.slice(place + 1))).toBe(false);
      }),
    );
  });
});

test("小微 is an error where WeChat Pay does not grant it to the provider, and nothing is said where nobody knows", () => {
  const micro = { ...INDIVIDUAL, "subject.type": "SUBJECT_TYPE_MICRO" };
  const said = (dossier: Dossier, granted?: boolean) =>
    doctor(dossier, { today: TODAY, ...(granted !== undefined && { micro: granted }) }).filter(({ rule }) => rule === "micro-grant");
  expect(said(micro, false)).toMatchObject([{ path: "subject.type", severity: "error", step: 2 }]);
  expect([said(micro, true), said(micro), said(INDIVIDUAL, false)]).toEqual([[], [], []]);
});
