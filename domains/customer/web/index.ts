export { PageButton } from "./PageButton.tsx";
