import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import type { MatrixStorage, MatrixTables } from '../store/matrix-tables.ts'
import { matrixMigrations } from '../store/matrix-tables.ts'
import { createInbox } from './inbox.ts'

const onEachEngine = onEachEngineWith<MatrixTables>('matrix', matrixMigrations)

await onEachEngine('the inbox', engine => {
  test('a room that becomes due during a read is answered now, or scheduled: it is never missed', async () => {
    const storage: MatrixStorage = await engine.open()
    let now = 1_000
    const inbox = createInbox({ storage, clock: { now: () => now++ } })
    await storage.write(tx =>
      tx
        .insertInto('matrix_inbox')
        .values({
          ...{ event_id: '$1', room_id: '!r', sender: '@ada', thread: null, body: 'hi' },
          ...{ state: 'waiting', tries: 1, at: 1, retry_at: 1_001 },
        })
        .execute(),
    )
    expect(await inbox.check()).toEqual({ lanes: [], nextRetry: 1_001 })
    expect(await inbox.check()).toEqual({
      lanes: [{ roomId: '!r', sender: '@ada', isLeft: true }],
      nextRetry: undefined,
    })
  })
})
