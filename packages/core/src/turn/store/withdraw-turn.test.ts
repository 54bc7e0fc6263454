import { sql } from '@sibyl/storage'
import { onEachEngine, type TestEngine } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { coreMigrations } from '../../database/core-migrations.ts'
import type { CoreTables } from '../../database/core-tables.ts'
import { storedTurnBytes } from '../../database/stored-bytes-tables.ts'
import { createClaimStore } from '../claim/claim-turn.ts'
import { createTurnStore } from './turn-store.ts'

const actor = { did: 'did:key:z6Mk', via: 'ucan', scopes: [] } as const
const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

const setUp = async (engine: TestEngine) => {
  const database = await engine.open({ url: await engine.emptyDatabase() })
  await database.migrate('core', coreMigrations)
  const storage = database.for<CoreTables>()
  const turns = createTurnStore(storage, () => 0)
  const { ownId: processId } = storage.processes
  const begin = (id: string, sessionId: string) =>
    createClaimStore(storage).claim({
      ...{ id, sessionId, actor, channel: 'chat', admitted: true, model: 'm', processId, startedAt: 0 },
      answerId: `a-${id}`,
      text: 'How deep?',
      message: { id: `m-${id}`, parts: [{ type: 'text', text: 'How deep? 😀' }] },
    })
  const record = (id: string, text: string) => ({
    ...{ turnId: id, owner: actor.did, sessionId: 's1', usage, tools: {}, mayContinue: false, now: 0 },
    answer: { id: `a-${id}`, parts: [{ type: 'text', text }], metadata: { sessionId: 's1', turnId: id } },
    hasReader: false,
  })
  const counted = async () => [
    await storage.read.selectFrom('core_sessions').select(['id', 'bytes']).execute(),
    await storage.read.selectFrom('core_stored_bytes').select(['did', 'bytes']).execute(),
    await storage.read
      .selectFrom('core_stored_sums')
      .select(['name', 'bytes'])
      .where('bytes', '!=', 0)
      .orderBy('name')
      .execute(),
  ]
  const sum = async (table: 'core_messages' | 'core_turn_events' | 'core_turns', bytes: string) => {
    const rows = await storage.read
      .selectFrom(table)
      .select(sql.raw<number>(`sum(${bytes})`).as('sum'))
      .execute()
    return Number(rows[0]?.sum ?? 0)
  }
  const stored = async () =>
    (await sum('core_messages', "octet_length(parts) + case role when 'user' then 0 else octet_length(metadata) end")) +
    (await sum('core_turn_events', 'octet_length(body)')) +
    (await sum('core_turns', `octet_length(text) + ${storedTurnBytes}`))
  return { turns, begin, record, counted, stored, processId, [Symbol.asyncDispose]: () => database.close() }
}

await onEachEngine('the bytes of a turn', engine => {
  test('no longer count in its session, nor for its user, once it is withdrawn', async () => {
    await using store = await setUp(engine)
    const { turns, begin, record, counted } = store
    await begin('t1', 's1')
    expect(await turns.end({ ...record('t1', '4 m'), status: 'done', hooksCalled: true })).toBe(true)
    const before = await counted()
    await begin('t2', 's1')
    await turns.withdraw({ id: 't2', actor, sessionId: 's1' })
    expect(await counted()).toEqual(before)
    await begin('t3', 's2')
    await turns.withdraw({ id: 't3', actor, sessionId: 's2' })
    expect(await counted()).toEqual(before)
    await begin('t4', 's1')
    await turns.progress({ ...record('t4', 'Deep'), events: { firstId: 1, body: '{}' } })
    await turns.withdraw({ id: 't4', actor, sessionId: 's1' })
    expect(await counted()).toEqual(before)
  })

  test('are exact at its end, also when another process took it over, or ended it', async () => {
    await using store = await setUp(engine)
    const { turns, begin, record, counted, stored, processId } = store
    const exact = async () => {
      const bytes = await stored()
      expect(await counted()).toMatchObject([[{ bytes }], [{ bytes }], [{ bytes }, { bytes }]])
    }
    await begin('t1', 's1')
    await exact()
    await turns.progress({ ...record('t1', 'Some 4 m, or'), events: { firstId: 1, body: '{"n":1}\n{"n":2}' } })
    const turn = { id: 't1', owner: actor.did, sessionId: 's1', answerId: 'a-t1', processId }
    const checkpoint = { steps: 1, parts: 1, event: 1, calls: false, resumptions: 1, tries: 1 }
    const taken = { silentForMs: undefined, repeatsStep: true, now: 0 }
    const kept = { events: [{ id: 1, json: '{"n":1}' }], parts: [{ type: 'text', text: 'Some' }], usage, tools: {} }
    expect(await turns.takeOver({ ...kept, turn, checkpoint, ...taken })).toBe(true)
    const more = { ...record('t1', 'Some 4 m'), mayContinue: true, events: { firstId: 2, body: '{"n":2}' } }
    await turns.progress(more)
    await turns.end({ ...more, events: { firstId: 3, body: '{"n":3}' }, status: 'done', hooksCalled: true })
    await exact()
    await begin('t2', 's1')
    await turns.progress({ ...record('t2', 'Dee'), events: { firstId: 1, body: '{}' } })
    const left = { mayContinue: true, left: { silentForMs: undefined } }
    await turns.end({ ...record('t2', 'Deep'), ...left, status: 'interrupted', hooksCalled: true })
    await exact()
    // A turn that continues the answer of an earlier one, after a question.
    await begin('t3', 's1')
    const continued = { ...record('t3', 'Deep, you say'), answer: record('t2', 'Deep, you say').answer }
    await turns.progress({ ...continued, mayContinue: true })
    await turns.end({ ...continued, mayContinue: true, status: 'done', hooksCalled: true })
    await exact()
  })
})
