import { afterEach, expect, test } from "vitest";
import { ApiError } from "../../api/api-errors.ts";
import { setUser, type User } from "../../api/user.ts";
import { draw } from "../../testing-render.tsx";
import { DetailScreen } from "./Detail.tsx";

const person = (path: `/${string}`): User => ({
  id: "1",
  login: "a",
  name: "a",
  isRoot: true,
  roles: ["ROLE_Merchants"],
  level: "MCH",
  entityName: "",
  paths: new Set([path]),
});
const gone = { data: undefined, error: new ApiError("not-found", "记录不存在或无权访问"), fetchStatus: "idle" } as never;
const none = { data: undefined, error: null, fetchStatus: "idle" } as never;
/** What leads away from a page that has nothing to show. */
function waysOf(of: typeof gone): readonly (string | null)[][] {
  const page = draw(
    <DetailScreen title="会员详情" list={["/member/member", "微信会员"]} of={of}>
      {() => "shown"}
    </DetailScreen>,
  );
  const found = [...page.box.querySelectorAll("a")].map((link) => [link.textContent, link.getAttribute("href")]);
  page.end();
  return found;
}
afterEach(() => setUser(undefined));

test("a page of one thing that is not there, or that names none, leads back to its list, whoever may open that", () => {
  setUser(person("/member/member"));
  expect(waysOf(gone)).toEqual([["返回微信会员", "#/member/member"]]);
  expect(waysOf(none)).toEqual([["返回微信会员", "#/member/member"]]);
  setUser(person("/store/store"));
  expect([waysOf(gone), waysOf(none)]).toEqual([[], []]);
});
