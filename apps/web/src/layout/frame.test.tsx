import { afterEach, expect, test, vi } from "vitest";
import { draw } from "@zhangfang/web/testing-render.tsx";
import { showFavicon } from "../brand.ts";
import type { Route } from "../menu/routes.ts";
import type { Loaded } from "../session/load-session.ts";
import { NO_TABS, visit } from "./tabs/tabs.ts";
import { Views } from "./tabs/Views.tsx";
import { TopBar } from "./TopBar.tsx";

let page: ReturnType<typeof draw> | undefined;
afterEach(() => {
  page?.end();
  page = undefined;
});
const session = (more: object = {}): Loaded =>
  ({
    user: { id: "u1", login: "mch01", name: "周掌柜", isRoot: true, roles: ["ROLE_Merchants"], level: "MCH", entityName: "蜀味川菜" },
    brand: { title: "账房", feedbackUrl: "https://feedback.example/zf" },
    menu: [],
    routes: new Map(),
    firstPage: "/dataCentre/payOrder",
    acting: false,
    preparing: null,
    ...more,
  }) as unknown as Loaded;
const bar = (of: Loaded) =>
  draw(
    <TopBar
      session={of}
      trail={["数据中心", "支付订单"]}
      onMenu={() => {}}
      menuOpen
      onSearch={() => {}}
      onKeys={() => {}}
      narrow={false}
    />,
  );

test("the bar says where one is, whom for and who one is, and leads to the feedback and to the first page (spec 2)", async () => {
  // This browser has no popovers: what hangs from the button is drawn all the same.
  Object.assign(HTMLElement.prototype, { togglePopover: vi.fn<() => void>() });
  page = bar(session());
  const trail = page.box.querySelector('nav[aria-label="当前位置"]')!;
  expect([...trail.querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual(["数据中心", "支付订单"]);
  expect(trail.querySelector("[aria-current=page]")?.textContent).toBe("支付订单");
  expect(page.box.querySelector(".entity")?.textContent).toBe("蜀味川菜");
  const feedback = page.box.querySelector<HTMLAnchorElement>("a.feedback")!;
  expect([feedback.textContent, feedback.getAttribute("href"), feedback.target]).toEqual([
    "意见反馈",
    "https://feedback.example/zf",
    "_blank",
  ]);
  const who = page.box.querySelector<HTMLButtonElement>('button[aria-label="周掌柜，账号菜单"]')!;
  expect(who.textContent).toBe("周");
  who.click();
  const menu = await page.until(() => page!.box.querySelector(".user-menu"));
  expect(menu.querySelector("strong")?.textContent).toBe("周掌柜");
  const home = [...menu.querySelectorAll("a")].find(({ textContent }) => textContent?.includes("首页"))!;
  expect(home.getAttribute("href")).toBe("#/dataCentre/payOrder");
  expect(menu.textContent).toContain("退出登录");
});

test("the page's icon is the provider's own, else its small mark; without either it stays ours (spec 2)", () => {
  const link = document.createElement("link");
  link.rel = "icon";
  link.href = "https://zf.example/ours.svg";
  document.head.append(link);
  showFavicon({ title: "禾木" });
  expect(link.href).toBe("https://zf.example/ours.svg");
  showFavicon({ title: "禾木", smallLogoUrl: "https://zf.example/small.png" });
  expect(link.href).toBe("https://zf.example/small.png");
  showFavicon({ title: "禾木", smallLogoUrl: "https://zf.example/small.png", faviconUrl: "https://zf.example/own.ico" });
  expect(link.href).toBe("https://zf.example/own.ico");
  link.remove();
});

const route = (path: string, noCache: boolean): Route => ({ path, title: path, trail: [], page: false, affix: false, noCache });
test.each([
  [false, 2],
  [true, 1],
])("with noCache %s, of a page that was left and the shown one %i are kept (spec 3)", async (noCache, kept) => {
  const routes = new Map([route("/a", noCache), route("/b", false)].map((one) => [one.path, one]));
  const at = (path: string) => ({ ...routes.get(path)!, search: "" });
  const views = () => page!.box.querySelectorAll(":scope > .view").length;
  page = draw(<Views tabs={visit(visit(NO_TABS, at("/a")), at("/b"))} update={() => {}} session={session({ routes })} />);
  await page.until(() => views() === kept);
  // What is hidden is drawn a moment later.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(views()).toBe(kept);
});
