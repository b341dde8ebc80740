export { PayCodeBatch, PayCodeButton } from "./PayCodeButtons.tsx";
export { CashierCodeDrawer } from "./LazyDrawer.tsx";
