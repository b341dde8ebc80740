import { camel, pascal } from "./templates.ts";

/** A new domain over one table of named things that belong to a merchant. */
export interface NewDomain {
  /** `gift-cards`: folder and table. */
  readonly name: string;
  readonly title: string;
  /** The screen of the menu that it fills, and its address there. */
  readonly screen: string;
  readonly path: string;
  /** The logins of the matrix that hold the screen. */
  readonly who: string;
  /** The next free number of a migration. */
  readonly number: string;
}

/** `gift-cards` → `gift-card` */
const one = (name: string): string => name.replace(/s$/, "");

/** Every file of the domain, by its path. */
export function domainFiles(of: NewDomain): Readonly<Record<string, string>> {
  const at = `domains/${of.name}`;
  const many = pascal(of.name);
  return {
    [`${at}/README.md`]: readme(of),
    [`db/migrations/${of.number}-${of.name}.sql`]: migration(of),
    [`${at}/contract.ts`]: contract(of),
    [`${at}/server/index.ts`]: door(of),
    [`${at}/server/list-${of.name}.ts`]: list(of),
    [`${at}/server/export-${of.name}.ts`]: file(of),
    [`${at}/server/add-${one(of.name)}.ts`]: add(of),
    [`${at}/server/${of.name}.test.ts`]: itsTest(of),
    [`${at}/server/testing/plant.ts`]: planted(of),
    [`${at}/server/testing/policy.ts`]: policies(of),
    [`${at}/web/index.ts`]: web(of),
    [`${at}/web/${many}.tsx`]: screen(of),
    [`${at}/web/Add${pascal(one(of.name))}.tsx`]: drawer(of),
  };
}

const readme = ({ name, title, screen }: NewDomain): string => `# ${name} ${title}

What a merchant has of ${title}. Screen: ${screen}.

## Rules
- A name stands once in a merchant (a unique index).
- Whoever asks to add with the same \`requestId\` again gets the first answer.
`;

const migration = ({ name, title }: NewDomain): string => {
  const table = name.replaceAll("-", "_");
  return `-- ${title}: named, a merchant's own.
create table ${table} (
  service_provider_id uuid not null,
  id uuid not null,
  merchant_id uuid not null,
  name text not null check (length(name) between 1 and 32),
  created_at timestamptz not null,
  primary key (service_provider_id, id),
  unique (service_provider_id, merchant_id, name),
  foreign key (service_provider_id, merchant_id) references merchants (service_provider_id, id)
);
create index ${table}_merchant on ${table} (service_provider_id, merchant_id, created_at desc, id desc);
`;
};

const contract = ({ name, title, path }: NewDomain): string => `import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** What the list is narrowed by, also for its file. */
export const ${camel(one(name))}Filters = { keyword: line(32).optional() };

export const list${pascal(name)} = read({
  path: "/api/${name}",
  title: "${title}",
  access: "${path}",
  input: listInput(${camel(one(name))}Filters, ["-createdAt"]),
  output: listOutput(z.object({ id, name: z.string(), createdAt: instant })),
});

export const add${pascal(one(name))} = write({
  path: "/api/${name}/add",
  title: "新建${title}",
  access: "${path}/add",
  idempotent: "requestId",
  input: z.object({ requestId: id, name: line(32, 1, "请填写名称") }),
  output: z.object({ id }),
});
`;

const door = ({ name }: NewDomain): string => `import { domain } from "@zhangfang/server/calls/domain.ts";
import { add${pascal(one(name))}Route } from "./add-${one(name)}.ts";
import { ${camel(one(name))}Export } from "./export-${name}.ts";
import { list${pascal(name)}Route } from "./list-${name}.ts";

export const ${camel(name)} = domain({
  routes: [list${pascal(name)}Route, add${pascal(one(name))}Route],
  exports: [${camel(one(name))}Export],
});
`;

const list = ({ name, title }: NewDomain): string => `import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { list${pascal(name)} } from "../contract.ts";

export type ${pascal(one(name))}Row = RowOf<typeof list${pascal(name)}>;

/** The list for screen and file. */
export const ${camel(name)}Listed = (scope: Scope, { keyword }: Pick<ParsedOf<typeof list${pascal(name)}>, "keyword">): Listed => ({
  columns: sql\`t.id, t.name, t.created_at as "createdAt"\`,
  from: sql\`${name.replaceAll("-", "_")} t\`,
  where: all([inScope(scope, "t", "merchant"), keyword && sql\`t.name ilike \${likeText(keyword)}\`]),
  order: "t.created_at",
});

/** ${title}: those of the merchants in sight, newest first. */
export const list${pascal(name)}Route = implement(list${pascal(name)}, (ctx, input) =>
  listPage<${pascal(one(name))}Row>(ctx.tx, input, ${camel(name)}Listed(ctx.scope, input)),
);
`;

const file = ({ name, title, path }: NewDomain): string => `import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { ${camel(one(name))}Filters } from "../contract.ts";
import { ${camel(name)}Listed, type ${pascal(one(name))}Row } from "./list-${name}.ts";

const input = z.object(${camel(one(name))}Filters);

/** The list as a file. */
export const ${camel(one(name))}Export: ExportSource<typeof input> = {
  name: "${name}",
  title: "${title}",
  access: "${path}/export",
  input,
  columns: [exportColumn("name", "名称", 24), exportColumn("createdAt", "新建时间", 20, "time")],
  ...fileOf(${camel(name)}Listed, ({ name, createdAt }: ${pascal(one(name))}Row) => ({ name, createdAt })),
};
`;

const add = ({ name, title }: NewDomain): string => `import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { add${pascal(one(name))} } from "../contract.ts";

/** 新建${title}: the merchant is the caller's; that its names differ the database holds. */
export const add${pascal(one(name))}Route = implement(add${pascal(one(name))}, async ({ tx, scope, services, note, now_ms }, { name }) => {
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) throw forbidden();
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("${name.replaceAll("-", "_")}")
    .values({ service_provider_id: provider, id, merchant_id: merchant, name, created_at: new Date(now_ms).toISOString() })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("name", "名称已存在");
  note({ targetKind: "${one(name)}", targetId: id, provider, merchant, after: { name } });
  return { id };
});
`;

const itsTest = ({ name }: NewDomain): string => `import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWorld, type World } from "../../accounts/server/world-for-tests.ts";
import { add${pascal(one(name))}, list${pascal(name)} } from "../contract.ts";
import { ${camel(name)} } from "./index.ts";

let world: World;
let [own, other] = ["", ""];
beforeAll(async () => {
  world = await openWorld(${camel(name)}.routes);
  [own, other] = [await world.signIn("mch01"), await world.signIn("mch02")];
});
afterAll(() => world.close());

const named = (name: string) => ({ requestId: randomUUID(), name });
const namesOf = async (token: string) => (await world.call(list${pascal(name)}, token, {})).items.map((row) => row.name);

test("a merchant adds its own, another one sees nothing of it, and a name stands once in a merchant", async () => {
  await world.call(add${pascal(one(name))}, own, named("甲"));
  expect(await namesOf(own)).toEqual(["甲"]);
  expect(await namesOf(other)).toEqual([]);
  expect((await world.refused(add${pascal(one(name))}, own, named("甲"))).fields).toEqual({ name: "名称已存在" });
  await world.call(add${pascal(one(name))}, other, named("甲"));
  expect(await namesOf(other)).toEqual(["甲"]);
});

test("whoever may not is refused, the same request twice is one, and what was done is in the audit", async () => {
  expect((await world.refused(add${pascal(one(name))}, await world.signIn("sp01"), named("丙"))).status).toBe(403);
  const once = named("乙");
  const first = await world.call(add${pascal(one(name))}, own, once);
  expect(await world.call(add${pascal(one(name))}, own, once)).toEqual(first);
  expect(await world.truth("select 1 from audit_log where target_id = $1", [first.id])).toHaveLength(1);
});
`;

const planted = ({ name }: NewDomain): string => `import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

export interface ${pascal(one(name))}Fact {
  readonly id: string;
  readonly merchant: MerchantKey;
}
/** One for some merchants of both providers. */
async function add${pascal(name)}({ services, send }: Soil): Promise<${pascal(one(name))}Fact[]> {
  const made: ${pascal(one(name))}Fact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const body = { requestId: services.ids.uuid(services.clock.now_ms()), name: \`${name} \${merchant}\` };
    const answer = await send(merchant, { verb: "POST", path: "/api/${name}/add", body });
    made.push({ id: (answer.body as { id: string }).id, merchant });
  }
  return made;
}
export const ${camel(one(name))}Facts = plant(add${pascal(name)});
`;

const policies = ({ name, who }: NewDomain): string => `import { listOf } from "../../../../apps/server/testing/matrix/facts.ts";
import { ${who
  .split(", ")
  .map((group) => group.replace("...", ""))
  .concat("MCH")
  .filter((group, at, all) => all.indexOf(group) === at)
  .join(", ")}, type Policy, policy } from "../../../../apps/server/testing/matrix/policy.ts";
import { ${camel(one(name))}Facts } from "./plant.ts";

export const ${camel(one(name))}Policies: readonly Policy[] = [
  policy("GET /api/${name}", [${who}], {
    sample: () => ({ query: { pageSize: "100" } }),
    model: listOf((world) => world.of(${camel(one(name))}Facts)),
  }),
  policy("POST /api/${name}/add", MCH, {
    sample: ({ services }) => ({ body: { requestId: services.ids.uuid(services.clock.now_ms()), name: services.ids.digits(12) } }),
  }),
];
`;

const web = ({ name, screen: key, path }: NewDomain): string => `import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";

export const screens = { "${key}": screen(() => import("./${pascal(name)}.tsx"), "${pascal(name)}") };

registerExportedList("${name}", { path: "${path}", filters: {} });
`;

const screen = ({ name, title, path }: NewDomain): string => `import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { add${pascal(one(name))}, list${pascal(name)} } from "../contract.ts";
import { Add${pascal(one(name))} } from "./Add${pascal(one(name))}.tsx";

/** ${title}: what is in sight, newest first. */
export function ${pascal(name)}(): ReactNode {
  const list = useList(list${pascal(name)});
  const add = usePanel("add");
  const mayExport = useAct(["${path}/export"]);
  const adding = (
    <Act of={add${pascal(one(name))}}>
      <Button tone="primary" onClick={() => add.open()}>
        新建${title}
      </Button>
    </Act>
  );
  const c = columns<RowOf<typeof list${pascal(name)}>>();
  return (
    <ListScreen
      title="${title}"
      unit="个"
      list={list}
      onOpen={false}
      filters={<Keyword of={list.field("keyword")} label="名称" placeholder="名称" />}
      actions={adding}
      {...(mayExport && { exportSource: "${name}" })}
      columns={[c.text("name", "名称"), c.time("createdAt", "新建时间")]}
      empty={{ text: "还没有${title}", action: adding }}
    >
      {add.id && <Add${pascal(one(name))} onClose={add.close} />}
    </ListScreen>
  );
}
`;

const drawer = ({ name, title }: NewDomain): string => `import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { add${pascal(one(name))}, list${pascal(name)} } from "../contract.ts";

/** 新建${title}. */
export function Add${pascal(one(name))}({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(add${pascal(one(name))}, {
    initial: {},
    draft: "new",
    done: "已新建${title}",
    refreshes: [list${pascal(name)}],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建${title}" submit="新建" onClose={onClose}>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} maxLength={32} />}
      </Field>
    </FormDrawer>
  );
}
`;
