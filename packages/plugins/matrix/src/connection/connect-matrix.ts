import type { personNotices, ServiceOf } from '@sibyl/protocol'
import { Answers } from '../answers/answers.ts'
import { Conversations, LoopGuard, shortHash } from '../answers/conversations.ts'
import { createInbox } from '../answers/inbox.ts'
import { textContent } from '../answers/message-content.ts'
import { MatrixClient } from '../client/matrix-client.ts'
import { MatrixHttp } from '../client/matrix-http.ts'
import { SignIn } from '../client/sign-in.ts'
import { RoomEncryption } from '../encryption/room-encryption.ts'
import { createRoomMemory, type RoomMemory } from '../memory/room-memory.ts'
import { Outbox } from '../notices/outbox.ts'
import { createWritableRooms, roomNotices, type WritableRooms } from '../notices/room-notices.ts'
import { createRoomMembership } from '../rooms/room-membership.ts'
import { Lease } from '../store/lease.ts'
import type { MatrixHost } from '../store/matrix-tables.ts'
import { MatrixConnection } from './matrix-connection.ts'
import { createSyncReader } from './sync-reader.ts'

/** Parts of the plugin for its tools and services. */
export interface MatrixParts {
  readonly connection: MatrixConnection
  readonly memory: RoomMemory
  readonly rooms: WritableRooms
  readonly notices: ServiceOf<typeof personNotices.matrix>
  readonly conversations: Conversations
}

/** Creates the parts of the plugin. Nothing is sent before `connection.start`. */
export const connectMatrix = (host: MatrixHost): MatrixParts => {
  const { env, storage, clock, limits, log } = host
  const http = new MatrixHttp(env.MATRIX_BASE_URL ?? '')
  const credentials = {
    userId: env.MATRIX_ORACLE_ADMIN_USER_ID,
    password: env.MATRIX_ORACLE_ADMIN_PASSWORD,
    accessToken: env.MATRIX_ORACLE_ADMIN_ACCESS_TOKEN,
  }
  const signIn = new SignIn(http, credentials, host.identity.publicDid, () => {
    log.info('the homeserver revoked the access token of Matrix; the bot signed in again')
    encryption.signedInAgain()
  })
  const lease = new Lease(host)
  const client: MatrixClient = new MatrixClient(http, signIn, {
    seal: (...message) => encryption.seal(...message),
    sent: (...message) => encryption.sent(...message),
  })
  const encryption = new RoomEncryption({ host, client, signIn, lease })
  const botId = () => signIn.userId
  const inbox = createInbox(host)
  const memory = createRoomMemory(host, botId)
  const outbox = new Outbox(host, client, botId)
  const membership = createRoomMembership(host, client)
  const conversations = new Conversations()
  const guard = new LoopGuard()
  const rooms = createWritableRooms(host, client, botId)
  const notices = roomNotices(host, rooms, () => outbox.kick())
  let answers: Answers | undefined
  let compacting: Promise<unknown> = Promise.resolve()

  /** Reports in a room, once a minute, that too many messages are waiting there. */
  const reportOverflow = async (roomId: string): Promise<void> => {
    const { allowed } = await limits.take({ name: 'matrix-told', key: shortHash(roomId), perMinute: 1 })
    if (!allowed) return
    const body =
      'Too many messages are waiting for me here. I will answer the first ones. Please send the others again later.'
    await client.send(roomId, `sibyl-full-${crypto.randomUUID()}`, textContent({ body }, { thread: null }, 'm.notice'))
  }

  const reader = createSyncReader({
    host,
    client,
    signIn,
    encryption,
    lease,
    storage,
    env,
    now: () => clock.now(),
    onQueued: () => outbox.kick(),
    onTaken(_batch, { overflowing, spokenIn }) {
      membership.kick(connection.signal)
      answers?.kick()
      outbox.kick()
      for (const roomId of overflowing) {
        reportOverflow(roomId).catch((error: unknown) =>
          log.debug('a room was not notified that too many messages are waiting', { error }),
        )
      }
      for (const roomId of spokenIn) {
        compacting = compacting.then(() => memory.compact(roomId, connection.signal))
      }
    },
  })

  const work = async (signal: AbortSignal): Promise<void> => {
    const own = new Answers({ host, client, inbox, conversations, guard, botId }, signal)
    answers = own
    own.kick()
    membership.kick(signal)
    await outbox.run(signal)
    await Promise.all([own.idle(), membership.idle()])
  }

  const connection = new MatrixConnection({ host, signIn, encryption, lease, reader, work })
  return { connection, memory, rooms, notices, conversations }
}
