import type { codeRunner, ServiceOf } from '@sibyl/protocol'
import { testLimits } from '@sibyl/testing'
import { codeLine, createCodePool } from './code-pool.ts'
import type { CodeFile, CodeOutcome } from './code-run.ts'
import { createEmbeddedRunner } from './embedded-runner.ts'

/** The embedded sandbox for a test file. */
export interface TestSandbox {
  readonly runner: ServiceOf<typeof codeRunner>
  run(code: string, files?: readonly CodeFile[]): Promise<CodeOutcome>
  close(): Promise<void>
}

/** Starts one. @param timeLimitMs Of each program. */
export const startSandbox = (timeLimitMs = 30_000): TestSandbox => {
  const pool = createCodePool(testLimits().line({ ...codeLine, waiting: 100, waitMs: 60_000 }))
  const runner = createEmbeddedRunner(pool, timeLimitMs)
  let count = 0
  return {
    runner,
    run: (code, files = []) => {
      count += 1
      const signal = new AbortController().signal
      return runner.run({
        language: 'javascript',
        code,
        files,
        actor: { did: `did:example:${count}`, via: 'ucan' },
        signal,
      })
    },
    close: () => pool.close(),
  }
}
