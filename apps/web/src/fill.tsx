import "virtual:tokens.css";
import "@zhangfang/web/styles/base.css";
import "@zhangfang/web/styles/drawer.css";
import "@zhangfang/web/styles/form.css";
import "@zhangfang/web/styles/show.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { openFillPage } from "@zhangfang/domains/applyment/web/index.ts";
import { Notices } from "@zhangfang/web/Notices.tsx";

const root = document.getElementById("root");
// Not awaited while this module is read: the page shares its file with this one, and each would wait for the other.
if (root)
  void openFillPage().then(({ FillPage }) =>
    createRoot(root).render(
      <StrictMode>
        <FillPage token={location.pathname.split("/").at(-1) ?? ""} />
        <Notices />
      </StrictMode>,
    ),
  );
