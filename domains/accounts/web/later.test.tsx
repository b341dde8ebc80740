import { beforeAll, expect, test } from "vitest";
import { mayAct } from "@zhangfang/web/act/Act.tsx";
import type { User } from "@zhangfang/web/api/user.ts";
import { slots } from "@zhangfang/web/slots.ts";
import { addAccount } from "../contract/index.ts";

beforeAll(() => import("./later.ts"));

const holder = (paths: readonly string[], more: Partial<User> = {}): User => ({
  id: "1",
  login: "a",
  name: "a",
  isRoot: true,
  roles: [],
  level: "SP",
  entityName: "",
  paths: new Set(paths),
  ...more,
});
const offered = (person: User): string[] => slots.acts.filter(({ of }) => mayAct(person, of)).map(({ title }) => title);

test.each([
  ["新增账号", "/account/account"],
  ["新增子账号", "/bypass/bypass"],
])(
  "%s is offered where its button is: with its screen, and neither while acting for somebody nor to who may only look",
  (title, screen) => {
    expect(offered(holder([screen]))).toEqual([title]);
    for (const more of [{ actor: "平台小王" }, { readOnly: true }]) {
      expect(mayAct(holder([screen], more), addAccount)).toBe(false);
      expect(offered(holder([screen], more))).toEqual([]);
    }
  },
);
