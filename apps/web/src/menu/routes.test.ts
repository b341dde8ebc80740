import { expect, test } from "vitest";
import { type MenuNode, readPara, treeOf } from "./nodes.ts";
import { allowedFrame, routesOf } from "./routes.ts";

const node = (id: number, path: string, para: object, more: Partial<MenuNode> = {}): MenuNode => ({
  id,
  parentId: 5,
  name: `页面${id}`,
  path,
  type: "menu",
  para: JSON.stringify(para),
  ...more,
});
const routes = (nodes: readonly MenuNode[], roles = ["ROLE_Merchants"]) =>
  routesOf(
    treeOf([{ id: 5, parentId: 0, name: "数据中心", path: "dataCentre", type: "menu" }, ...nodes]),
    roles,
    new Set(["pay-order-page", "member-details"]),
    ["https://help.example.cn"],
  );

test("items of type menu and page become routes of the screen they name; buttons do not", () => {
  const found = routes([
    node(1, "/a", { component: "pay-order-page" }),
    node(2, "/b", { component: "member-details" }, { type: "page" }),
    node(3, "/c", { component: "pay-order-page" }, { type: "button" }),
  ]);
  expect([...found.keys()]).toEqual(["/a", "/b"]);
  expect(found.get("/b")).toMatchObject({ screen: "member-details", page: true, trail: ["数据中心", "页面2"] });
});
test("a screen that does not exist is no route", () => expect(routes([node(1, "/a", { component: "unknown" })]).size).toBe(0));
test("routes are filtered by the roles in para; no roles is open", () => {
  const nodes = [
    node(1, "/a", { component: "pay-order-page", roles: ["ROLE_ADMIN"] }),
    node(2, "/b", { component: "pay-order-page", roles: [] }),
  ];
  expect([...routes(nodes).keys()]).toEqual(["/b"]);
  expect([...routes(nodes, ["ROLE_ADMIN"]).keys()]).toEqual(["/a", "/b"]);
});
test("the first item of a path wins", () =>
  expect(routes([node(1, "/", { component: "pay-order-page" }), node(2, "/", { component: "member-details" })]).get("/")?.screen).toBe(
    "pay-order-page",
  ));
test("a page may be embedded from an external address of the list", () => {
  const found = routes([node(1, "/help", { html: "https://help.example.cn/guide" }), node(2, "/evil", { html: "https://evil.example/x" })]);
  expect(found.get("/help")?.html).toBe("https://help.example.cn/guide");
  expect(found.has("/evil")).toBe(false);
});
test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "http://help.example.cn/",
  "https://help.example.cn.evil.com/",
  "//help.example.cn",
  "/local",
  "",
])("%s is no external page", (given) => {
  expect(allowedFrame(given, ["https://help.example.cn"])).toBeUndefined();
});
test("a para that is no JSON holds nothing", () => {
  expect(readPara("{oops")).toEqual({});
  expect(readPara("null")).toEqual({});
  expect(readPara(undefined)).toEqual({});
  expect(readPara({ icon: "home" })).toEqual({ icon: "home" });
});
