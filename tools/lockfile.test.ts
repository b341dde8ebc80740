import { expect, test } from "vitest";
import { missingPlatforms, readLockfile } from "./lockfile.ts";

test("`npm ci` accepts the lockfile: every optional platform package that it names is locked", () => {
  expect(missingPlatforms(readLockfile())).toEqual([]);
});

test("a named platform package that is locked nowhere is found", () => {
  const lock = {
    packages: {
      "node_modules/lint": { optionalDependencies: { "@lint/linux": "1.0.0", "@lint/mac": "1.0.0" } },
      "node_modules/@lint/linux": {},
    },
  };
  expect(missingPlatforms(lock)).toEqual([{ of: "node_modules/lint", name: "@lint/mac" }]);
});

test("every package is pinned by its content, and none by an address", () => {
  const outside = Object.entries(readLockfile().packages).filter(
    ([path]) => path.includes("node_modules/") && !path.includes("@zhangfang/"),
  );
  const wrong = outside.filter(([, entry]) => !("integrity" in entry) || "resolved" in entry);
  expect(wrong.map(([path]) => path)).toEqual([]);
});
