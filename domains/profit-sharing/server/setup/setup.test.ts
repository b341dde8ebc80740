import { describe, expect, test } from "vitest";
import { shareTests } from "../testing/share-tests.ts";

const { world } = await shareTests();

describe("receivers and the rule", () => {
  test("a name is sealed, masked and never told", async () => {
    const { receivers } = await world.as("mch01", "getSharingSetup", {});
    expect(receivers.map((one) => [one.alias, one.accounts[0]!.account, one.name, one.accounts[0]!.bindState])).toEqual([
      ["服务商", "1900000001", "演**", "bound"],
      ["合作伙伴", "1900000077", "合**", "bound"],
      ["店长", "****6789", null, "bound"],
    ]);
    expect(JSON.stringify(await world.owner("select * from sharing_receivers"))).not.toContain("演示服务商有限公司");
  });
  test("nobody else's group, receiver or merchant, and no more than the channel allows", async () => {
    const { rule, groups } = await world.as("mch01", "getSharingSetup", {});
    const given = { version: rule.version, mode: "auto" as const, timing: "now" as const, groupId: groups[0]!.id, unfreeze: true };
    await expect(world.as("mch02", "setSharingRule", { ...given, version: 0, ratios: [] })).rejects.toMatchObject({ status: 404 });
    const much = [{ receiverId: world.receiverIds["服务商"]!, ratio: 30_000 }];
    await expect(world.as("mch01", "setSharingRule", { ...given, ratios: much })).rejects.toMatchObject({
      status: 400,
      fields: { ratios: expect.any(String) as string },
    });
    await expect(world.as("mch01", "getSharingSetup", { merchantId: world.tree.merchants.mch02.id })).rejects.toMatchObject({
      status: 404,
    });
    await expect(world.as("sp02", "bindReceiver", { id: world.receiverIds["店长"]!, wallet: "wechat" })).rejects.toMatchObject({
      status: 404,
    });
  });
  test("a receiver without an answer is registered again", async () => {
    const { groups } = await world.as("mch01", "getSharingSetup", {});
    world.sharing.fail("addReceiver", "lost-reply");
    const added = await world.as("mch01", "addReceiver", {
      groupId: groups[0]!.id,
      alias: "总部",
      type: "MERCHANT_ID",
      account: "1900000099",
      name: "总部有限公司",
      relation: "HEADQUARTER",
      ratio: 1_000,
    });
    expect(added.bindState).toBe("unsure");
    expect(await world.as("mch01", "bindReceiver", { id: added.id, wallet: "wechat" })).toMatchObject({ bindState: "bound" });
    await world.as("mch01", "removeReceiver", { id: added.id });
    expect((await world.as("mch01", "getSharingSetup", {})).receivers).toHaveLength(3);
  });
});
