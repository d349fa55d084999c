import { writeFileSync } from 'node:fs'
import type { Reporter, TestCase } from 'vitest/node'

export const flakyPath = 'test-results/flaky.json'

export default class FlakyReporter implements Reporter {
  private readonly names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    writeFileSync(flakyPath, JSON.stringify(this.names))
  }
}
