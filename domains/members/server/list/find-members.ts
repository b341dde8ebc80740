import { sql } from "kysely";
import { type Finder, mayBeName } from "../../../find/server/index.ts";
import { maskedOf, type Person } from "../seal.ts";
import { membersInSight, soughtIn } from "./member-rows.ts";

/** 会员 by the whole name, a phone or its last four, the number or a card's code: nothing else is kept of them. Masked as in the list. */
export const memberFinder: Finder = {
  kind: "members",
  title: "会员",
  promise: "会员",
  access: "/member/member",
  match: mayBeName,
  find: async ({ tx, scope, services }, { text, digits }) => {
    const { rows } = await sql<Person & { no: string; remark: string }>`
      select m.service_provider_id, m.id, m.no, m.name_sealed, m.phone_sealed, m.remark from members m
      where ${membersInSight(scope)} and m.status < 4 and ${soughtIn(services, scope, digits ?? text)} order by m.created_at desc limit 8`.execute(
      tx,
    );
    return rows.map((row) => {
      const { name, phone } = maskedOf(services, row);
      return {
        title: name || "未留姓名",
        hint: [phone, `会员号 ${row.no}`, row.remark].filter(Boolean).join(" · "),
        to: `/member/details?id=${row.id}`,
        near: row.no === digits || (digits ?? "").length !== 4 ? 0 : 1,
      };
    });
  },
};
