import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Storage } from '@sibyl/storage'
import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { testProgram } from '@sibyl/testing/program'
import { expect, test } from 'vitest'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { retentionArchive } from '../maintenance/retention-archive.ts'
import { createHoldStore } from '../people/hold-store.ts'
import { addSession } from '../testing/session-rows.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { retainSessions } from './retain-sessions.ts'

const ada = 'did:key:ada'
const day = 86_400_000
const now = 400 * day
const run = { now, signal: new AbortController().signal, archive: undefined }
const program = await testProgram(new URL('../testing/retaining-process.ts', import.meta.url))

const tables = ['core_sessions', 'core_turns', 'core_tool_calls', 'core_messages', 'core_approvals'] as const

const sessionsOf = async ({ read }: Pick<Storage<CoreTables>, 'read'>) =>
  (await read.selectFrom('core_sessions').select('id').orderBy('id').execute()).map(({ id }) => id)

/** Reads the archive, checks the digest of each file, and returns its distinct lines by table. */
const readArchive = (folder: string) => {
  const lines = new Map<string, Set<string>>()
  for (const day of existsSync(folder) ? readdirSync(folder) : []) {
    for (const name of readdirSync(join(folder, day))) {
      const [, table, digest] = /^(\w+)-([0-9a-f]{64})\.ndjson$/.exec(name) ?? []
      if (table === undefined) continue
      const text = readFileSync(join(folder, day, name), 'utf8')
      expect(createHash('sha256').update(text).digest('hex')).toBe(digest)
      const known = lines.get(table) ?? new Set()
      for (const line of text.split('\n').filter(Boolean)) known.add(line)
      lines.set(table, known)
    }
  }
  return lines
}

const countRows = async ({ read }: Pick<Storage<CoreTables>, 'read'>) =>
  Promise.all(tables.map(async table => (await read.selectFrom(table).selectAll().execute()).length))

await onEachEngineWith<CoreTables>('core', coreMigrations)('the retention of conversations', engine => {
  test('deletes a conversation as a whole by its last activity, and none by default', async () => {
    const storage = await engine.open()
    await addSession(storage, { owner: ada, id: 'old', turns: 3 })
    await addSession(storage, { owner: ada, id: 'long', turns: 300 })
    await addSession(storage, { owner: ada, id: 'new', turns: 2, at: now - 29 * day })
    expect(await retainSessions(storage, undefined).apply(run)).toBe(0)
    expect(await retainSessions(storage, 30).apply(run)).toBe(2)
    expect(await sessionsOf(storage)).toEqual(['new'])
    expect(await countRows(storage)).toEqual([1, 2, 2, 4, 0])
  })

  test('keeps running turns, pending approvals, effects of unknown outcome, pending hooks and held people', async () => {
    const storage = await engine.open()
    for (const id of ['running', 'asks', 'unknown', 'owes', 'plain'])
      await addSession(storage, { owner: ada, id, turns: 1 })
    await addSession(storage, { owner: 'did:key:ben', id: 'held', turns: 1 })
    const holds = createHoldStore(storage)
    await holds.place({ did: 'did:key:ben', reason: 'a claim in court', held_by: 'did:key:op', held_at: 1 })
    await storage.write(async tx => {
      const of = (id: string) => `${ada}-${id}-0`
      await tx
        .updateTable('core_sessions')
        .set({ running_turn: of('running') })
        .where('id', '=', 'running')
        .execute()
      await tx.updateTable('core_tool_calls').set({ state: 'intended' }).where('turn_id', '=', of('unknown')).execute()
      await tx.updateTable('core_turns').set({ hooks_called: 0 }).where('id', '=', of('owes')).execute()
      const approval = { id: 'a', owner: ada, session_id: 'asks', turn_id: of('asks'), tool_call_id: 'c', tool: 'pay' }
      await tx
        .insertInto('core_approvals')
        .values({ ...approval, input: '{}', question: 'Pay?', state: 'open', created_at: 1 } as never)
        .execute()
    })
    expect(await retainSessions(storage, 30).apply(run)).toBe(1)
    expect(await sessionsOf(storage)).toEqual(['asks', 'held', 'owes', 'running', 'unknown'])
    await holds.release('did:key:ben', 'did:key:op', 2)
    expect(await retainSessions(storage, 30).apply(run)).toBe(1)
    expect(await sessionsOf(storage)).not.toContain('held')
  })

  test('keeps a conversation that is used again while it is deleted', async () => {
    const storage = await engine.open()
    await addSession(storage, { owner: ada, id: 'long', turns: 300 })
    const archive = async () => {
      await storage.write(tx => tx.updateTable('core_sessions').set({ updated_at: now }).execute())
    }
    expect(await retainSessions(storage, 30).apply({ ...run, archive })).toBe(0)
    expect(await countRows(storage)).toEqual([1, 300, 300, 600, 0])
  })

  test('archives every row before it is deleted, and deletes nothing if that fails', async () => {
    using folder = temporaryFolder()
    const storage = await engine.open()
    const archived = join(folder.path, 'archive')
    for (const owner of [ada, 'did:key:ben'])
      for (let index = 0; index < 60; index += 1) await addSession(storage, { owner, id: `s${index}`, turns: 6 })
    const before = await countRows(storage)
    const failing = async () => {
      throw new Error('disk full')
    }
    await expect(retainSessions(storage, 30).apply({ ...run, archive: failing })).rejects.toThrow('disk full')
    expect(await countRows(storage)).toEqual(before)
    const archive = retentionArchive(archived, () => now)
    expect(await retainSessions(storage, 30).apply({ ...run, archive })).toBe(120)
    const lines = readArchive(archived)
    expect(readdirSync(archived)).toEqual(['1971-02-05'])
    expect(tables.map(table => lines.get(table)?.size ?? 0)).toEqual(before)
    const messages = [...lines.get('core_messages')!].map(line => JSON.parse(line))
    const parts = '[{"type":"text","text":"said"}]'
    expect(messages).toContainEqual(expect.objectContaining({ owner: ada, session_id: 's0', id: '0-user', parts }))
  })

  test('loses no row when its process is killed between archive and deletion', { tags: 'long' }, async () => {
    using folder = temporaryFolder()
    const url = await engine.emptyDatabase()
    const archived = join(folder.path, 'archive')
    const first = await engine.open({ url })
    for (let index = 0; index < 250; index += 1) await addSession(first, { owner: ada, id: `s${index}`, turns: 4 })
    const all = await first.read.selectFrom('core_messages').select(['session_id', 'id']).execute()
    await first.close()
    for (const after of [1, 14]) {
      const child = spawn(process.execPath, ['--no-warnings', program, url, archived, `${after}`], { stdio: 'inherit' })
      const [, signal] = await once(child, 'exit')
      expect(signal).toBe('SIGKILL')
    }
    const storage = await engine.open({ url })
    const stored = await storage.read.selectFrom('core_messages').select(['session_id', 'id']).execute()
    expect(stored.length).toBeLessThan(all.length)
    const named = new Set(stored.map(row => `${row.session_id} ${row.id}`))
    for (const line of readArchive(archived).get('core_messages') ?? []) {
      const row = JSON.parse(line)
      named.add(`${row.session_id} ${row.id}`)
    }
    expect(named.size).toBe(all.length)
    await retainSessions(storage, 30).apply({ ...run, archive: retentionArchive(archived, () => now) })
    expect(readArchive(archived).get('core_messages')?.size).toBe(all.length)
    expect(await countRows(storage)).toEqual([0, 0, 0, 0, 0])
  })
})
