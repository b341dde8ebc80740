import { describe, expect, test } from "vitest";
import { buildMenu, firstPage } from "./build-menu.ts";
import { FIXED_MENU } from "./fixed-menu.ts";
import { type MenuNode, treeOf } from "./nodes.ts";

const top = (id: number, name: string, path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id,
  parentId: 0,
  name,
  path,
  type: "menu",
  ...more,
});
const child = (id: number, parentId: number, name: string, path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id,
  parentId,
  name,
  path,
  type: "menu",
  ...more,
});
const menu = (nodes: readonly MenuNode[], offspring = true, roles: readonly string[] = ["ROLE_Merchants"]) =>
  buildMenu(treeOf(nodes), FIXED_MENU, roles, offspring);
const titles = (nodes: readonly MenuNode[], offspring = true) => menu(nodes, offspring).map((entry) => entry.title);

const dataCentre = [top(5, "数据中心", "dataCentre"), child(501, 5, "支付订单", "/dataCentre/payOrder")];
const stores = [top(11, "门店管理", "store"), child(1101, 11, "门店", "/store/store")];

describe("menu rules of spec.md section 2", () => {
  test("nodes of type page are hidden", () => {
    const [entry] = menu([...stores, ...dataCentre, child(502, 5, "会员详情", "/member/details", { type: "page" })]);
    expect(entry?.children.map((line) => line.title)).toEqual(["支付订单"]);
  });

  test("sub-account and permission settings show only when offspring equals true", () => {
    const nodes = [
      ...dataCentre,
      top(27, "权限管理", "jurisdiction"),
      child(2701, 27, "权限管理", "/jurisdiction/permission"),
      top(28, "子账号", "bypass"),
      child(2801, 28, "子账号", "/bypass/bypass"),
    ];
    expect(titles(nodes, true)).toEqual(["数据中心", "权限管理", "子账号"]);
    expect(titles([...nodes, ...stores], false)).toEqual(["数据中心", "门店管理"]);
  });

  test("the node with id 18 is dropped, wherever it stands", () => {
    const [entry] = menu([...stores, ...dataCentre, child(18, 5, "旧报表", "/dataCentre/old")]);
    expect(entry?.children.map((line) => line.title)).toEqual(["支付订单"]);
    expect(titles([top(18, "旧菜单", "/old"), ...dataCentre, ...stores])).toEqual(["数据中心", "门店管理"]);
  });

  test("a top-level entry without its own path takes the first child's path", () => {
    const entries = menu([
      ...dataCentre,
      top(19, "智能设备", ""),
      child(1901, 19, "设备列表", "/device/list"),
      child(1902, 19, "设备配置", "/device/config"),
    ]);
    expect(entries.find((entry) => entry.id === 19)?.path).toBe("/device/list");
  });

  test("entries that are not in the fixed list are dropped", () => {
    expect(titles([top(99, "别处的菜单", "/elsewhere"), ...dataCentre, ...stores])).toEqual(["数据中心", "门店管理"]);
  });

  test("menus follow the order of the fixed list, not the server's", () => {
    expect(titles([...stores, ...dataCentre, top(3, "商户概览", "/"), child(301, 3, "概览", "/")])).toEqual([
      "商户概览",
      "数据中心",
      "门店管理",
    ]);
  });

  test("a single remaining entry is renamed and repathed from its child", () => {
    const entries = menu([...dataCentre, child(502, 5, "退款订单", "/dataCentre/payRefund")]);
    expect(entries.map(({ title, path }) => [title, path])).toEqual([["支付订单", "/dataCentre/payOrder"]]);
  });

  test("an entry that names roles shows only to them", () => {
    const nodes = [...stores, ...dataCentre, child(502, 5, "代付统计", "/dataCentre/daifu", { para: '{"roles":["ROLE_ADMIN"]}' })];
    expect(menu(nodes).find((entry) => entry.id === 5)?.children).toHaveLength(1);
    expect(menu(nodes, true, ["ROLE_ADMIN"]).find((entry) => entry.id === 5)?.children).toHaveLength(2);
  });

  test("an entry whose screens are all hidden leads nowhere and is gone", () => {
    expect(
      titles([
        ...dataCentre,
        ...stores,
        top(26, "快手平台", "plat-ks"),
        child(2601, 26, "详情", "/plat-ks/goods/detail", { type: "page" }),
      ]),
    ).toEqual(["数据中心", "门店管理"]);
  });

  test("nested children are read like parent ids", () => {
    const nested: MenuNode[] = [
      {
        id: 5,
        name: "数据中心",
        path: "dataCentre",
        type: "menu",
        children: [{ id: 501, name: "支付订单", path: "/dataCentre/payOrder", type: "menu" }],
      },
      ...stores,
    ];
    expect(menu(nested)).toEqual(menu([...dataCentre, ...stores]));
  });

  test("a title in para goes before the name", () => {
    expect(
      titles([...stores, top(5, "x", "dataCentre", { para: '{"title":"数据中心"}' }), child(501, 5, "支付订单", "/dataCentre/payOrder")]),
    ).toEqual(["数据中心", "门店管理"]);
  });

  test("the first menu page is the first screen of the first entry", () => {
    expect(firstPage(menu([...stores, ...dataCentre]))).toBe("/dataCentre/payOrder");
    expect(firstPage(menu([...stores, top(3, "商户概览", "/"), child(301, 3, "概览", "/")]))).toBe("/");
    expect(
      firstPage(
        menu([top(1, "管理后台", "admin"), child(101, 1, "行业", "/admin/trade"), top(4, "数据概览", "/"), child(401, 4, "数据看板", "/")]),
      ),
    ).toBe("/");
    expect(firstPage([])).toBe("/404");
  });
});
