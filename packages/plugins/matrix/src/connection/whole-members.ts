import type { MatrixClient } from '../client/matrix-client.ts'
import type { JoinedRoom, SyncBatch } from '../client/read-sync.ts'
import { MatrixAnswerTooLong, MatrixRefused } from '../matrix-errors.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'

/** After how many failures in a row a room whose members cannot be read is left: it must not hold all others up. */
const mostFailures = 5

/** Reads who is in rooms of which a poll told a part alone, because all of it was too long. */
export class WholeMembers {
  readonly #client: Pick<MatrixClient, 'members'>
  readonly #log: MatrixHost['log']
  #failures = 0

  constructor(client: Pick<MatrixClient, 'members'>, log: MatrixHost['log']) {
    this.#client = client
    this.#log = log
  }

  /**
   * The batch with the members of each room of which it does not tell them.
   *
   * @param isKnown Whether the bot was in a room before, and its members are kept.
   * @throws what the homeserver fails with
   */
  async fill(
    batch: SyncBatch,
    isKnown: (roomId: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<readonly JoinedRoom[]> {
    if (!batch.isPartial) return batch.joined
    const filled: JoinedRoom[] = []
    for (const room of batch.joined) {
      const isTold = room.gapBefore === undefined && (await isKnown(room.roomId))
      filled.push(isTold ? room : { ...room, members: await this.#read(room.roomId, signal) })
    }
    return filled
  }

  async #read(roomId: string, signal: AbortSignal): Promise<NonNullable<JoinedRoom['members']>> {
    try {
      const members = await this.#client.members(roomId, signal)
      this.#failures = 0
      return members
    } catch (error) {
      this.#failures += 1
      const isForGood = error instanceof MatrixAnswerTooLong || error instanceof MatrixRefused
      if (signal.aborted || (!isForGood && this.#failures < mostFailures)) throw error
      this.#failures = 0
      this.#log.warn('a Matrix room is left: it cannot be read who is in it', { error })
      return 'unreadable'
    }
  }
}
