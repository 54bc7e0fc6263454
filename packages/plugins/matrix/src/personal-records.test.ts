import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { personChannels } from './matrix.ts'
import { matrixRetention } from './matrix-retention.ts'
import { personalRecords } from './personal-records.ts'
import type { MatrixHost, MatrixStorage, MatrixTables } from './store/matrix-tables.ts'
import { matrixMigrations } from './store/matrix-tables.ts'

const did = 'did:key:ada'

/** What somebody wrote in a room, what waits to be answered, and notices to them. */
const fill = async (storage: MatrixStorage, sender: string, to: string, count: number) => {
  await storage.write(async tx => {
    for (let number = 0; number < count; number += 1) {
      const content = { event_id: `${sender} ${number}`, room_id: '!r', sender }
      await tx
        .insertInto('matrix_inbox')
        .values({ ...content, thread: null, body: 'hi', state: 'done', tries: 0, at: 1 })
        .execute()
      await tx
        .insertInto('matrix_room_messages')
        .values({ ...content, name: '', text: 'hi', at: 1 })
        .execute()
      await tx
        .insertInto('matrix_undecrypted')
        .values({ ...content, content: '{"ciphertext":"x"}', sent_at: 1, at: 1 })
        .execute()
      await tx
        .insertInto('matrix_outbox')
        .values({ id: `${to} ${number}`, room_id: '!r', text: 'hi', did: to, state: 'failed', at: 1 })
        .execute()
    }
  })
}

const texts = async (storage: MatrixStorage) => {
  const inbox = await storage.read.selectFrom('matrix_inbox').select(['sender', 'body']).execute()
  const messages = await storage.read.selectFrom('matrix_room_messages').select(['sender', 'text']).execute()
  const outbox = await storage.read.selectFrom('matrix_outbox').select(['did', 'text']).execute()
  return { inbox, messages, outbox }
}

await onEachEngineWith<MatrixTables>('matrix', matrixMigrations)('what the plugin keeps', engine => {
  test('of a person who wrote much is erased, and what others wrote stays', async () => {
    const storage: MatrixStorage = await engine.open()
    await storage.write(tx => tx.insertInto('matrix_people').values({ did, user_id: '@ada', since: 1 }).execute())
    await fill(storage, '@ada', did, 450)
    await fill(storage, '@ben', 'did:key:ben', 3)
    await storage.write(async tx => {
      for (const room of ['!r', '!other']) {
        await tx.insertInto('matrix_sealed').values({ id: room, room_id: room, content: '{}', at: 1 }).execute()
      }
      const member = { room_id: '!r', user_id: '@ada', stands: 'joined' as const, name: null }
      await tx.insertInto('matrix_members').values(member).execute()
    })
    const identity = { did: 'did:key:oracle', pairwiseDid: () => did } as unknown as MatrixHost['identity']
    const channels = personChannels({ storage, identity })
    expect(await channels.of([did, 'did:key:ben'])).toEqual(new Map([[did, ['@ad•••']]]))
    expect(await channels.find('@ada:example.org')).toEqual([did])
    for (const unknown of ['ada', '@ada', '']) expect(await channels.find(unknown)).toEqual([])
    await personalRecords({ storage }).erase(did)
    expect(await channels.find('@ada:example.org')).toEqual([])
    const undecrypted = await storage.read.selectFrom('matrix_undecrypted').select('sender').execute()
    expect(undecrypted.map(({ sender }) => sender)).toEqual(['@ben', '@ben', '@ben'])
    expect(await storage.read.selectFrom('matrix_sealed').select('id').execute()).toEqual([{ id: '!other' }])
    const { inbox, messages, outbox } = await texts(storage)
    expect(JSON.stringify([inbox, messages, outbox])).not.toMatch(/@ada|key:ada/)
    expect(messages).toHaveLength(3)
    expect(inbox.filter(({ body }) => body === 'hi')).toHaveLength(3)
    expect(outbox.filter(({ text }) => text === 'hi')).toHaveLength(3)
    expect(await personalRecords({ storage }).export(did)).toBeUndefined()
  })

  test('of long ago goes every day, and what still waits stays', async () => {
    const storage = await engine.open()
    await fill(storage, '@ada', did, 450)
    const waiting = { event_id: 'waits', room_id: '!r', sender: '@ada', thread: null, body: 'hi', tries: 0, at: 1 }
    await storage.write(tx =>
      tx
        .insertInto('matrix_inbox')
        .values({ ...waiting, state: 'waiting' })
        .execute(),
    )
    const run = { now: 60 * 86_400_000, signal: new AbortController().signal, archive: undefined }
    for (const rule of matrixRetention({ storage })) await rule.apply(run)
    const { inbox, messages, outbox } = await texts(storage)
    expect([inbox.length, messages.length, outbox.length]).toEqual([1, 0, 0])
  })
})
