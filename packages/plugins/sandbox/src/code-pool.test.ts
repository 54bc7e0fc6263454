import { testLimits } from '@sibyl/testing'
import { expect, test, vi } from 'vitest'
import { codeLine, createCodePool } from './code-pool.ts'

const threads = vi.hoisted(() => ({ left: 1 }))

vi.mock(import('node:worker_threads'), async original => {
  const actual = await original()
  class Worker extends actual.Worker {
    constructor(...given: ConstructorParameters<typeof actual.Worker>) {
      threads.left -= 1
      if (threads.left < 0) throw new Error('EAGAIN')
      super(...given)
    }
  }
  return { ...actual, Worker }
})

test('the result of a program is kept even if no thread is available for the next one', async () => {
  const pool = createCodePool(testLimits().line(codeLine))
  const run = () =>
    pool.run(
      { code: '6 * 7', files: [], timeLimitMs: 5_000 },
      { did: 'did:example:a', via: 'ucan' },
      AbortSignal.timeout(60_000),
    )
  expect(await run()).toMatchObject({ result: '42' })
  await expect(run()).rejects.toMatchObject({ code: 'worker_not_started', cause: new Error('EAGAIN') })
  threads.left = 1
  expect(await run()).toMatchObject({ result: '42' })
  await pool.close()
})
