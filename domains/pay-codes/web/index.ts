export { PayCodeBatch, PayCodeButton } from "./PayCodeButtons.tsx";
export { CashierCodeDrawer } from "./LazyDrawer.tsx";
export { SheetActs } from "./SheetActs.tsx";
export { printSheets, saveSheets, type Sheet } from "./sheets.ts";
export { fitted, HEIGHT, WIDTH, words } from "./poster.ts";
