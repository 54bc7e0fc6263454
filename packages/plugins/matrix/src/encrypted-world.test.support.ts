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

/** Place of an encrypted event in its Megolm session. */
export interface RatchetPlace {
  readonly session: string
  readonly index: number
  readonly ciphertext: string
}

/** Reads the ratchet index of an event: version, then field 1 as a variable-length number. */
export const ratchetPlace = ({ content }: MatrixEvent): RatchetPlace => {
  const ciphertext = String(content.ciphertext)
  const bytes = Buffer.from(ciphertext, 'base64')
  if (bytes[0] !== 3 || bytes[1] !== 8) throw new Error('No Megolm message')
  let index = 0
  for (let place = 2, shift = 0; ; place += 1, shift += 7) {
    const byte = bytes[place] ?? 0
    index |= (byte & 127) << shift
    if (byte < 128) return { session: String(content.session_id), index, ciphertext }
  }
}

/** The encrypted events of a user, oldest first. */
export const ratchetPlaces = (events: readonly MatrixEvent[], sender: string): RatchetPlace[] =>
  events.filter(event => event.sender === sender && event.type === 'm.room.encrypted').map(ratchetPlace)
