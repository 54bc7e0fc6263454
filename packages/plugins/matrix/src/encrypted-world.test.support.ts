import { type RatchetPlace, ratchetPlace } from './encryption/ratchet-place.ts'
import { type RoomWorld, roomWorld } from './room-world.test.support.ts'
import type { MatrixEvent } from './testing/index.test.support.ts'
import { SecondUser } from './testing/second-user.test.support.ts'

/** A homeserver, an oracle, and somebody whose client encrypts. */
export interface EncryptedWorld extends RoomWorld {
  readonly ben: SecondUser
}

/** Boots an oracle, and signs in somebody with matrix-js-sdk and its encryption. */
export const encryptedWorld = async (options: Parameters<typeof roomWorld>[0] = {}): Promise<EncryptedWorld> => {
  const world = await roomWorld(options)
  await world.oracle.app.ready
  const ben = await SecondUser.start(world.homeserver.url, 'ben', { encrypts: true })
  return {
    ...world,
    ben,
    async [Symbol.asyncDispose]() {
      ben[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

/** The encrypted events of a user, oldest first. */
export const ratchetPlaces = (events: readonly MatrixEvent[], sender: string): RatchetPlace[] =>
  events
    .filter(event => event.sender === sender && event.type === 'm.room.encrypted')
    .map(event => ratchetPlace(event)!)
