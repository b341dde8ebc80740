import type { ReactNode } from "react";
import type { ItemPath, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, RateInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Timeline } from "@zhangfang/web/show/figures/Timeline.tsx";
import { getShareRatio, ratioStart, setShareRatio, type RatioLevel } from "../../contract/index.ts";

const ITEM = {
  group: "/businessGroup/businessGroup/ratio",
  team: "/businessGroup/businessTeam/ratio",
  salesman: "/salesman/salesman/ratio",
} as const satisfies Record<RatioLevel, ItemPath>;
interface Whose {
  readonly level: RatioLevel;
  readonly id: string;
}

/** The way to the ratio of a group, a team or a salesman, and its drawer. */
export function ShareRatio({ level, id }: Whose): ReactNode {
  const panel = usePanel("ratio");
  return (
    <Act of={[ITEM[level]]}>
      <Button onClick={() => panel.open(id)}>分润比例</Button>
      {panel.id === id && <RatioDrawer level={level} id={id} onClose={panel.close} />}
    </Act>
  );
}

function RatioDrawer({ level, id, onClose }: Whose & { onClose: () => void }): ReactNode {
  const ratio = useDetail(getShareRatio, { level, id });
  if (ratio.data) return <RatioForm key={ratio.data.version} level={level} id={id} known={ratio.data} onClose={onClose} />;
  return <WaitingDrawer of={ratio} title="分润比例" onClose={onClose} />;
}

function RatioForm({ level, id, known, onClose }: Whose & { known: OutputOf<typeof getShareRatio>; onClose: () => void }): ReactNode {
  const { name, version, limit } = known;
  const form = useForm(setShareRatio, {
    initial: { level, id, version, ratio: known.tomorrow, start: "tomorrow" },
    draft: `${level}:${id}:${version}`,
    done: "已保存",
    refreshes: [getShareRatio],
    check: ({ ratio }) => (ratio !== undefined && ratio > limit ? { ratio: `不能超过服务商的上限 ${percent(limit)}` } : undefined),
    ask: ({ ratio = 0, start }) => ({
      text: `「${name}」的分润比例由 ${percent(known.ratio)} 改为 ${percent(ratio)}，${start === "today" ? "今天全天" : "明天 0 点"}起计算；此前各天的分润不变。`,
      ok: "保存",
    }),
  });
  return (
    <FormDrawer form={form} title={`分润比例 ${name}`} submit="保存" onClose={onClose}>
      <Field
        of={form.field("ratio")}
        label="分润比例"
        help={`手续费减去通道成本和代理商费率差后，按此比例分得；现为 ${percent(known.ratio)}${known.tomorrow === known.ratio ? "" : `，明天起 ${percent(known.tomorrow)}`}`}
      >
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={form.field("start")} label="生效时间" help="当日生效按今天全天计算；尚未生效的旧设置由这次代替">
        {(f) => <Radios {...f} set={ratioStart} />}
      </Field>
      {known.history.length > 0 && (
        <Group title="设置记录">
          <Timeline
            items={known.history.map((one) => ({
              title: percent(one.ratio),
              at: one.setAt,
              note: `${one.setBy}，${one.effectiveFrom} 起`,
              tone: "active",
            }))}
          />
        </Group>
      )}
    </FormDrawer>
  );
}
