export { ConfigScreen } from "./ConfigScreen.tsx";
export { ConfigTree, type TreeRow } from "./ConfigTree.tsx";
