/** Ends the run with one line that people and scripts read. */
import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const broken = modules.filter((module) => module.state() === 'failed' && module.children.size === 0).length;
    const count = (state: string): number => states.filter((other) => other === state).length;
    console.log(`${count('passed')} passed, ${count('failed') + broken} failed`);
  }
}
