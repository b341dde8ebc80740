import { sql, type RawBuilder } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";

const inState = (
  given: Pick<TodoKind, "key" | "title" | "act" | "access" | "urgency"> & {
    readonly state: string;
    readonly standing?: RawBuilder<boolean>;
  },
): TodoKind => ({
  ...given,
  unit: "家",
  to: `/applyment/info?state=${given.state}`,
  opens: (id) => `/applyment/info?state=${given.state}&id=${id}`,
  waits: ({ scope }) => ({
    from: sql`applyments a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id`,
    where: all([inScope(scope, "a", "merchant"), sql`a.state = ${sql.lit(given.state)}`, given.standing]),
    id: sql`a.id`,
    title: sql`m.short_name`,
    since: sql`a.state_at`,
  }),
});
const EDIT = "/applyment/form/edit";
const AT_REST = sql<boolean>`not a.unsent and not a.unheard`;

/** Applications at a channel that a person moves on, and papers that were begun and not sent. */
export const applymentTodos: readonly TodoKind[] = [
  inState({
    key: "applyments-rejected",
    access: EDIT,
    urgency: 1,
    title: "进件被驳回",
    act: "去修改",
    state: "REJECTED",
    standing: AT_REST,
  }),
  inState({
    key: "applyments-refused",
    access: EDIT,
    urgency: 1,
    title: "进件没有被微信支付收下",
    act: "去修改",
    state: "EDITTING",
    standing: AT_REST,
  }),
  // The merchant's own person does these, at the channel: whoever sees it can.
  inState({
    key: "applyments-to-confirm",
    access: "/applyment/info",
    urgency: 2,
    title: "进件等待账户验证",
    act: "去验证",
    state: "TO_BE_CONFIRMED",
  }),
  inState({
    key: "applyments-to-scan",
    access: "/applyment/info",
    urgency: 2,
    title: "进件等待签约",
    act: "去签约",
    state: "TO_BE_SIGNED",
  }),
  {
    key: "dossiers-not-sent",
    urgency: 3,
    unit: "份",
    title: "进件资料没填完，还没提交",
    act: "去填写",
    access: EDIT,
    to: "/applyment/form?stage=draft",
    opens: (id) => `/applyment/form?merchantId=${id}`,
    waits: ({ scope }) => ({
      from: sql`dossiers d join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id`,
      where: all([
        inScope(scope, "m"),
        sql`not exists (select from applyments a where a.service_provider_id = d.service_provider_id and a.merchant_id = d.merchant_id and a.state <> 'CANCELED')`,
      ]),
      id: sql`d.merchant_id`,
      title: sql`m.short_name`,
      since: sql`d.updated_at`,
    }),
  },
];
