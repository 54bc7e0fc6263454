import { onEachEngine } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { coreMigrations } from '../../database/core-migrations.ts'
import type { CoreTables } from '../../database/core-tables.ts'
import { createClaimStore } from '../claim/claim-turn.ts'
import { createTurnStore } from './turn-store.ts'

const actor = { did: 'did:key:z6Mk', via: 'ucan', scopes: [] } as const
const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }

await onEachEngine('a withdrawn turn', engine => {
  test('no longer counts in its session, nor for its user', async () => {
    const database = await engine.open({ url: await engine.emptyDatabase() })
    await database.migrate('core', coreMigrations)
    const storage = database.for<CoreTables>()
    const turns = createTurnStore(storage, () => 0)
    const counted = async () => [
      await storage.read.selectFrom('core_sessions').select(['id', 'bytes']).execute(),
      await storage.read.selectFrom('core_stored_bytes').select(['did', 'bytes']).execute(),
      await storage.read.selectFrom('core_stored_sums').select(['name', 'bytes']).orderBy('name').execute(),
    ]
    const begin = (id: string, sessionId: string) =>
      createClaimStore(storage).claim({
        ...{ id, sessionId, actor, channel: 'chat', admitted: true, model: 'm', processId: 'p', startedAt: 0 },
        answerId: `a-${id}`,
        text: 'How deep?',
        message: { id: `m-${id}`, parts: [{ type: 'text', text: 'How deep? 😀' }] },
      })
    const answer = { id: 'a-t1', parts: [{ type: 'text', text: '4 m' }], metadata: { sessionId: 's1', turnId: 't1' } }
    const facts = { owner: actor.did, usage, tools: {}, now: 0 }
    await begin('t1', 's1')
    const record = { ...facts, turnId: 't1', sessionId: 's1', answer }
    await turns.end({ ...record, status: 'done', hooksCalled: true })
    const before = await counted()
    await begin('t2', 's1')
    await turns.withdraw({ id: 't2', actor, sessionId: 's1' })
    expect(await counted()).toEqual(before)
    await begin('t3', 's2')
    await turns.withdraw({ id: 't3', actor, sessionId: 's2' })
    expect(await counted()).toEqual(before)
    await database.close()
  })
})
