import { type ReactNode, useState } from "react";
import { Select } from "@zhangfang/web/select/Select.tsx";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getProduct, getProducts, getTags, setProductSale, summariseProducts, tagProducts } from "../../contract/index.ts";

/** What a batch means: the ticked ones, or the filter with the count that is seen. */
export const meant = ({ all, ids, filters, count }: Selection) => (all ? { filter: filters as never, count } : { skuIds: [...ids] });

/** 上架, 下架, 打标签 over ticked rows or the whole filter. */
export function ProductBatch({
  selection,
  tags,
}: {
  selection: Selection;
  tags: readonly { readonly id: string; readonly name: string }[];
}): ReactNode {
  const [busy, run] = useRun([getProducts, getProduct, summariseProducts, getTags]);
  const [tagId, setTag] = useState<string>();
  const sale = async (onSale: boolean): Promise<void> => {
    const act = onSale ? "上架" : "下架";
    if (
      !(await confirm(`${act}${selection.all ? "筛选结果中的" : "所选"} ${selection.count} 个商品？收银机随即更新。`, {
        ok: `${act} ${selection.count} 个`,
        danger: !onSale,
      }))
    )
      return;
    await run(async () => {
      const { changed, skipped } = await call(setProductSale, { onSale, ...meant(selection) });
      success(`已${act} ${changed} 个${skipped > 0 ? `，${skipped} 个服务商已收回，未上架` : ""}`);
      selection.clear();
    });
  };
  const tag = (on: boolean) =>
    run(async () => {
      const { changed } = await call(tagProducts, { tagId: tagId!, on, ...meant(selection) });
      success(`${on ? "已打标签" : "已取消标签"}：${changed} 个商品`);
      selection.clear();
    });
  return (
    <>
      <Act of={setProductSale}>
        <Button small busy={busy} onClick={() => void sale(true)}>
          上架
        </Button>
        <Button small busy={busy} onClick={() => void sale(false)}>
          下架
        </Button>
      </Act>
      <Act of={tagProducts}>
        {tags.length > 0 && (
          <>
            <Select<string>
              aria-label="标签"
              size="small"
              className="filter-control"
              placeholder="选择标签"
              allowClear
              options={tags.map(({ id, name }) => ({ value: id, label: name }))}
              value={tagId ?? null}
              onChange={(value) => setTag(value ?? undefined)}
            />
            <Button small busy={busy} disabled={tagId === undefined} onClick={() => void tag(true)}>
              打标签
            </Button>
            <Button small busy={busy} disabled={tagId === undefined} onClick={() => void tag(false)}>
              取消标签
            </Button>
          </>
        )}
      </Act>
    </>
  );
}
