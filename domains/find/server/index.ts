import { domain } from "@zhangfang/server/calls/domain.ts";
import { findRoute } from "./find.ts";

export { byName, type Finder, type Found, type Hit, mayBeName, type Sought } from "./finder.ts";

export const find = domain({ routes: [findRoute] });
