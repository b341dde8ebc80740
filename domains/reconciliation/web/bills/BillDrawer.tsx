import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FileButton } from "@zhangfang/web/form/files/FileDrop.tsx";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Pick } from "@zhangfang/web/form/inputs.tsx";
import { Sending } from "@zhangfang/web/form/Sending.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import {
  AT_WORK,
  acquirerOf,
  type BillSource,
  billType,
  type BillTypeCode,
  cancelBill,
  fetchBill,
  getReconMonth,
  listBillFiles,
  listReconDays,
  sourcesOf,
  typesOf,
} from "../../contract/index.ts";
import { BillTable } from "./BillTable.tsx";
import { type BillUpload, useBillUpload } from "./use-bill-upload.ts";

/** 获取账单: from the channel or from a file, and how far each is. `preset` is a day, or `new`. */
export function BillDrawer({
  preset,
  merchantId,
  onClose,
  onDone,
}: {
  preset: string;
  merchantId: string | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const client = useQueryClient();
  const files = useDetail(
    listBillFiles,
    { pageSize: 20, ...(merchantId && { merchantId }) },
    {
      until: ({ items }) => {
        const over = items.every(({ status }) => !AT_WORK.includes(status));
        if (over) onDone();
        return over;
      },
    },
  );
  const refresh = (): void => {
    void files.refetch();
    void client.invalidateQueries({ queryKey: [listReconDays.path] });
    void client.invalidateQueries({ queryKey: [getReconMonth.path] });
  };
  const upload = useBillUpload(() => {
    success("已上传，正在解析和对账");
    refresh();
  });
  return (
    <Drawer title="获取账单" width={880} onClose={onClose}>
      {upload.progress ? (
        <Sending of={upload} label="上传进度" cancel="取消上传">
          正在上传 <span className="num">{Math.floor((upload.progress.done * 100) / upload.progress.of)}%</span>
        </Sending>
      ) : (
        <Ask day={/^\d{4}-\d\d-\d\d$/.test(preset) ? preset : daysAgo(1)} merchantId={merchantId} upload={upload} onAsked={refresh} />
      )}
      {files.error ? (
        <Failure error={files.error as ApiError} retry={() => void files.refetch()} />
      ) : !files.data ? (
        <Group title="最近的账单">
          <Skeleton rows={3} />
        </Group>
      ) : (
        <BillTable
          title="最近的账单"
          withDay
          files={files.data.items}
          onCancel={(file) => void call(cancelBill, { id: file.id }).then(refresh, () => undefined)}
        />
      )}
    </Drawer>
  );
}

const typesIn = (source: BillSource) =>
  labelled(Object.fromEntries(typesOf(source).map((one) => [one, billType.label(one)])) as Record<BillTypeCode, string>);

/** Which bill: fetched with the one button, uploaded by choosing a file. */
function Ask({
  day,
  merchantId,
  upload,
  onAsked,
}: {
  day: string;
  merchantId: string | undefined;
  upload: BillUpload;
  onAsked: () => void;
}): ReactNode {
  const { level } = useUser();
  const [wrong, setWrong] = useState<string>();
  const form = useForm(fetchBill, {
    initial: { source: "wechat", type: "ALL", day, ...(merchantId && { merchantId }) },
    draft: false,
    done: "已开始获取",
    onDone: onAsked,
  });
  const { source = "wechat", type = "ALL" } = form.values;
  const choose = ([file]: readonly File[]): void => {
    const { requestId: _key, ...which } = form.values as { requestId?: string } & Parameters<BillUpload["start"]>[0];
    if (!file) return;
    if (level !== "MCH" && !which.merchantId) return setWrong("请先选择商户");
    setWrong(undefined);
    void upload.start(which, file);
  };
  return (
    <FormBody form={form}>
      <div className="recon-ask">
        {level !== "MCH" && (
          <Field of={form.field("merchantId")} label="商户">
            {(f) => <OrgPicker {...f} level="merchantId" />}
          </Field>
        )}
        <Field of={form.field("source")} label="通道">
          {(f) => (
            <Pick
              {...f}
              set={sourcesOf("channel")}
              onChange={(given) => given && form.set({ ...form.values, source: given, type: typesOf(given)[0]! })}
            />
          )}
        </Field>
        <Field of={form.field("type")} label="账单类型">
          {(f) => <Pick {...f} set={typesIn(source)} value={type} />}
        </Field>
        <Field of={form.field("day")} label="账单日期">
          {(f) => <DayInput {...f} max={daysAgo(1)} onChange={(given) => f.onChange(given ?? undefined)} />}
        </Field>
      </div>
      <p className="recon-acts">
        {acquirerOf(source) === undefined && (
          <Button type="submit" tone="primary" busy={form.busy}>
            从通道获取
          </Button>
        )}
        <FileButton accept=".csv,.txt,.gz,.zip" onFiles={choose}>
          上传账单文件
        </FileButton>
        <SheetNote source={source} />
      </p>
      {wrong && (
        <p role="alert" className="form-failure">
          {wrong}
        </p>
      )}
    </FormBody>
  );
}

/** Which file is meant; of an acquirer's nobody has checked how it is laid out. */
function SheetNote({ source }: { source: BillSource }): ReactNode {
  return (
    <span className="note">
      {acquirerOf(source) === undefined
        ? "通道提供的原文件：.csv、.gz，支付宝为 .zip"
        : "收单机构的账单只能上传；列名按通用名称识别，尚未与机构的文件核对，请先用一天的账单核实"}
    </span>
  );
}
