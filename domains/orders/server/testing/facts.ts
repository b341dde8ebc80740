import { asked } from "../../../../apps/server/testing/matrix/facts.ts";
import type { HttpWorld } from "../../../../apps/server/testing/world.ts";
import { type HandoverFact, type OrderFact, orderFacts, type RefundFact } from "./live-a-day.ts";

export const orders = (world: HttpWorld): readonly OrderFact[] => world.of(orderFacts).orders;
export const paid = (world: HttpWorld) => orders(world).filter((order) => order.tillNo.endsWith("paid") && asked(order));
export const open = (world: HttpWorld) => orders(world).filter((order) => order.tillNo.endsWith("open") && asked(order));
export const refunds = (world: HttpWorld): readonly RefundFact[] => world.of(orderFacts).refunds;
/** A refund on its way of each store. */
export const onTheirWay = (world: HttpWorld) => refunds(world).filter((refund) => refund.status === 1 && asked(refund));
export const inState = (status: number) => (world: HttpWorld) => refunds(world).filter((refund) => refund.status === status);
export const handovers = (world: HttpWorld): readonly HandoverFact[] => world.of(orderFacts).handovers;
