import "virtual:tokens.css";
import "@zhangfang/web/styles/base.css";
import "@zhangfang/web/styles/drawer.css";
import "@zhangfang/web/styles/form.css";
import "@zhangfang/web/styles/show.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openFillPage } from "@zhangfang/domains/applyment/web/index.ts";
import { Notices } from "@zhangfang/web/Notices.tsx";

const { FillPage } = await openFillPage();
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <FillPage token={location.pathname.split("/").at(-1) ?? ""} />
      <Notices />
    </StrictMode>,
  );
