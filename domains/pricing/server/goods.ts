import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Where } from "./customers.ts";
import type { Line } from "./rules/facts.ts";

/** Who knows goods: one domain, above this one. */
export interface GoodsDoor {
  /**
   * Lines as the shop knows them: of goods that it sells its tags, its 不参与优惠, its member price and tax hold, and the till's name stays;
   * others come back as they are. One query.
   */
  know(tx: Transaction, services: Services, where: Where, lines: readonly Line[]): Promise<readonly Line[]>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows goods. */
    readonly goods?: GoodsDoor;
  }
}
/** Lines as the shop knows them. A line without a number of goods is nobody's. */
export async function knownLines(tx: Transaction, services: Services, where: Where, lines: readonly Line[]): Promise<readonly Line[]> {
  const [door] = tiedTo(services).flatMap(({ goods }) => goods ?? []);
  return door && lines.some(({ goods_no }) => goods_no !== undefined) ? door.know(tx, services, where, lines) : lines;
}
