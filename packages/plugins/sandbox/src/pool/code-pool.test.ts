import { testLimits } from '@sibyl/core/testing'
import { expect, test } from 'vitest'
import { startCodeWorker } from '../start-code-worker.ts'
import { codeLine, createCodePool } from './code-pool.ts'

test('what a program came to is kept also when the computer has no thread for the next one', async () => {
  let left = 1
  const pool = createCodePool(testLimits().line(codeLine), () => {
    left -= 1
    if (left < 0) throw new Error('EAGAIN')
    return startCodeWorker()
  })
  const run = () =>
    pool.run(
      { code: '6 * 7', files: [], timeLimitMs: 5_000 },
      { did: 'did:example:a', via: 'ucan' },
      AbortSignal.timeout(60_000),
    )
  expect(await run()).toMatchObject({ result: '42' })
  await expect(run()).rejects.toThrow('EAGAIN')
  left = 1
  expect(await run()).toMatchObject({ result: '42' })
  await pool.close()
})
