import type { CoreRow, CoreTables } from '@sibyl/core/ports'
import { coreMigrations } from '@sibyl/core/testing'
import type { Storage } from '@sibyl/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { type ActivityKey, createPeopleList } from './people-list.ts'

const now = Date.parse('2026-11-23T10:00:00Z')

const session = (owner: string, id: number, updated_at: number): CoreRow<'core_sessions'> => ({
  owner,
  id: `s${id}`,
  title: 'secret title',
  loaded_plugins: '[]',
  approved_tools: '[]',
  first_turn: '',
  running_turn: null,
  bytes: 0,
  created_at: updated_at - 5,
  updated_at,
})

const add = async (storage: Pick<Storage<CoreTables>, 'write'>, rows: readonly CoreRow<'core_sessions'>[]) => {
  for (let from = 0; from < rows.length; from += 500) {
    const values = rows.slice(from, from + 500)
    await storage.write(tx => tx.insertInto('core_sessions').values(values).execute())
  }
}

/** Reads all pages. */
const readAll = async (storage: Pick<Storage<CoreTables>, 'read'>, limit: number) => {
  const list = createPeopleList(storage, () => now)
  const pages: (readonly string[])[] = []
  let after: ActivityKey | undefined
  do {
    const { dids, next } = await list.page(after, limit)
    pages.push(dids)
    after = next
  } while (after !== undefined)
  return pages
}

await onEachEngineWith<CoreTables>('core', coreMigrations)('the people of an oracle', engine => {
  test('are listed once each, the latest activity first', async () => {
    const storage = await engine.open()
    await add(storage, [
      session('did:a', 1, 100),
      session('did:a', 2, 400),
      session('did:a', 3, 400),
      session('did:b', 1, 300),
      session('did:c', 1, 300),
      session('did:d', 1, 200),
    ])
    expect(await readAll(storage, 2)).toEqual([
      ['did:a', 'did:c'],
      ['did:b', 'did:d'],
    ])
    expect(await readAll(storage, 10)).toEqual([['did:a', 'did:c', 'did:b', 'did:d']])
  })

  test('do not hide others by many sessions, and one page reads a limited number of rows', async () => {
    const storage = await engine.open()
    const busy = Array.from({ length: 6_000 }, (_, index) => session('did:busy', index, 10_000 + index))
    await add(storage, [...busy, session('did:quiet', 1, 1)])
    const pages = await readAll(storage, 5)
    expect(pages.flat()).toEqual(['did:busy', 'did:quiet'])
    expect(pages.length).toBe(2)
  })

  test('have numbers of their activity, usage and credentials', async () => {
    const storage = await engine.open()
    await add(storage, [session('did:a', 1, 100), session('did:a', 2, 400)])
    const key = { name: 'k', did: 'did:a', scopes: '[]', holder: 'did:a', origin: null, source: null, created_at: 1 }
    await storage.write(async tx => {
      const usage = [
        { day: '2026-11-23', owner: 'did:a', tokens: 7 },
        { day: '2026-11-20', owner: 'did:a', tokens: 5 },
        { day: '2026-11-23', owner: 'did:b', tokens: 3 },
      ]
      await tx.insertInto('core_token_usage').values(usage).execute()
      const keys = [
        { ...key, hash: '1', id: '1', expires_at: now + 1 },
        { ...key, hash: '2', id: '2', expires_at: now },
      ]
      await tx.insertInto('core_api_keys').values(keys).execute()
    })
    const list = createPeopleList(storage, () => now)
    expect(await list.activity(['did:b', 'did:a'])).toEqual([
      { did: 'did:b', firstActivityAt: undefined, lastActivityAt: undefined, sessions: 0, tokensToday: 3 },
      { did: 'did:a', firstActivityAt: 95, lastActivityAt: 400, sessions: 2, tokensToday: 7 },
    ])
    expect(await list.activity([])).toEqual([])
    expect(await list.numbers('did:a')).toEqual({
      tokens: [
        { day: '2026-11-23', tokens: 7 },
        { day: '2026-11-20', tokens: 5 },
      ],
      pendingApprovals: 0,
      apiKeys: 1,
      delegations: 0,
    })
  })
})
