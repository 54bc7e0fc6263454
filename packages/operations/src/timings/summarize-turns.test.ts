import type { CoreTables } from '@sibyl/core/ports'
import { coreMigrations, insertTiming, retainTimings } from '@sibyl/core/testing'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { summarizeTurns } from './summarize-turns.ts'
import { timingsOfSession } from './timings-of-session.ts'

const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2 }
const ada = 'did:key:ada'

await onEachEngineWith<CoreTables>('core', coreMigrations)('timings', engine => {
  test('are listed in pages, summarized in buckets, and forgotten by age', async () => {
    const storage = await engine.open()
    const add = (number: number, { model = 'm', failed = false } = {}) =>
      storage.write(tx =>
        insertTiming(
          tx,
          {
            turnId: `turn_${number}`,
            owner: ada,
            sessionId: 's1',
            status: failed ? 'failed' : 'done',
            ...(failed ? { code: 'model_down' } : {}),
            usage,
          },
          {
            channel: 'chat',
            model,
            startedAt: number * 1_000,
            durationMs: number,
            cost: 500_000n,
            firstPartMs: failed ? undefined : number / 10,
            toolCalls: 0,
            spans: [],
            omittedSpans: 0,
          },
        ),
      )
    for (let number = 0; number < 120; number += 1) await add(number, { failed: number % 10 === 0 })
    await add(200, { model: 'n' })
    const first = await timingsOfSession(storage, ada, 's1', { limit: 2 })
    const second = await timingsOfSession(storage, ada, 's1', { limit: 2, behind: first[1]?.key })
    expect([...first, ...second].map(({ timing }) => timing.turnId)).toEqual([
      'turn_200',
      'turn_119',
      'turn_118',
      'turn_117',
    ])
    const summary = await summarizeTurns(storage, { from: 0, to: 120_000, bucketSeconds: 60 })
    expect(summary.totals).toMatchObject({ turns: 120, errors: 12, cost: 60, durationMs: { p50: 59, p95: 113 } })
    expect(summary.buckets.map(({ at, turns }) => [at, turns])).toEqual([
      ['1970-01-01T00:00:00.000Z', 60],
      ['1970-01-01T00:01:00.000Z', 60],
    ])
    expect(summary.errors).toEqual([{ code: 'model_down', turns: 12 }])
    expect(summary.models.map(({ model }) => model)).toEqual(['m'])
    const ofModel = await summarizeTurns(storage, { from: 0, to: 300_000, model: 'n' })
    expect([ofModel.totals.turns, ofModel.totals.usage]).toEqual([1, usage])
    await retainTimings(storage, 0).apply({
      now: 119_000,
      signal: new AbortController().signal,
      archive: undefined,
    })
    expect((await timingsOfSession(storage, ada, 's1', { limit: 10 })).length).toBe(2)
  })
})
