import type { PluginParts } from '@sibyl/plugin'
import { deleteInParts, updateInParts } from '@sibyl/plugin/storage'
import type { RoomMedia } from './client/room-media.ts'
import type { MatrixHost, MatrixStorage } from './store/matrix-tables.ts'

type PersonalRecords = NonNullable<PluginParts['personalRecords']>

/**
 * Creates the personal records of a user, by pairwise DID. Membership in rooms belongs to the homeserver, and stays.
 */
export const personalRecords = ({ storage }: Pick<MatrixHost, 'storage'>): PersonalRecords => ({
  async export(did) {
    const person = await personOf(storage, did)
    if (!person) return undefined
    const texts = await storage.read
      .selectFrom('matrix_room_messages')
      .select(['room_id', 'text', 'at'])
      .where('sender', '=', person.user_id)
      .orderBy('place')
      .execute()
    const waiting = await storage.read
      .selectFrom('matrix_inbox')
      .select(['room_id', 'body', 'media', 'at'])
      .where(eb => eb.and({ sender: person.user_id, state: 'waiting' }))
      .orderBy('place')
      .execute()
    const sealed = await storage.read
      .selectFrom('matrix_undecrypted')
      .select(['room_id', 'at'])
      .where('sender', '=', person.user_id)
      .orderBy('place')
      .execute()
    const asked = await storage.read
      .selectFrom('matrix_questions')
      .select(['room_id', 'text', 'at'])
      .where('user_id', '=', person.user_id)
      .orderBy('place')
      .execute()
    return {
      userId: person.user_id,
      since: new Date(person.since).toISOString(),
      groupMessages: texts.map(entryOf),
      waiting: waiting.map(({ body, media, ...rest }) => ({
        ...entryOf({ ...rest, text: body }),
        ...(media === '' ? {} : { file: (JSON.parse(media) as RoomMedia).filename }),
      })),
      undecrypted: sealed.map(({ room_id, at }) => ({ room: room_id, at: new Date(at).toISOString() })),
      openQuestions: asked.map(entryOf),
    }
  },
  async erase(did) {
    await eraseMost(storage, did)
    await storage.write(
      async tx => {
        const person = await tx.selectFrom('matrix_people').selectAll().where('did', '=', did).executeTakeFirst()
        await tx
          .updateTable('matrix_outbox')
          .set({ state: 'failed', text: '', did: '' })
          .where('did', '=', did)
          .execute()
        if (!person) return
        const { user_id } = person
        // A summary may contain data about the user in every room that they were in.
        await tx.deleteFrom('matrix_room_summaries').execute()
        await tx.deleteFrom('matrix_room_messages').where('sender', '=', user_id).execute()
        await tx
          .updateTable('matrix_inbox')
          .set({ state: 'done', body: '', media: '', sender: '' })
          .where('sender', '=', user_id)
          .execute()
        await tx.deleteFrom('matrix_undecrypted').where('sender', '=', user_id).execute()
        // Encrypted messages to rooms of the user may be to the user, and the keys to read them are stored.
        const rooms = tx.selectFrom('matrix_members').select('room_id').where('user_id', '=', user_id)
        await tx.deleteFrom('matrix_sealed').where('room_id', 'in', rooms).execute()
        await tx.deleteFrom('matrix_questions').where('user_id', '=', user_id).execute()
        await tx.deleteFrom('matrix_people').where('did', '=', did).execute()
      },
      { scrub: true },
    )
  },
})

/** Maximum number of rows of a table with which a user is erased in one write. */
const fewRows = 200

/** Erases large tables in batches. The row of the user comes last: after a crash, the next erasure continues. */
const eraseMost = async (storage: MatrixStorage, did: string): Promise<void> => {
  const inParts = { scrub: true, leave: fewRows }
  await updateInParts(storage, {
    table: 'matrix_outbox',
    key: ['place'],
    where: eb => eb('did', '=', did),
    set: { state: 'failed', text: '', did: '' },
    ...inParts,
  })
  const person = await personOf(storage, did)
  if (!person) return
  const { user_id } = person
  await deleteInParts(storage, {
    table: 'matrix_room_messages',
    key: ['place'],
    where: eb => eb('sender', '=', user_id),
    ...inParts,
  })
  await updateInParts(storage, {
    table: 'matrix_inbox',
    key: ['place'],
    where: eb => eb('sender', '=', user_id),
    set: { state: 'done', body: '', media: '', sender: '' },
    ...inParts,
  })
}

const entryOf = ({ room_id, text, at }: { readonly room_id: string; readonly text: string; readonly at: number }) => ({
  room: room_id,
  text,
  at: new Date(at).toISOString(),
})

const personOf = (storage: MatrixStorage, did: string) =>
  storage.read.selectFrom('matrix_people').selectAll().where('did', '=', did).executeTakeFirst()
