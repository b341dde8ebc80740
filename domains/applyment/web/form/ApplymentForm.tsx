import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useScreenTitle } from "@zhangfang/web/screen-title.tsx";
import { getDossier } from "../../contract/index.ts";
import { DossierList } from "./DossierList.tsx";
import { DossierPage } from "./DossierPage.tsx";
import "./form.css";

/** Others may be filling in too. */
const LIVE_MS = 15_000;

/** 进件申请: the list, or one merchant's papers (`?merchantId=`, `&step=`). */
export function ApplymentForm(): ReactNode {
  const [query] = useSearchParams();
  const merchantId = query.get("merchantId");
  return merchantId ? <OneDossier key={merchantId} merchantId={merchantId} /> : <DossierList />;
}

function OneDossier({ merchantId }: { merchantId: string }): ReactNode {
  const dossier = useDetail(getDossier, { merchantId }, { until: ({ applyment }) => !applyment?.sending, live_ms: LIVE_MS });
  useScreenTitle(dossier.data && `开户资料 · ${dossier.data.merchantName}`);
  if (dossier.data) return <DossierPage merchantId={merchantId} told={dossier.data} />;
  return (
    <DetailScreen title="进件申请" of={dossier}>
      {() => null}
    </DetailScreen>
  );
}
