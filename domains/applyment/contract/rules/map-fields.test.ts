import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applicable, FIELDS } from "./fields.ts";
import { doctor } from "./doctor.ts";
import { ENTERPRISE, INDIVIDUAL, INSTITUTION, TODAY } from "./dossiers-for-tests.ts";
import { filesOf, pathsOf, requestOf } from "./map-fields.ts";
import { type Dossier, listOf } from "./dossier.ts";

const travelling = { seal: (text: string) => `sealed(${text})`, media: (id: string) => `media-${id}` };

test("个体户 as WeChat Pay wants it, to the letter", () => {
  expect(requestOf({ ...INDIVIDUAL, "cert.name": "left from before", "owners.0.name": "left from before" }, travelling)).toEqual({
    contact_info: {
      contact_type: "LEGAL",
      contact_name: "sealed(王小明)",
      mobile_phone: "sealed(13800009021)",
      contact_email: "sealed(wang@example.com)",
    },
    subject_info: {
      subject_type: "SUBJECT_TYPE_INDIVIDUAL",
      business_license_info: {
        license_copy: "media-file-licence",
        license_number: "92510104MA6CGHJK23",
        merchant_name: "成都市锦江区蜀味川菜馆",
        legal_person: "王小明",
        period_begin: "2021-04-02",
        period_end: "长期",
      },
      identity_info: {
        id_doc_type: "IDENTIFICATION_TYPE_IDCARD",
        id_card_info: {
          id_card_copy: "media-file-front",
          id_card_national: "media-file-back",
          id_card_name: "sealed(王小明)",
          id_card_number: "sealed(510104198506123436)",
          card_period_begin: "2021-06-30",
          card_period_end: "2041-06-30",
        },
      },
    },
    business_info: {
      merchant_shortname: "蜀味川菜",
      service_phone: "028-87654321",
      sales_info: {
        sales_scenes_type: ["SALES_SCENES_STORE"],
        biz_store_info: {
          biz_store_name: "蜀味川菜馆",
          biz_address_code: "510104",
          biz_store_address: "春熙路 1 号",
          store_entrance_pic: ["media-file-door"],
          indoor_pic: ["media-file-room"],
        },
      },
    },
    settlement_info: { settlement_id: "719", qualification_type: "餐饮" },
    bank_account_info: {
      bank_account_type: "BANK_ACCOUNT_TYPE_PERSONAL",
      account_name: "sealed(王小明)",
      account_bank: "工商银行",
      bank_address_code: "510100",
      account_number: "sealed(6222021234567890128)",
    },
  });
});

test("企业 by an agent: passports stand in the other block, owners in a list, a passport has no back", () => {
  const body = requestOf({ ...ENTERPRISE, "legal.idType": "IDENTIFICATION_TYPE_OVERSEA_PASSPORT" }, travelling) as {
    subject_info: { identity_info: Record<string, object>; ubo_info_list: object[] };
  };
  expect(body.subject_info.identity_info).toMatchObject({
    owner: true,
    id_doc_info: { id_doc_name: "sealed(王小明)", id_doc_address: expect.stringMatching(/^sealed/), doc_period_end: "2041-06-30" },
  });
  expect(body.subject_info.identity_info).not.toHaveProperty("id_card_info");
  expect(body.subject_info.identity_info["id_doc_info"]).not.toHaveProperty("id_doc_copy_back");
  expect(body.subject_info.ubo_info_list).toEqual([
    {
      ubo_id_doc_type: "IDENTIFICATION_TYPE_OVERSEA_PASSPORT",
      ubo_id_doc_copy: "media-file-passport",
      ubo_id_doc_name: "sealed(John Lee)",
      ubo_id_doc_number: "sealed(E12345678)",
      ubo_id_doc_address: "sealed(1 Orchard Road)",
      ubo_period_begin: "2022-01-01",
      ubo_period_end: "2032-01-01",
    },
  ]);
});

const CARD = "id_card_info";
test.each([
  ["居民身份证", "IDENTIFICATION_TYPE_IDCARD", CARD],
  ["护照", "IDENTIFICATION_TYPE_OVERSEA_PASSPORT", "id_doc_info"],
  ["香港来往内地通行证", "IDENTIFICATION_TYPE_HONGKONG_PASSPORT", "id_doc_info"],
  ["澳门来往内地通行证", "IDENTIFICATION_TYPE_MACAO_PASSPORT", "id_doc_info"],
  ["台湾来往大陆通行证", "IDENTIFICATION_TYPE_TAIWAN_PASSPORT", "id_doc_info"],
  ["外国人居留证", "IDENTIFICATION_TYPE_FOREIGN_RESIDENT", "id_doc_info"],
  ["港澳居民证", "IDENTIFICATION_TYPE_HONGKONG_MACAO_RESIDENT", "id_doc_info"],
  ["台湾居民证", "IDENTIFICATION_TYPE_TAIWAN_RESIDENT", "id_doc_info"],
])("%s stands in its own block, its number sealed, and the other one is not sent", (_name, type, block) => {
  const dossier = { ...INDIVIDUAL, "legal.idType": type, "legal.idNumber": "H01234567" };
  const { identity_info } = (requestOf(dossier, travelling) as { subject_info: { identity_info: Record<string, object> } }).subject_info;
  expect(identity_info["id_doc_type"]).toBe(type);
  expect(Object.keys(identity_info).filter((key) => key === CARD || key === "id_doc_info")).toEqual([block]);
  expect(Object.values(identity_info[block]!)).toContain("sealed(H01234567)");
});

test.each([
  ["线下场所", "SALES_SCENES_STORE", "biz_store_info", {}],
  ["公众号", "SALES_SCENES_MP", "mp_info", { "mp.subAppid": "wx0123456789abcdef", "mp.pictures": ["file-page"] }],
  ["小程序", "SALES_SCENES_MINI_PROGRAM", "mini_program_info", { "mini.subAppid": "wx0123456789abcdef", "mini.pictures": ["file-page"] }],
  ["互联网网站", "SALES_SCENES_WEB", "web_info", { "web.domain": "https://example.com" }],
  ["APP", "SALES_SCENES_APP", "app_info", { "app.subAppid": "wx0123456789abcdef", "app.pictures": ["file-page"] }],
  ["企业微信", "SALES_SCENES_WEWORK", "wework_info", { "wework.corpId": "ww0123456789abcdef", "wework.pictures": ["file-page"] }],
])("the scene %s sends its own block and no other, and the doctor asks for what it lacks", (_name, scene, block, filled) => {
  const scenes = { "business.scenes": [scene] };
  const { sales_info } = (requestOf({ ...INDIVIDUAL, ...filled, ...scenes }, travelling) as { business_info: { sales_info: object } })
    .business_info;
  expect(Object.keys(sales_info).toSorted()).toEqual([block, "sales_scenes_type"].toSorted());
  const errors = (dossier: Dossier) => doctor(dossier, { today: TODAY, micro: false }).filter(({ severity }) => severity === "error");
  expect(errors({ ...INDIVIDUAL, ...filled, ...scenes })).toEqual([]);
  const missing = Object.fromEntries(Object.entries(INDIVIDUAL).filter(([path]) => !path.startsWith("store.")));
  expect(errors({ ...missing, ...scenes }).map(({ path }) => path.split(".")[0])).toContain(
    scene === "SALES_SCENES_STORE" ? "store" : Object.keys(filled)[0]!.split(".")[0],
  );
});

test("no secret travels plain, whoever applies", () => {
  for (const dossier of [INDIVIDUAL, ENTERPRISE, INSTITUTION]) {
    const sent = JSON.stringify(requestOf(dossier, { ...travelling, seal: () => "*" }));
    // Licence, shop and account may bear the owner's name; numbers, phones and mails stand nowhere else.
    const secrets = FIELDS.filter(({ secret, plain, path }) => secret && !plain && !path.endsWith("ame")).flatMap(({ path }) =>
      listOf(dossier, path),
    );
    for (const secret of secrets) expect(sent).not.toContain(secret);
  }
});

test("the files that are sent, each once", () => {
  expect(filesOf(INDIVIDUAL)).toEqual(["file-licence", "file-front", "file-back", "file-door", "file-room"]);
});

describe("from a reason of WeChat Pay's to the field", () => {
  test.each([
    ["subject_info.identity_info.id_card_info.id_card_copy", ["legal.idFront"]],
    ["id_card_copy", ["legal.idFront"]],
    ["/subject_info/business_license_info/license_number", ["licence.number"]],
    ["$.business_info.sales_info.biz_store_info.store_entrance_pic[0]", ["store.entrance"]],
    ["merchant_shortname", ["business.shortName"]],
    // Two blocks have this name; the dossier has one of them.
    ["merchant_name", ["licence.name"]],
    ["subject_info.ubo_info_list[0].ubo_id_doc_name", ["owners.0.name"]],
    ["ubo_info_list.ubo_id_doc_name", ["owners.0.name"]],
    ["settlement_info", ["settlement.id", "settlement.trade"]],
    ["something_new", []],
    ["", []],
  ])("%s", (field, paths) => expect(pathsOf(field, ENTERPRISE)).toEqual(paths));

  test("every field that is sent is found again by its own path", () => {
    fc.assert(
      fc.property(fc.constantFrom(INDIVIDUAL, ENTERPRISE, INSTITUTION), fc.nat(), (dossier, n) => {
        const fields = applicable(dossier).filter(({ to }) => to.length > 0);
        const field = fields[n % fields.length]!;
        for (const { at } of field.to) expect(pathsOf(at, dossier)).toEqual([field.path]);
      }),
    );
    expect(new Set(FIELDS.flatMap(({ to }) => to.map(({ at }) => at))).size).toBe(FIELDS.flatMap(({ to }) => to).length);
  });
});
