import { createHash } from 'node:crypto'
import { z } from 'zod'
import { MatrixNotSetUp, MatrixRefused, MatrixTokenRefused, MatrixUnavailable } from '../matrix-errors.ts'
import { matrixUserId } from './matrix-event.ts'
import type { MatrixHttp } from './matrix-http.ts'

/** What the bot signs in with. */
export interface Credentials {
  readonly userId: string | undefined
  readonly password: string | undefined
  readonly accessToken: string | undefined
}

const whoami = z.object({ user_id: matrixUserId })
const signedIn = z.object({ user_id: matrixUserId, access_token: z.string().regex(/^[\x21-\x7e]{1,4000}$/) })

/**
 * Who the bot is at its homeserver. A given token is good as long as the homeserver takes it; then the password makes a new
 * one, always for the same device, so that devices do not pile up. Tokens stay in memory.
 */
export class SignIn {
  readonly #http: MatrixHttp
  readonly #given: Credentials
  /** What makes the device's id: the oracle's DID. */
  readonly #seed: string
  readonly #onRenewed: () => void
  #token: string | undefined
  #userId: string | undefined
  #running: Promise<string> | undefined

  /** @param onRenewed Told when a token that the homeserver refused was replaced. */
  constructor(http: MatrixHttp, given: Credentials, seed: string, onRenewed: () => void) {
    this.#http = http
    this.#given = given
    this.#seed = seed
    this.#onRenewed = onRenewed
  }

  /** The bot's user id; empty where it is not known yet. */
  get userId(): string {
    return this.#userId ?? this.#given.userId ?? ''
  }

  /** Whether requests may be sent without a new sign-in, which would end the token of another process. */
  get hasToken(): boolean {
    return this.#token !== undefined || this.#given.accessToken !== undefined
  }

  /**
   * The token, after signing in where that was not done.
   *
   * @throws MatrixNotSetUp with the variable to fix, and as `MatrixHttp.request` does
   */
  token(signal?: AbortSignal): Promise<string> {
    return this.#token === undefined ? this.#once(() => this.#begin(signal)) : Promise.resolve(this.#token)
  }

  /** A token in the place of one that the homeserver refuses. @throws MatrixTokenRefused where there is no password */
  async renew(refused: string, signal?: AbortSignal): Promise<string> {
    if (this.#token !== undefined && this.#token !== refused) return this.#token
    return this.#once(async () => {
      const token = await this.#logIn(signal, new MatrixTokenRefused())
      this.#onRenewed()
      return token
    })
  }

  #once(work: () => Promise<string>): Promise<string> {
    this.#running ??= work().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #begin(signal: AbortSignal | undefined): Promise<string> {
    const { accessToken } = this.#given
    if (accessToken === undefined) return this.#logIn(signal, undefined)
    try {
      const answer = await this.#http.request({
        method: 'GET',
        path: '/v3/account/whoami',
        token: accessToken,
        ...(signal ? { signal } : {}),
      })
      const who = whoami.safeParse(answer)
      if (!who.success) throw new MatrixUnavailable('answers with something that is not Matrix')
      return this.#signedIn(who.data.user_id, accessToken)
    } catch (error) {
      if (error instanceof MatrixTokenRefused) return this.#logIn(signal, notTaken())
      throw error instanceof MatrixRefused ? notMatrix(error) : error
    }
  }

  async #logIn(signal: AbortSignal | undefined, without: Error | undefined): Promise<string> {
    const { userId, password } = this.#given
    if (userId === undefined || password === undefined) throw without ?? nothingGiven(this.#given)
    try {
      const answer = await this.#http.request({
        method: 'POST',
        path: '/v3/login',
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: userId },
          password,
          device_id: `SIBYL${createHash('sha256').update(`${this.#seed}\n${userId}`).digest('hex').slice(0, 12).toUpperCase()}`,
          initial_device_display_name: 'Sibyl oracle',
        },
        ...(signal ? { signal } : {}),
      })
      const made = signedIn.safeParse(answer)
      if (!made.success) throw new MatrixUnavailable('answers a sign-in with something that is not Matrix')
      return this.#signedIn(made.data.user_id, made.data.access_token)
    } catch (error) {
      if (error instanceof MatrixTokenRefused) throw wrongPassword()
      if (error instanceof MatrixRefused) throw error.answerStatus === 403 ? wrongPassword() : notMatrix(error)
      throw error
    }
  }

  #signedIn(userId: string, token: string): string {
    const { userId: expected } = this.#given
    if (expected !== undefined && expected !== userId) {
      throw new MatrixNotSetUp(
        `The bot is signed in as ${userId}, not as MATRIX_ORACLE_ADMIN_USER_ID says. Set it and MATRIX_ORACLE_ADMIN_ACCESS_TOKEN to the same user.`,
      )
    }
    this.#userId = userId
    this.#token = token
    return token
  }
}

const nothingGiven = ({ userId, password }: Credentials): MatrixNotSetUp =>
  new MatrixNotSetUp(
    userId === undefined && password === undefined
      ? 'The bot has nothing to sign in with. Set MATRIX_ORACLE_ADMIN_ACCESS_TOKEN, or MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.'
      : `The bot has no ${userId === undefined ? 'MATRIX_ORACLE_ADMIN_USER_ID' : 'MATRIX_ORACLE_ADMIN_PASSWORD'}. Set it, or MATRIX_ORACLE_ADMIN_ACCESS_TOKEN.`,
  )

const notTaken = (): MatrixNotSetUp =>
  new MatrixNotSetUp(
    'The homeserver does not take MATRIX_ORACLE_ADMIN_ACCESS_TOKEN. Sign the bot in anew and set it, or set MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.',
  )

const wrongPassword = (): MatrixNotSetUp =>
  new MatrixNotSetUp(
    'The homeserver does not let the bot in. Look at MATRIX_ORACLE_ADMIN_USER_ID and MATRIX_ORACLE_ADMIN_PASSWORD.',
  )

/** Another server may answer there only until the homeserver has started: it is tried again. */
const notMatrix = (error: MatrixRefused): MatrixUnavailable =>
  new MatrixUnavailable(`does not let the bot sign in (${error.errcode ?? `status ${error.answerStatus}`})`, {
    cause: error,
  })
