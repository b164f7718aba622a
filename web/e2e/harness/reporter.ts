/** Ends the run with what a person needs to look into failures, and one line that scripts read. */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const states = tests.map((test) => test.result().state);
    const broken = modules.filter((module) => module.state() === 'failed' && module.children.size === 0).length;
    const count = (state: string): number => states.filter((other) => other === state).length;
    for (const test of tests) {
      tellTries(test);
    }
    console.log(`${count('passed')} passed, ${count('failed') + broken} failed`);
  }
}

/** Tells why each try failed, and where its pictures and words are. */
function tellTries(test: TestCase): void {
  const tries = test.meta().failedTries ?? [];
  if (test.diagnostic()?.flaky === true) {
    console.log(`Passed only when tried again, which is a defect: ${test.fullName}`);
  } else if (tries.length > 0) {
    console.log(`Failed: ${test.fullName}`);
  }
  for (const [n, { errors, files }] of tries.entries()) {
    console.log([`  Try ${n + 1}: ${errors.map((text) => text.split('\n', 1)[0]).join('; ')}`, ...files.map((file) => `    ${file}`)].join('\n'));
  }
}
