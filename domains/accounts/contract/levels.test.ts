import { expect, test } from "vitest";
import { accountLevel, levelCreates, levelOfAuthorities, levelParents } from "./levels.ts";

const HIGHEST_FIRST = [
  ["ROLE_ADMIN", "ADMIN"],
  ["ROLE_ServiceProvider", "SP"],
  ["ROLE_Agent", "AG"],
  ["ROLE_BusinessGroup", "GP"],
  ["ROLE_BusinessTeam", "TM"],
  ["ROLE_Merchants", "MCH"],
  ["ROLE_Area", "AE"],
] as const;

test("of several roles the highest is the level, in whatever order they come: ADMIN, SP, AG, GP, TM, MCH, AE (spec 6)", () => {
  for (const [at, [role, level]] of HIGHEST_FIRST.entries()) {
    const lower = HIGHEST_FIRST.slice(at).map(([name]) => name);
    expect(levelOfAuthorities([role])).toBe(level);
    expect(levelOfAuthorities(lower), role).toBe(level);
    expect(levelOfAuthorities(lower.toReversed()), role).toBe(level);
  }
  expect(levelOfAuthorities(["ROLE_Employee"])).toBe("AE");
  expect(levelOfAuthorities(["ROLE_USER"])).toBeUndefined();
});

test("the platform owns providers, a provider merchants, a merchant what stands at its stores; nobody makes accounts above or beside", () => {
  expect(levelCreates.ADMIN).toEqual(["SP"]);
  expect(levelCreates.SP).toContain("MCH");
  expect(levelCreates.SP).toContain("AG");
  expect(levelCreates.MCH).toEqual(["AE"]);
  for (const level of accountLevel.values)
    for (const made of levelCreates[level]) expect(levelParents[made], `${level} makes ${made}`).toContain(level);
});
