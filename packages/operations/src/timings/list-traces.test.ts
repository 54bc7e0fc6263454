import type { CoreTables } from '@sibyl/core/ports'
import { coreMigrations } from '@sibyl/core/testing'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { listTraces } from './list-traces.ts'
import type { TimingKey } from './timings-of-session.ts'

await onEachEngineWith<CoreTables>('core', coreMigrations)('the traces of all users', engine => {
  test('a rare tool is found after a page without a match', async () => {
    const storage = await engine.open()
    const toolCall = (name: string) => ({ kind: 'tool', name, outcome: 'done', startMs: 0, durationMs: 1 })
    const rows = Array.from({ length: 2_010 }, (_, number) => ({
      ...{ turn_id: `turn_${number}`, owner: `did:key:${number % 7}`, session_id: 's1', started_at: number },
      ...{ channel: 'chat', model: 'm', duration_ms: 1, outcome: 'done' as const, code: null, cost: null },
      ...{ input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, first_part_ms: null, tool_calls: 1 },
      ...{ spans: JSON.stringify([toolCall(number < 3 ? 'rare' : 'usual')]), omitted_spans: 0 },
    }))
    for (let from = 0; from < rows.length; from += 500) {
      const values = rows.slice(from, from + 500)
      await storage.write(tx => tx.insertInto('core_turn_timings').values(values).execute())
    }
    const pages: (readonly string[])[] = []
    let behind: TimingKey | undefined
    do {
      const { traces, next } = await listTraces(storage, { tool: 'rare' }, { limit: 2, behind })
      pages.push(traces.map(({ timing }) => timing.turnId))
      behind = next
    } while (behind !== undefined)
    expect(pages).toEqual([[], ['turn_2', 'turn_1'], ['turn_0']])
  })
})
