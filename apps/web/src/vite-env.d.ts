/// <reference types="vite/client" />

declare module "virtual:tokens.css";
declare module "virtual:antd.css";

/** The release that this page was built as. */
declare const RELEASE: string;
