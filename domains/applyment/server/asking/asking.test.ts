import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { askApplyment, chooseNumber, getDossier, saveDossier, submitApplyment } from "../../contract/index.ts";
import { applymentChannelOf, giveApplymentChannel, type KnownApplyment } from "../../../channels/server/index.ts";
import { type ApplymentWorld, openApplymentWorld } from "../testing/applyment-world.ts";

let world: ApplymentWorld;
beforeAll(async () => {
  world = await openApplymentWorld();
});
beforeEach(() => world.clean());
afterEach(async () => expect(await world.breaches()).toEqual([]));
afterAll(() => world.close());

const act = (code: string | null, what: string) => world.simulator.control("POST applyment", { code: code ?? "", act: what });
/** A minute later somebody presses 现在查. */
async function press(id: string) {
  world.services.clock.advance(61_000);
  await world.call("sp01", askApplyment, { id });
  await world.sweep("chase-applyments");
  return world.newest();
}
const older = (column: string) => world.owner(`update applyments set ${column} = ${column} - interval '61 days'`);

test("a submission that comes to nothing three times is people's again, with what was answered, and they are told", async () => {
  await world.owner("delete from messages");
  await world.filled();
  for (let times = 0; times < 3; times++)
    await world.simulator.control("POST faults", {
      kind: "refuse",
      operation: "submit-applyment",
      status: 400,
      code: "BRAND_NEW_CODE",
      message: "王小明的资料暂不受理",
    });
  await world.submit();
  await older("state_at");
  const one = await world.until("EDITTING", 120);
  expect(one).toMatchObject({ sending: false, nextAt: null, message: expect.stringContaining("发了 3 次") });
  expect(one.message).toContain("BRAND_NEW_CODE");
  expect(one.message).not.toContain("王小明");
  expect(await world.owner("select 1 from messages where title like '%没有收下'")).not.toEqual([]);
  // Days are counted from then on, however long it had been on its way; who was told is told once, also where the messages are gone.
  const reminded = async () => {
    await world.owner("delete from messages");
    await world.sweep("remind-of-applyments");
    return new Set(
      (await world.owner<{ title: string }>("select title from messages")).map(({ title }) => title.slice(title.indexOf("」"))),
    );
  };
  expect(await reminded()).toEqual(new Set());
  world.services.clock.advance(86_400_000);
  expect(await reminded()).toEqual(new Set(["」的进件 1 天前没有收下，还没有改"]));
  expect(await reminded()).toEqual(new Set());
  // Nothing is locked: it goes again.
  await world.submit();
  await world.until("TO_BE_SIGNED");
});

test("a second rejection is heard where the submission's answer was lost; the first one told again is none", async () => {
  const real = applymentChannelOf(world.services);
  let first: KnownApplyment | undefined;
  let again = (): KnownApplyment | undefined => undefined;
  giveApplymentChannel(world.services, {
    ...real,
    async find(account, code) {
      const found = await real.find(account, code);
      if (found.kind !== "ok") return found;
      if (found.value.state.endsWith("REJECTED")) first ??= found.value;
      return { ...found, value: again() ?? found.value };
    },
  });
  await world.filled({ "business.shortName": "驳回小店" });
  await world.submit();
  await world.until("REJECTED");
  again = () => first;
  world.services.clock.advance(1_000);
  await world.simulator.control("POST faults", { kind: "lost-reply", operation: "submit-applyment" });
  await world.submit();
  for (let times = 0; times < 2; times++) {
    await world.sweep("chase-applyments");
    world.services.clock.advance(61_000);
  }
  expect(await world.newest()).toMatchObject({ rounds: 2, sending: true, events: [{ kind: "submitted" }, {}, {}, {}] });
  again = () => ({ ...first!, rejected: [{ ...first!.rejected[0]!, reason: "简称与门头照片还是不一样" }] });
  await world.sweep("chase-applyments");
  giveApplymentChannel(world.services, real);
  expect(await world.newest()).toMatchObject({
    rounds: 2,
    state: "REJECTED",
    sending: false,
    rejected: [{ reason: "简称与门头照片还是不一样" }],
    events: [{ kind: "state", state: "REJECTED", round: 2 }, { kind: "submitted" }, {}, {}, {}],
  });
});

test("what can't be sealed is not sent, and is people's again at once", async () => {
  await world.filled();
  await world.owner(
    `insert into applyment_media (service_provider_id, file_id, mch_id, merchant_id, media_id, begun_at)
      select service_provider_id, id, $1, merchant_id, 'V1_' || id, created_at from applyment_files`,
    [world.account.mchId],
  );
  const [{ keys }] = (await world.owner<{ keys: object }>("select platform_keys as keys from applyment_accounts")) as [{ keys: object }];
  await world.owner("update applyment_accounts set platform_keys = $1", [
    JSON.stringify(Object.fromEntries(Object.keys(keys).map((id) => [id, "no key"]))),
  ]);
  await world.submit();
  await world.sweep("chase-applyments");
  await world.owner("update applyment_accounts set platform_keys = $1", [JSON.stringify(keys)]);
  expect(await world.newest()).toMatchObject({ state: "EDITTING", sending: false, message: expect.stringContaining("公钥") });
  expect(await world.owner("select 1 from applyment_calls where ended_at is null")).toEqual([]);
});

test("sixty days are counted from the last movement; the alarm is said once, and is over with what moves", async () => {
  await world.filled();
  const id = await world.submit();
  const { code } = await world.until("TO_BE_SIGNED");
  await older("submitted_at");
  expect(await press(id)).toMatchObject({ alarm: false, nextAt: expect.any(String) });
  await older("state_at");
  expect(await press(id)).toMatchObject({ alarm: true, nextAt: null });
  await press(id);
  const { events } = await press(id);
  expect(events.filter(({ kind }) => kind === "alarm")).toHaveLength(1);
  await act(code, "sign");
  let one = await press(id);
  for (let times = 0; one.state !== "FINISHED" && times < 10; times++) one = await press(id);
  expect(one).toMatchObject({ state: "FINISHED", alarm: false });
  // The end is heard once: nobody's choice is asked for again.
  world.services.clock.advance(61_000);
  await expect(world.call("sp01", askApplyment, { id })).rejects.toMatchObject({ status: 409, code: "applyment.nothing-to-ask" });
});

test("asking is once a minute also before there is a question", async () => {
  await world.filled();
  const id = await world.submit();
  await world.call("sp01", askApplyment, { id });
  await expect(world.call("sp01", askApplyment, { id })).rejects.toMatchObject({ status: 409, code: "applyment.asked-lately" });
});

test("saved and submitted at the same moment, one of them is refused", async () => {
  for (let times = 0; times < 4; times++) {
    await world.clean();
    await world.filled();
    const { versions, submissions } = await world.call("sp01", getDossier, { merchantId: world.merchantId });
    const both = await Promise.allSettled([
      world.call("sp01", submitApplyment, { requestId: randomUUID(), merchantId: world.merchantId, versions, submissions }),
      world.call("agent01", saveDossier, {
        merchantId: world.merchantId,
        changes: [{ path: "account.number", value: "6222029876543210128", version: versions["account.number"]! }],
      }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  }
});

test("with the new number the AppSecret of another AppID goes, and the event says so", async () => {
  await world.filled();
  await world.submit();
  const { code, id } = await world.until("TO_BE_SIGNED");
  await world.owner(
    `insert into channel_settings (service_provider_id, id, merchant_id, mode, app_id, mch_id, sub_mch_id, cert_serial, private_key_sealed, api_v3_key_sealed,
        app_secret_sealed, app_secret_tail, base_url)
      select service_provider_id, $2, $1, 'partner', 'wx00000000000000aa', mch_id, '1600009999', cert_serial, private_key_sealed, api_v3_key_sealed,
        'sealed', 'tail', base_url from channel_settings limit 1`,
    [world.merchantId, randomUUID()],
  );
  await act(code, "sign");
  await world.until("FINISHED");
  world.services.clock.advance(1_000);
  await world.call("sp01", chooseNumber, {
    id,
    use: "take",
    standing: "1600009999",
    opened: (await world.newest()).subMchId!,
  });
  expect(
    await world.owner("select app_secret_sealed, app_secret_tail from channel_settings where merchant_id = $1", [world.merchantId]),
  ).toEqual([{ app_secret_sealed: null, app_secret_tail: null }]);
  expect((await world.newest()).events[0]).toMatchObject({ kind: "chosen", said: expect.stringContaining("AppSecret") });
});
