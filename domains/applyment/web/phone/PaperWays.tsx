import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addApplymentLink, listPackages } from "../../contract/index.ts";
import { PackagesDrawer } from "../info/PackagesDrawer.tsx";
import { LinksDrawer } from "./LinksDrawer.tsx";

/** What else is done with a merchant's papers: the merchant fills them in by a link, other channels take them as a file. */
export function PaperWays(of: { merchantId: string; merchantName: string }): ReactNode {
  const [links, packages] = [usePanel("links"), usePanel("packages")];
  return (
    <>
      <Act of={addApplymentLink}>
        <Button onClick={() => links.open()}>商户填写链接</Button>
      </Act>
      <Act of={listPackages}>
        <Button onClick={() => packages.open()}>资料包</Button>
      </Act>
      {links.id && <LinksDrawer {...of} onClose={links.close} />}
      {packages.id && <PackagesDrawer {...of} onClose={packages.close} />}
    </>
  );
}
