import { createElement, lazy, type ReactNode, Suspense } from "react";
import { registerTray } from "@zhangfang/web/slots.ts";

const Inbox = lazy(() =>
  import("./Inbox.tsx").then(
    (loaded) => ({ default: loaded.Inbox }),
    () => ({ default: () => null }),
  ),
);
/** The bell of the top bar, loaded after the page around it, which must not wait for it, nor break where it does not come. */
const LazyInbox = (): ReactNode => createElement(Suspense, { fallback: null }, createElement(Inbox));

export const screens = {};
registerTray(LazyInbox);
