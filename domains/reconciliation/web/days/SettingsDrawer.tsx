import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { type BillSource, billSource, getBillSettings, isPlatform, setBillSettings } from "../../contract/index.ts";
import { wordsOf } from "../words.ts";

interface Props {
  readonly merchantId: string | undefined;
  readonly source: BillSource;
  readonly onClose: () => void;
}
/** 对账设置 of one merchant: whether bills come by themselves, and which fee differences are none. */
export function SettingsDrawer({ merchantId, source, onClose }: Props): ReactNode {
  const { level } = useUser();
  const unnamed = level !== "MCH" && merchantId === undefined;
  const found = useDetail(getBillSettings, unnamed ? undefined : { source, ...(merchantId && { merchantId }) });
  if (found.data) return <Form settings={found.data} merchantId={merchantId} source={source} onClose={onClose} />;
  return (
    <Drawer title="对账设置" onClose={onClose}>
      {unnamed ? (
        <p className="note">设置属于商户：请先在列表中筛选一个商户，再打开对账设置。</p>
      ) : found.error ? (
        <Failure error={found.error as ApiError} retry={() => void found.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Drawer>
  );
}

function Form({ settings, merchantId, source, onClose }: Props & { settings: OutputOf<typeof getBillSettings> }): ReactNode {
  const form = useForm(setBillSettings, {
    initial: { ...settings, source, ...(merchantId && { merchantId }) },
    draft: `${source}:${merchantId ?? "own"}:${settings.version}`,
    done: "已保存对账设置",
    refreshes: [getBillSettings],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`对账设置（${billSource.label(source)}）`} submit="保存" onClose={onClose}>
      {isPlatform(source) ? (
        <p className="note">平台的账单由平台接口每天凌晨自动取，没有接口的导入表格后自动对账。</p>
      ) : (
        <Field of={form.field("daily")} label="自动获取账单" help="每天 10 点后获取前一天的交易账单，通道还没生成时 30 分钟后再试">
          {(f) => <Switch {...f} label="每天自动获取" />}
        </Field>
      )}
      <Field
        of={form.field("feeToleranceCents")}
        label={`${wordsOf(source).fee}容差`}
        help="每笔相差不超过这么多分时视为一致，合计显示在当天的对账里"
      >
        {(f) => <NumberInput {...f} value={f.value as number} unit="分" />}
      </Field>
    </FormDrawer>
  );
}
