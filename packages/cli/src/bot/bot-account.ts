import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import type { Homeserver, MatrixReply } from './homeserver.ts'

/** Credentials of the messaging bot, stored in `.env` as `MATRIX_ORACLE_ADMIN_*`. */
export const botCredentials = z.strictObject({
  baseUrl: z.string(),
  /** `@field-oracle:matrix.example.org` */
  userId: z.string(),
  password: z.string(),
  accessToken: z.string(),
  /** The Matrix room that stores the account data of the bot. */
  accountRoomId: z.string(),
})

export type BotCredentials = Readonly<z.infer<typeof botCredentials>>

/** `@field-oracle:matrix.example.org`; at most 255 bytes, as the specification requires. */
export const matrixUserId = z
  .string()
  .max(255)
  .regex(/^@[^:\s\p{Cc}]+:[A-Za-z0-9.:[\]-]+$/u)

/** `!opaque:matrix.example.org` */
export const matrixRoomId = z
  .string()
  .max(255)
  .regex(/^![^\s\p{Cc}]+$/u)

/** Opaque, but valid in a header. */
const matrixAccessToken = z.string().regex(/^[\x21-\x7e]{1,4000}$/)

export const serverNameOf = (userId: string): string => userId.slice(userId.indexOf(':') + 1)

export const localpartOf = (userId: string): string => userId.slice(1, userId.indexOf(':'))

export type BotAccount = Pick<BotCredentials, 'userId' | 'password' | 'accessToken'>

const signedIn = z.object({ user_id: matrixUserId, access_token: matrixAccessToken })

const deviceName = 'Sibyl oracle'

/** Signs in with a user's password. Throws `bot_refused`, `homeserver_unavailable`. */
export const logIn = async (
  homeserver: Homeserver,
  { userId, password }: { readonly userId: string; readonly password: string },
): Promise<BotAccount> => {
  const reply = await homeserver.request({
    method: 'POST',
    path: '/v3/login',
    body: {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: userId },
      password,
      initial_device_display_name: deviceName,
    },
  })
  if (reply.status === 403) {
    const message = `The homeserver ${homeserver.url} rejected the user or the password of the bot.`
    throw cliErrors.bot_refused(message, 'Check MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.')
  }
  const { user_id, access_token } = homeserver.read(reply, signedIn, 'to sign in')
  return { userId: user_id, password, accessToken: access_token }
}

/** Ends an access token; an invalid one is not an error. */
export const logOut = async (homeserver: Homeserver, accessToken: string): Promise<void> => {
  await homeserver.request({ method: 'POST', path: '/v3/logout', body: {}, accessToken })
}

/** Steps of a registration that need no user. */
const challenge = z.object({
  flows: z.array(z.object({ stages: z.array(z.string().max(200)).max(20) })).max(50),
  completed: z.array(z.string().max(200)).max(20).optional(),
  session: z.string().max(1_000).optional(),
})

/** The number of names that are tried: `field-oracle`, `field-oracle-2`, … */
const maxNames = 9
/** The maximum number of responses of a registration. */
const maxSteps = 6

/**
 * Registers a new user; a number is appended to a name in use.
 *
 * @param name The local part of the user ID.
 * @param registrationToken For homeservers that require one (`m.login.registration_token`).
 * @throws `bot_refused`, `homeserver_unavailable`
 */
export const registerUser = async (
  homeserver: Homeserver,
  { name, registrationToken }: { readonly name: string; readonly registrationToken?: string | undefined },
): Promise<BotAccount> => {
  for (let number = 1; number <= maxNames; number += 1) {
    const username = number === 1 ? name : `${name}-${number}`
    const password = randomBytes(24).toString('base64url')
    const reply = await register(
      homeserver,
      { username, password, initial_device_display_name: deviceName },
      registrationToken,
    )
    if (reply.errcode === 'M_USER_IN_USE' || reply.errcode === 'M_EXCLUSIVE') continue
    const { user_id, access_token } = homeserver.read(reply, signedIn, `to register ${username}`)
    return { userId: user_id, password, accessToken: access_token }
  }
  const message = `The user names ${name} to ${name}-${maxNames} are in use at ${homeserver.url}.`
  throw cliErrors.bot_refused(message, `Choose another name for the oracle, or ${givenAccount}`)
}

const register = async (
  homeserver: Homeserver,
  user: Readonly<Record<string, string>>,
  registrationToken: string | undefined,
): Promise<MatrixReply> => {
  let auth: Readonly<Record<string, unknown>> | undefined
  for (let step = 0; step < maxSteps; step += 1) {
    const body = auth === undefined ? user : { ...user, auth }
    const reply = await homeserver.request({ method: 'POST', path: '/v3/register?kind=user', body })
    if (reply.status === 403 || reply.status === 404) throw closed(homeserver)
    if (reply.status !== 401) return reply
    const asked = challenge.safeParse(reply.body).data
    if (!asked) throw closed(homeserver)
    if (reply.errcode !== undefined && auth?.type === tokenStage) throw tokenRefused(homeserver)
    auth = nextStep(homeserver, asked, registrationToken)
  }
  throw cliErrors.bot_refused(`The homeserver ${homeserver.url} requires too many registration steps.`, byHand)
}

const tokenStage = 'm.login.registration_token'

const nextStep = (
  homeserver: Homeserver,
  { flows, completed = [], session }: z.output<typeof challenge>,
  registrationToken: string | undefined,
): Readonly<Record<string, unknown>> => {
  const can = new Set(['m.login.dummy', ...(registrationToken === undefined ? [] : [tokenStage])])
  const open = flows.map(({ stages }) => stages.filter(stage => !completed.includes(stage)))
  const type = open.find(stages => stages.every(stage => can.has(stage)))?.[0]
  if (type !== undefined) return { type, session, ...(type === tokenStage ? { token: registrationToken } : {}) }
  if (open.some(stages => stages.every(stage => stage === tokenStage || can.has(stage)))) {
    const message = `The homeserver ${homeserver.url} requires a registration token.`
    throw cliErrors.bot_refused(
      message,
      `Set MATRIX_REGISTRATION_TOKEN to a token from its administrator, or ${givenAccount}`,
    )
  }
  throw cliErrors.bot_refused(
    `The homeserver ${homeserver.url} does not register bots: it requires more than a password.`,
    byHand,
  )
}

const givenAccount = 'set MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD to an existing user for the bot.'
const byHand = `Register a user for the bot by hand, then ${givenAccount}`

const closed = ({ url }: Homeserver): CommandError =>
  cliErrors.bot_refused(`The homeserver ${url} registers nobody.`, byHand)

const tokenRefused = ({ url }: Homeserver): CommandError =>
  cliErrors.bot_refused(`The homeserver ${url} rejected the registration token.`, 'Check MATRIX_REGISTRATION_TOKEN.')
