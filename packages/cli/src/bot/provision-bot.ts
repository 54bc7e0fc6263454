import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import { slugOf } from '../output/format.ts'
import type { CommandIo } from '../process/command-io.ts'
import { openAccountRoom } from './account-room.ts'
import { type BotAccount, type BotCredentials, logIn, logOut, registerUser } from './bot-account.ts'
import { Homeserver } from './homeserver.ts'
import { homeserverUrl } from './homeserver-url.ts'

export interface BotRequest {
  readonly baseUrl: string
  /** The bot's display name; its user is named after it. */
  readonly oracleName: string
  /** A user that there is, which is signed in in place of registering one. */
  readonly account?: { readonly userId: string; readonly password: string } | undefined
  /** An access token of that user from before, which ends here. */
  readonly earlierAccessToken?: string | undefined
  readonly registrationToken?: string | undefined
  /** Is told a new user at once, so that a run that stops after this can go on with it. */
  readonly onRegistered?: (account: { readonly userId: string; readonly password: string }) => Promise<void> | void
  readonly signal?: AbortSignal | undefined
}

/** How long a token that nobody keeps may take to be ended. */
const partingMilliseconds = 2_000

const versions = z.object({ versions: z.array(z.string().max(100)).min(1).max(1_000) })

/**
 * Makes a messaging bot ready: registers a Matrix user, or signs in as one, gives it the oracle's name, and finds or makes
 * its account room. Called again with the same user it ends with the same room and another access token.
 *
 * @throws `homeserver_unavailable`, `bot_refused`, `usage_invalid`
 * (`usage_invalid`) for what is no address of a homeserver, or the signal's reason
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
    // Nobody would keep this token; the signal may be aborted already.
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
  const answer = await homeserver.request({ method: 'PUT', path, accessToken, body: { displayname: name } })
  homeserver.read(answer, z.unknown(), "to set the name of the bot")
}

/** What the environment says of a bot that there is already, or of how to register one. */
type GivenBotAccount = Pick<BotRequest, 'account' | 'earlierAccessToken' | 'registrationToken'>

/**
 * Reads MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD, MATRIX_ORACLE_ADMIN_ACCESS_TOKEN and
 * MATRIX_REGISTRATION_TOKEN.
 *
 * @throws `usage_invalid` when there is one of user and password alone
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
