import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getGroup, getTeam, listGroupChoices, listGroups, listTeams, moveTeam } from "../../contract/index.ts";

const NOBODY = "none";
const OWN = "服务商直属";

/** 转移集团 of one team: its salesmen and merchants go with it. */
export function MoveTeamDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const team = useDetail(getTeam, { id });
  if (team.data) return <MoveForm key={team.data.version} team={team.data} onClose={onClose} />;
  return <WaitingDrawer of={team} title="转移集团" onClose={onClose} />;
}

function MoveForm({ team, onClose }: { team: OutputOf<typeof getTeam>; onClose: () => void }): ReactNode {
  const { id, version, name, businessGroupId, serviceProviderId } = team;
  const groups = useDetail(listGroupChoices, { serviceProviderId }).data?.items ?? [];
  const others = groups.filter((group) => group.id !== businessGroupId).map((group) => ({ value: group.id, label: group.name }));
  const form = useForm(moveTeam, {
    initial: { id, version },
    refreshes: [listTeams, getTeam, listGroups, getGroup],
    onDone: ({ merchantCount, salesmanCount }) => {
      success(`已转移，${merchantCount} 家商户、${salesmanCount} 名业务员随团队转移`);
      onClose();
    },
    ask: (given) => {
      const to = groups.find((group) => group.id === given.businessGroupId)?.name ?? OWN;
      return {
        text: `将团队「${name}」由「${team.groupName ?? OWN}」转到「${to}」：${team.merchantCount} 家商户、${team.salesmanCount} 名业务员的集团随之变更，立即生效。此后的订单计入新集团，以前的订单和业绩不变。`,
        ok: "转移",
      };
    },
  });
  return (
    <FormDrawer form={form} title={`转移团队 ${name}`} submit={`转移团队和 ${team.merchantCount} 家商户`} onClose={onClose}>
      <Field of={form.field("businessGroupId")} label="转到集团" help={`现属 ${team.groupName ?? OWN}`}>
        {(f) => (
          <PickOne
            {...f}
            value={f.value === null ? NOBODY : f.value}
            onChange={(given) => f.onChange(given === NOBODY ? null : given)}
            options={[...(businessGroupId === null ? [] : [{ value: NOBODY, label: OWN }]), ...others]}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
