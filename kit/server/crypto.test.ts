import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newToken, sameText, seal, unseal } from "./crypto.ts";

const key = randomBytes(32);
test("a sealed secret opens only with its key and in its own place", () => {
  const sealed = seal(key, "channel_settings.api_v3_key:a:1", "秘密");
  expect(unseal(key, "channel_settings.api_v3_key:a:1", sealed)).toBe("秘密");
  expect(() => unseal(key, "channel_settings.api_v3_key:a:2", sealed)).toThrow();
  expect(() => unseal(randomBytes(32), "channel_settings.api_v3_key:a:1", sealed)).toThrow();
});
test("one changed byte anywhere is noticed", () => {
  const sealed = seal(key, "p", "secret");
  for (let at = 3; at < sealed.length; at++) {
    if (sealed[at] === ".") continue;
    const flipped = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
    if (
      Buffer.from(flipped.split(".")[3] ?? "", "base64url").equals(Buffer.from(sealed.split(".")[3] ?? "", "base64url")) &&
      flipped.split(".").slice(0, 3).join() === sealed.split(".").slice(0, 3).join()
    )
      continue;
    let opened: string | undefined;
    try {
      opened = unseal(key, "p", flipped);
    } catch {
      continue;
    }
    // The last base64url character of a part may carry unused bits: then the bytes did not change.
    expect(flipped.split(".").map((part) => Buffer.from(part, "base64url").toString("hex"))).toEqual(
      sealed.split(".").map((part) => Buffer.from(part, "base64url").toString("hex")),
    );
    expect(opened).toBe("secret");
  }
});
test("tokens are 32 random bytes and compared in constant time", () => {
  expect(Buffer.from(newToken(), "base64url")).toHaveLength(32);
  expect(newToken()).not.toBe(newToken());
  expect(sameText("a", "a")).toBe(true);
  expect(sameText("a", "ab")).toBe(false);
});
