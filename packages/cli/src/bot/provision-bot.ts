import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { slugOf } from '../output/format.ts'
import type { CommandIo } from '../process/command-io.ts'
import {
  type BotAccount,
  type BotCredentials,
  localpartOf,
  logIn,
  logOut,
  matrixRoomId,
  matrixUserId,
  registerUser,
  serverNameOf,
} from './bot-account.ts'
import { Homeserver } from './homeserver.ts'
import { homeserverUrl } from './homeserver-url.ts'

export interface BotRequest {
  readonly baseUrl: string
  /** The display name of the bot; its user name is derived from it. */
  readonly oracleName: string
  /** An existing user, to sign in instead of registering one. */
  readonly account?: { readonly userId: string; readonly password: string } | undefined
  /** A previous access token of that user, which is ended. */
  readonly earlierAccessToken?: string | undefined
  readonly registrationToken?: string | undefined
  /** Called with a new user at once, so that an interrupted run can continue with it. */
  readonly onRegistered?: (account: { readonly userId: string; readonly password: string }) => Promise<void> | void
  readonly signal?: AbortSignal | undefined
}

/** The timeout for ending an unused token. */
const partingMilliseconds = 2_000

const versions = z.object({ versions: z.array(z.string().max(100)).min(1).max(1_000) })

/**
 * Provisions a messaging bot: registers a Matrix user or signs in, sets its display name, and finds or creates its
 * account room. A repeated call for the same user returns the same room and a new access token.
 *
 * @throws `homeserver_unavailable`, `bot_refused`, `usage_invalid` for an invalid address, or the reason of the signal
 */
export const provisionBot = async (request: BotRequest): Promise<BotCredentials> => {
  const { oracleName, account: given, earlierAccessToken, registrationToken, onRegistered, signal } = request
  const homeserver = new Homeserver(homeserverUrl(request.baseUrl), signal)
  await assertHomeserver(homeserver)
  const account = given
    ? await logIn(homeserver, given)
    : await registerUser(homeserver, { name: slugOf(oracleName), registrationToken })
  const { userId, password, accessToken } = account
  if (!given) await onRegistered?.({ userId, password })
  try {
    await setDisplayName(homeserver, account, oracleName)
    const accountRoomId = await openAccountRoom(homeserver, account, oracleName)
    if (earlierAccessToken && earlierAccessToken !== accessToken) await logOut(homeserver, earlierAccessToken)
    return { baseUrl: homeserver.url, userId, password, accessToken, accountRoomId }
  } catch (error) {
    // This token would be orphaned; the signal may be aborted already.
    const parting = new Homeserver(homeserver.url, AbortSignal.timeout(partingMilliseconds))
    await logOut(parting, accessToken).catch(() => {})
    throw error
  }
}

const assertHomeserver = async (homeserver: Homeserver): Promise<void> => {
  const { status, body } = await homeserver.request({ method: 'GET', path: '/versions' })
  if (status === 200 && versions.safeParse(body).success) return
  const message = `The server at ${homeserver.url} is not a Matrix homeserver.`
  throw cliErrors.homeserver_unavailable(message, 'Set MATRIX_BASE_URL to the address that Matrix clients use.')
}

const setDisplayName = async (homeserver: Homeserver, { userId, accessToken }: BotAccount, name: string) => {
  const path = `/v3/profile/${encodeURIComponent(userId)}/displayname`
  const reply = await homeserver.request({ method: 'PUT', path, accessToken, body: { displayname: name } })
  homeserver.read(reply, z.unknown(), 'to set the name of the bot')
}

/** An existing bot account, or the registration token, from the environment. */
type GivenBotAccount = Pick<BotRequest, 'account' | 'earlierAccessToken' | 'registrationToken'>

/**
 * Reads MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, MATRIX_ORACLE_ADMIN_ACCESS_TOKEN and
 * MATRIX_REGISTRATION_TOKEN.
 *
 * @throws `usage_invalid` when only one of user and password is set
 */
export const givenBotAccount = ({ env }: Pick<CommandIo, 'env'>): GivenBotAccount => {
  const registrationToken = env.MATRIX_REGISTRATION_TOKEN || undefined
  const userId = env.MATRIX_ORACLE_ADMIN_USER_ID || undefined
  const password = env.MATRIX_ORACLE_ADMIN_PASSWORD || undefined
  if (userId === undefined && password === undefined) return { registrationToken }
  if (userId !== undefined && password !== undefined) {
    const earlierAccessToken = env.MATRIX_ORACLE_ADMIN_ACCESS_TOKEN || undefined
    return { account: { userId, password }, earlierAccessToken, registrationToken }
  }
  const missing = userId === undefined ? 'MATRIX_ORACLE_ADMIN_USER_ID' : 'MATRIX_ORACLE_ADMIN_PASSWORD'
  throw cliErrors.usage_invalid(
    `${missing} of the messaging bot is not set.`,
    'Set both, or neither; with neither, a user is registered.',
  )
}

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
const openAccountRoom = async (homeserver: Homeserver, account: BotAccount, oracleName: string): Promise<string> => {
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

const isOwn = async (homeserver: Homeserver, { userId, accessToken }: BotAccount, roomId: string): Promise<boolean> => {
  const path = `/v3/rooms/${encodeURIComponent(roomId)}/state`
  const reply = await homeserver.request({ method: 'GET', path, accessToken })
  if (reply.status === 403 || reply.status === 404) return false
  const events = homeserver.read(reply, state, 'to read a room')
  return events.find(({ type }) => type === 'm.room.create')?.sender === userId
}
