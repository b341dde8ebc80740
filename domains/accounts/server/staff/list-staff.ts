import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listStaff } from "../../contract/staff.ts";
import { TARGET_FROM } from "../users/read-target.ts";
import { USER_ROW_FROM, userColumns } from "../users/user-columns.ts";
import { ownStaff } from "./own-staff.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

/** The root's sub-accounts, newest first, each with its position and what it sees. */
export const listStaffRoute = implement(listStaff, (ctx, input) =>
  listPage<RowOf<typeof listStaff>>(ctx.tx, input, {
    columns: sql`${userColumns(ctx)},
      array(select y.short_name from user_stores x join stores y on y.service_provider_id = x.service_provider_id and y.id = x.store_id
        where x.service_provider_id = u.service_provider_id and x.user_id = u.id order by y.created_at, y.id limit 3) as "storeNames",
      (select count(*)::int from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id) as "storeCount",
      array(select y.name from user_areas x join areas y on y.service_provider_id = x.service_provider_id and y.id = x.area_id
        where x.service_provider_id = u.service_provider_id and x.user_id = u.id order by y.created_at, y.id) as "areaNames"`,
    from: USER_ROW_FROM,
    counted: TARGET_FROM,
    where: all([
      ownStaff(ctx),
      input.keyword && sql`u.login ilike ${likeText(input.keyword)} or u.first_name ilike ${likeText(input.keyword)}`,
      is("u.state", input.state),
      is("u.position_id", input.positionId),
      input.storeId &&
        sql`exists (select 1 from user_stores x where x.service_provider_id = u.service_provider_id and x.user_id = u.id and x.store_id = ${input.storeId})`,
    ]),
    order: "u.created_at",
  }),
);
