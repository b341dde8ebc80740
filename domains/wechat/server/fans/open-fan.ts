import { sql } from "kysely";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import { readFanCode } from "./fan-code.ts";
import { tellFollowed, type Welcome } from "./fan-facts.ts";
import { nameFan } from "./take-event.ts";

/**
 * A member opened the address that an official account sent to a follower: they are that follower from now on, and get what the first follow
 * brings. In the transaction of their own request.
 * @throws 404 where it is no follower of the member's merchant, 409 where somebody else was it first
 */
export async function openFan(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id: member_id }: MemberRef,
  code: string,
): Promise<{ accountName: string; welcomes: readonly Welcome[] }> {
  const fan_id = readFanCode(services, code);
  if (fan_id === undefined) throw notFound("领取链接");
  return asPlatform(tx, async () => {
    const { rows } = await sql<{
      name: string;
      first_at: string | null;
      member_id: string | null;
      store_id: string | null;
      mine: boolean;
    }>`select a.name, f.first_at, f.member_id,
        c.store_id, f.member_id = ${member_id} or exists (select from members m where m.service_provider_id = f.service_provider_id and m.id = f.member_id
          and m.merged_into = ${member_id}) as mine
      from wx_fans f join wx_apps a on a.service_provider_id = f.service_provider_id and a.id = f.app_row
      left join wx_fan_channels c on c.service_provider_id = f.service_provider_id and c.id = f.first_channel
      where f.service_provider_id = ${service_provider_id} and f.merchant_id = ${merchant_id} and f.id = ${fan_id} for no key update of f`.execute(
      tx,
    );
    const [fan] = rows;
    if (!fan) throw notFound("领取链接");
    if (fan.member_id === null) await nameFan(tx, { service_provider_id, fan_id, member_id });
    else if (!fan.mine) throw conflict("这个微信的关注礼已由另一位会员领取", "fan.taken");
    const { first_at, store_id } = fan;
    const follow = first_at !== null && { service_provider_id, merchant_id, member_id, first_at, store_id };
    return { accountName: fan.name, welcomes: follow ? await tellFollowed(tx, services, follow) : [] };
  });
}
