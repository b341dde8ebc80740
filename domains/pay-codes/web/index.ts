export { PayCodeBatch, PayCodeButton } from "./PayCodeButtons.tsx";
