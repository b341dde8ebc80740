import "virtual:tokens.css";
import "@zhangfang/web/styles/base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { error, warning } from "@zhangfang/web/notify.ts";
import { endSession, rememberReturn } from "@zhangfang/web/api/session.ts";
import { ofTab } from "@zhangfang/web/window/storage.ts";
import { App } from "./App.tsx";
import { LOGGED_OUT, recordLoad, WARNING } from "./session/refresh-throttle.ts";

const frequency = recordLoad(ofTab, Date.now());
if (frequency === "logout") {
  rememberReturn(location.hash);
  endSession();
  location.hash = "#/login";
  error(LOGGED_OUT, 5000);
} else if (frequency !== "fine") warning(WARNING);

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
