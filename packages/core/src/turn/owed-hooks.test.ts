import type { TurnHooks } from '@sibyl/plugin'
import { readStream, type StreamedEvent, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

/** Creates a plugin whose `after` hook fails this many times, and records each turn that it succeeded with. */
const charging = (name: string, failures: number) => {
  const charged: string[] = []
  let left = failures
  const after: TurnHooks['after'] = async (turn, { outcome, usage }) => {
    if (left-- > 0) throw new Error('the database is away')
    charged.push(`${turn.id} ${turn.text} ${outcome} ${usage.outputTokens > 0}`)
  }
  return { plugin: officePlugin({ turn: { after } }, name), charged }
}

const turnOf = (event: StreamedEvent | undefined) => String(event?.eventId).split(':')[0]

test('a failed hook is retried until it succeeds, and the others are not', async () => {
  const [ledger, steady] = [charging('ledger', 1), charging('steady', 0)]
  await using oracle = await testApp({ plugins: [ledger.plugin, steady.plugin], model: scriptedModel(['hello']) })
  const { last } = await oracle.chat('hi', { session: 's1' })
  const reported = [`${turnOf(last)} hi done true`]
  await expect.poll(() => ledger.charged, { timeout: 80_000 }).toEqual(reported)
  expect(steady.charged).toEqual(reported)
})

test('hooks run for a turn whose session is deleted meanwhile, and none of its messages remain', async () => {
  const ledger = charging('ledger', 1)
  const kept: unknown[] = []
  const reading = officePlugin({}, 'reading')
  const rows = Promise.withResolvers<() => Promise<object[]>>()
  const watching = {
    ...reading,
    setup: ({ storage }: Parameters<typeof reading.setup>[0]) => {
      const read = storage.read as never as {
        selectFrom(table: string): { selectAll(): { execute(): Promise<object[]> } }
      }
      rows.resolve(() => read.selectFrom('core_turns').selectAll().execute())
      return {}
    },
  }
  await using oracle = await testApp({ plugins: [ledger.plugin, watching], model: scriptedModel(['hello']) })
  const stream = await readStream(
    await oracle.actor.request('/chat', {
      json: { id: 's1', message: { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'a secret' }] } },
    }),
  )
  expect((await oracle.actor.request('/sessions/s1', { method: 'DELETE' })).status).toBe(204)
  const turns = await rows.promise
  kept.push(...(await turns()))
  expect(JSON.stringify(kept)).not.toContain('secret')
  const headers = { 'last-event-id': String(stream.last?.eventId) }
  expect((await oracle.actor.request('/chat/s1/stream', { headers })).status).toBe(204)
  await expect.poll(() => ledger.charged, { timeout: 80_000 }).toEqual([`${turnOf(stream.last)}  done true`])
  await expect.poll(turns).toEqual([])
})
