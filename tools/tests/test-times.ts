// For vitest: writes down how long each test file took, its setting up included, for the lines that `npm test` ends with.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { ROOT } from "../run.ts";
import { TIMES } from "./show-cost.ts";

export default class TestTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
      const whole_ms = collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration;
      return [relative(ROOT, module.moduleId), Math.round(whole_ms)] as const;
    });
    mkdirSync(dirname(TIMES), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(Object.fromEntries(times)));
  }
}
