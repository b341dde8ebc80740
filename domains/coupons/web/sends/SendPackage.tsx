import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import { NewSend } from "./NewSend.tsx";

interface Closing {
  readonly onClose: () => void;
}
/** 发券包 to members who are named already, from their list: a sending as every other, which then opens. */
export function SendPackage({ memberNos, onClose }: Closing & { readonly memberNos: readonly string[] }): ReactNode {
  const navigate = useNavigate();
  return <NewSend memberNos={memberNos} onClose={onClose} onMade={(id) => void navigate(`/ticket/batchSend?id=${id}`)} />;
}
/** The same from the page of one. */
export const SendPackageToOne = ({ memberNo, onClose }: Closing & { readonly memberNo: string }): ReactNode => (
  <SendPackage memberNos={[memberNo]} onClose={onClose} />
);
