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
  const refused = (code: string) => world.sharing.fail("addReceiver", { refuse: code });
  const partner = { type: "MERCHANT_ID" as const, account: "1900000088", name: "临时有限公司", relation: "PARTNER" as const, ratio: 2_000 };
  const state = async (id: string) =>
    (
      await world.owner<{ state: string; next: string | null }>(
        "select bind_state as state, next_bind_at as next from sharing_accounts where receiver_id = $1",
        [id],
      )
    )[0]!;
  test("one that was refused for a moment is asked for again by itself, and its part of what was paid meanwhile waits for it", async () => {
    const { groups } = await world.as("mch01", "getSharingSetup", {});
    refused("NO_AUTH");
    const added = await world.as("mch01", "addReceiver", { groupId: groups[0]!.id, alias: "临时", ...partner });
    expect(added).toMatchObject({ bindState: "unsure", message: expect.stringContaining("系统会自动再次登记") as string });
    const order = await world.paid();
    refused("SIGN_ERROR");
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({
      status: 0,
      failure: expect.stringContaining("接收方 临时 还在登记") as string,
    });
    await world.pass();
    expect(await state(added.id)).toEqual({ state: "bound", next: null });
    await world.pass(10);
    // 20 % with the others' 18, of 99.62.
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_992 });
    await world.as("mch01", "removeReceiver", { id: added.id });
  });
  test("a day of refusals is a no, a no that is about the receiver is one at once; registering again makes its part wait again", async () => {
    const { groups } = await world.as("mch01", "getSharingSetup", {});
    refused("NO_AUTH");
    const { id } = await world.as("mch01", "addReceiver", { groupId: groups[0]!.id, alias: "临时", ...partner });
    for (const minutes of [60, 23 * 60 + 1]) {
      refused("NO_AUTH");
      await world.pass(minutes);
    }
    expect(await state(id)).toEqual({ state: "failed", next: null });
    world.sharing.fail("addReceiver", { crash: "after", error: new Error("the process ended") });
    await world.as("mch01", "bindReceiver", { id, wallet: "wechat" }).catch(() => undefined);
    expect(await state(id)).toEqual({ state: "binding", next: expect.any(String) as string });
    const order = await world.paid();
    refused("INVALID_REQUEST");
    await world.pass();
    expect(await state(id)).toEqual({ state: "failed", next: null });
    await world.pass();
    expect(await world.share(order.shareId)).toMatchObject({ status: 2, shared_cents: 1_793 });
    await world.as("mch01", "removeReceiver", { id });
  });
  test("who was taken out before the channel answered is asked for no more", async () => {
    const { groups } = await world.as("mch01", "getSharingSetup", {});
    world.sharing.fail("addReceiver", "lost-request");
    const { id } = await world.as("mch01", "addReceiver", { groupId: groups[0]!.id, alias: "临时", ...partner });
    await world.as("mch01", "removeReceiver", { id });
    await world.pass(60);
    expect(await state(id)).toEqual({ state: "removed", next: null });
    expect(world.sharing.receivers.has(partner.account)).toBe(false);
  });
});
