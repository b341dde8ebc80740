export { addCashier } from "./add-cashier.ts";
export { addStore } from "./add-store.ts";
