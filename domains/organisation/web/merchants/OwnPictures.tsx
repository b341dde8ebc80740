import type { ReactNode } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { success } from "@zhangfang/web/notify.ts";
import { Group, Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Picture } from "@zhangfang/web/show/Picture.tsx";
import { getMerchantPictures, merchantPicture, setMerchantPicture } from "../../contract/index.ts";

type Kind = "logo" | "licence";
const MOST: Readonly<Record<Kind, { readonly width: number; readonly height: number; readonly bytes: number }>> = {
  logo: { width: 480, height: 480, bytes: 170_000 },
  licence: { width: 2_000, height: 2_000, bytes: 170_000 },
};

/**
 * 标志 and 营业执照: shown, and for whoever may change the profile uploaded, replaced and taken away at once.
 * @param props.known a logo that came with the merchant before, shown until one is uploaded
 */
export function OwnPictures({ known }: { known: string | null }): ReactNode {
  const pictures = useDetail(getMerchantPictures, {});
  const mayEdit = useAct(setMerchantPicture);
  const [, run] = useRun([getMerchantPictures]);
  const set = (kind: Kind, base64: string | null): Promise<unknown> =>
    run(async () => {
      await call(setMerchantPicture, { kind, base64 });
      success(base64 === null ? `${merchantPicture.label(kind)}已移除` : `${merchantPicture.label(kind)}已上传`);
    });
  const shown = (kind: Kind, url: string | null): ReactNode =>
    mayEdit ? (
      <>
        <label className="sr-only" htmlFor={`own-${kind}`}>
          选择{merchantPicture.label(kind)}图片
        </label>
        <PictureInput
          id={`own-${kind}`}
          aria-invalid={undefined}
          aria-describedby={undefined}
          name={merchantPicture.label(kind)}
          value={url}
          most={MOST[kind]}
          // What was uploaded comes back with the next reading.
          upload={async (base64) => void (await set(kind, base64))}
          onChange={(next) => void (next === null && set(kind, null))}
        />
      </>
    ) : (
      url && <Picture url={url} name={merchantPicture.label(kind)} />
    );
  return (
    <Loaded of={pictures}>
      {({ logo, licence }) => (
        <Group
          title="图片"
          pairs={[
            [
              merchantPicture.label("logo"),
              <span key="logo">
                {logo === null && known !== null && <Picture url={known} name="现在的标志" />}
                {shown("logo", logo)}
              </span>,
            ],
            [merchantPicture.label("licence"), shown("licence", licence)],
          ]}
        />
      )}
    </Loaded>
  );
}
