import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { type BotAccount, localpartOf, matrixRoomId, matrixUserId, serverNameOf } from './bot-account.ts'
import type { Homeserver } from './homeserver.ts'

const room = z.object({ room_id: matrixRoomId })
const state = z.array(z.object({ type: z.string(), sender: matrixUserId })).max(10_000)

/** The number of aliases that are tried: `#field-oracle-account`, `#field-oracle-account-2`, … */
const maxAliases = 9

/**
 * Finds the room with the account data of a bot by its alias, or creates it. A room that another user created is not
 * used.
 *
 * @param oracleName For the name of the room.
 * @throws `bot_refused`, `homeserver_unavailable`
 */
export const openAccountRoom = async (
  homeserver: Homeserver,
  account: BotAccount,
  oracleName: string,
): Promise<string> => {
  const { accessToken } = account
  for (let number = 1; number <= maxAliases; number += 1) {
    const alias = `${localpartOf(account.userId)}-account${number === 1 ? '' : `-${number}`}`
    const found = await findRoom(homeserver, account, alias)
    if (found !== undefined && (await isOwn(homeserver, account, found))) return found
    if (found !== undefined) continue
    const reply = await homeserver.request({
      method: 'POST',
      path: '/v3/createRoom',
      accessToken,
      body: {
        name: `${oracleName} account`,
        topic: 'Account data of this oracle.',
        preset: 'private_chat',
        visibility: 'private',
        room_alias_name: alias,
        creation_content: { 'm.federate': false },
      },
    })
    if (reply.errcode !== 'M_ROOM_IN_USE') return homeserver.read(reply, room, 'to create a room').room_id
  }
  const message = `All room aliases for the bot's account at ${homeserver.url} are already in use.`
  throw cliErrors.bot_refused(message, 'Contact the administrator of the homeserver.')
}

const findRoom = async (homeserver: Homeserver, { userId, accessToken }: BotAccount, alias: string) => {
  const path = `/v3/directory/room/${encodeURIComponent(`#${alias}:${serverNameOf(userId)}`)}`
  const reply = await homeserver.request({ method: 'GET', path, accessToken })
  return reply.status === 404 ? undefined : homeserver.read(reply, room, 'to find a room').room_id
}

/** Returns whether the bot created a room. */
const isOwn = async (homeserver: Homeserver, { userId, accessToken }: BotAccount, roomId: string): Promise<boolean> => {
  const path = `/v3/rooms/${encodeURIComponent(roomId)}/state`
  const reply = await homeserver.request({ method: 'GET', path, accessToken })
  if (reply.status === 403 || reply.status === 404) return false
  const events = homeserver.read(reply, state, 'to read a room')
  return events.find(({ type }) => type === 'm.room.create')?.sender === userId
}
