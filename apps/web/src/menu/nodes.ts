/** A menu node as the server sends it: flat with parentId, or nested with children. */
export interface MenuNode {
  readonly id: number | string;
  readonly parentId?: number | string | null;
  readonly name: string;
  readonly path?: string | null;
  readonly type: string;
  /** JSON text, or the object itself. */
  readonly para?: unknown;
  readonly children?: readonly MenuNode[] | null;
}
/** What a node's para may hold (spec.md section 2); whether a tab stays or is cached stands there too. */
export interface Para {
  readonly icon?: string;
  readonly title?: string;
  readonly redirect?: string;
  readonly roles?: readonly string[];
  /** The name of the screen. */
  readonly component?: string;
  /** The address of an external page. */
  readonly html?: string;
  readonly affix?: boolean;
  readonly noCache?: boolean;
}
export interface Node {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly type: "menu" | "page" | "button";
  readonly para: Para;
  readonly children: readonly Node[];
}

/** The para of a node; text that is no JSON is no para. */
export function readPara(given: unknown): Para {
  if (typeof given !== "string") return given !== null && typeof given === "object" ? (given as Para) : {};
  try {
    const read: unknown = JSON.parse(given);
    return read !== null && typeof read === "object" ? (read as Para) : {};
  } catch {
    return {};
  }
}

/** The nodes as a tree, in the order they came. A node whose parent is not among them stands at the top. */
export function treeOf(given: readonly MenuNode[]): Node[] {
  const flat: MenuNode[] = [];
  const collect = (nodes: readonly MenuNode[], parentId?: MenuNode["id"]): void => {
    for (const node of nodes) {
      flat.push(parentId === undefined ? node : { ...node, parentId });
      if (node.children) collect(node.children, node.id);
    }
  };
  collect(given);
  const ids = new Set(flat.map((node) => String(node.id)));
  const build = (node: MenuNode): Node => ({
    id: Number(node.id),
    name: node.name,
    path: node.path ?? "",
    type: node.type === "page" || node.type === "button" ? node.type : "menu",
    para: readPara(node.para),
    children: flat.filter((child) => String(child.parentId) === String(node.id) && child !== node).map(build),
  });
  return flat.filter((node) => !ids.has(String(node.parentId))).map(build);
}

/** Whether somebody with these roles may see a node; a node that names no roles is open. */
export const openTo = (para: Para, roles: readonly string[]): boolean =>
  !para.roles || para.roles.length === 0 || para.roles.some((role) => roles.includes(role));
