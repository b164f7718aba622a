/** Ends the run with one line that people and scripts read. */
import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const broken = modules.filter((module) => module.state() === 'failed' && module.children.size === 0).length;
    const count = (state: string): number => states.filter((other) => other === state).length;
    for (const test of tests.filter((other) => other.diagnostic()?.flaky === true)) {
      console.log(`Passed only when tried again, which is a defect: ${test.fullName}`);
    }
    console.log(`${count('passed')} passed, ${count('failed') + broken} failed`);
  }
}
