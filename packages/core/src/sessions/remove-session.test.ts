import type { Storage } from '@sibyl/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { endedTurn } from '../testing/session-rows.ts'
import { createSessionStore } from './session-store.ts'

const ada = 'did:key:ada'

const turn = (session_id: string, number: number) => endedTurn(ada, session_id, `${session_id}-${number}`)

/** Creates a session with ended turns, each with events, a tool call, a question and an answer. */
const fill = async (storage: Storage<CoreTables>, id: string, turns: number) => {
  const numbers = Array.from({ length: turns }, (_, number) => number)
  await storage.write(async tx => {
    const session = { owner: ada, id, title: '', loaded_plugins: '[]', approved_tools: '[]', first_turn: `${id}-0` }
    await tx
      .insertInto('core_sessions')
      .values({ ...session, running_turn: null, bytes: 0, created_at: 1, updated_at: 1 })
      .execute()
    for (const number of numbers) {
      const turn_id = `${id}-${number}`
      await tx.insertInto('core_turns').values(turn(id, number)).execute()
      await tx.insertInto('core_turn_events').values({ turn_id, first_id: 1, body: 'said', created_at: 1 }).execute()
      const call = { turn_id, tool_call_id: 'c', tool: 'weather', input: '{}', state: 'done' as const, output: null }
      await tx
        .insertInto('core_tool_calls')
        .values({ idempotency_key: turn_id, ...call, created_at: 1 })
        .execute()
      const message = { owner: ada, session_id: id, parts: '[]', metadata: '{}', turn_id, created_at: 1 }
      for (const [place, role] of (['user', 'assistant'] as const).entries())
        await tx
          .insertInto('core_messages')
          .values({ ...message, id: `${turn_id}-${role}`, position: number * 2 + place, role })
          .execute()
    }
  })
}

const tables = ['core_sessions', 'core_turns', 'core_turn_events', 'core_tool_calls', 'core_messages'] as const

const counts = (storage: Storage<CoreTables>) =>
  Promise.all(
    tables.map(async table => {
      const { count } = await storage.read
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    }),
  )

await onEachEngineWith<CoreTables>('core', coreMigrations)('removing a long session', engine => {
  test('removes everything except the turn with pending hooks, in small writes, and no other session', async () => {
    const storage = await engine.open()
    await fill(storage, 'long', 260)
    await fill(storage, 'other', 3)
    await storage.write(tx =>
      tx.updateTable('core_turns').set({ hooks_called: 0 }).where('id', '=', 'long-7').execute(),
    )
    let writes = 0
    const write: typeof storage.write = (work, options) => {
      writes += 1
      return storage.write(work, options)
    }
    const sessions = createSessionStore({ engine: storage.engine, read: storage.read, write })
    expect(await sessions.remove(ada, 'long')).toBe(true)
    expect(writes).toBeGreaterThan(5)
    expect(await counts(storage)).toEqual([1, 4, 3, 3, 6])
    const owing = storage.read.selectFrom('core_turns').select(['text', 'removed']).where('session_id', '=', 'long')
    expect(await owing.execute()).toEqual([{ text: '', removed: 1 }])
    expect(await sessions.remove(ada, 'long')).toBe(false)
  })

  test('continues an interrupted removal', async () => {
    const storage = await engine.open()
    await fill(storage, 'long', 250)
    let writes = 0
    const write: typeof storage.write = async (work, options) => {
      writes += 1
      if (writes > 2) throw new Error('ended')
      return storage.write(work, options)
    }
    const ended = createSessionStore({ engine: storage.engine, read: storage.read, write })
    await expect(ended.remove(ada, 'long')).rejects.toThrow('ended')
    const sessions = createSessionStore(storage)
    expect(await sessions.find(ada, 'long')).toBeDefined()
    expect(await sessions.remove(ada, 'long')).toBe(true)
    expect(await counts(storage)).toEqual([0, 0, 0, 0, 0])
  })
})
