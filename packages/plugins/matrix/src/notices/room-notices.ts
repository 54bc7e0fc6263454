import { visibleText } from '@sibyl/plugin'
import type { PersonNotices } from '@sibyl/protocol'
import { matrixFailures } from '../matrix-errors.ts'

import type { MatrixHost } from '../store/matrix-tables.ts'
import { putIntoOutbox } from './outbox-store.ts'
import { shownName, type WritableRooms } from './writable-rooms.ts'

/** The most characters of a message. */
export const mostMessage = 20_000
/** The most messages that may wait to be sent. */
const mostWaiting = 5_000

/** What notices rest on. */
export interface RoomNoticesParts {
  readonly host: Pick<MatrixHost, 'storage' | 'clock'>
  readonly rooms: WritableRooms
  /** Told when there is something to send. */
  readonly onQueued: () => void
}

/** Notices in Matrix rooms, for other plugins and the agent's own tool. */
export const roomNotices = ({ host, rooms, onQueued }: RoomNoticesParts): PersonNotices => ({
  async addressOf({ did, to }) {
    const room = await rooms.find(did, to)
    return { to: room.roomId, shown: shownName(room) }
  },
  async send({ did, to, text, idempotencyKey }) {
    const body = text.replaceAll('\0', '').toWellFormed().trim()
    if (body.length > mostMessage || visibleText(body).trim() === '')
      throw matrixFailures.matrix_text_invalid({ most: mostMessage })
    const { roomId } = await rooms.find(did, to)
    await host.storage.write(async tx => {
      const { waiting } = await tx
        .selectFrom('matrix_outbox')
        .select(({ fn }) => fn.countAll<number>().as('waiting'))
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow()
      if (Number(waiting) >= mostWaiting) throw matrixFailures.matrix_outbox_full()
      await putIntoOutbox(tx, {
        key: `notice ${did} ${idempotencyKey}`,
        roomId,
        text: body,
        did,
        now: host.clock.now(),
      })
    })
    onQueued()
  },
})
