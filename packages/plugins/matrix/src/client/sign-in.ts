import { createHash } from 'node:crypto'
import type { OracleError } from '@sibyl/plugin'
import { z } from 'zod'
import { matrixErrors } from './matrix-errors.ts'
import { matrixUserId, storableId } from './matrix-event.ts'
import type { MatrixHttp } from './matrix-http.ts'

/** Credentials of the bot. */
export interface Credentials {
  readonly userId: string | undefined
  readonly password: string | undefined
  readonly accessToken: string | undefined
}

const deviceId = storableId.max(255).optional().catch(undefined)
const whoami = z.object({ user_id: matrixUserId, device_id: deviceId })
const signedIn = z.object({
  user_id: matrixUserId,
  access_token: z.string().regex(/^[\x21-\x7e]{1,4000}$/),
  device_id: deviceId,
})

/**
 * The bot's sign-in at its homeserver. A configured token is used while the homeserver accepts it; then the password
 * creates new ones, always for the same device, so that devices do not accumulate. Tokens stay in memory.
 */
export class SignIn {
  readonly #http: MatrixHttp
  readonly #given: Credentials
  /** Source of the device's id: the oracle's DID. */
  readonly #seed: string
  readonly #onRenewed: () => void
  #token: string | undefined
  #userId: string | undefined
  #deviceId: string | undefined
  /** Device for sign-ins; undefined for the usual one. */
  #wanted: string | undefined
  #running: Promise<string> | undefined

  /** @param onRenewed Called after a rejected token was replaced. */
  constructor(http: MatrixHttp, given: Credentials, seed: string, onRenewed: () => void) {
    this.#http = http
    this.#given = given
    this.#seed = seed
    this.#onRenewed = onRenewed
  }

  /** Returns the bot's user id; empty if it is not known yet. */
  get userId(): string {
    return this.#userId ?? this.#given.userId ?? ''
  }

  /** Returns the device of the current token; undefined if it is not known. */
  get deviceId(): string | undefined {
    return this.#deviceId
  }

  /** Uses a device for the following sign-ins, because its keys are stored. */
  useDevice(id: string | undefined): void {
    this.#wanted = id
  }

  /**
   * Signs in as another device. The homeserver deletes the previous one, unless its token is configured.
   *
   * @throws `matrix_encryption_off` without a password
   */
  async changeDevice(id: string, signal?: AbortSignal): Promise<void> {
    const { accessToken } = this.#given
    const previous = this.#token
    this.#wanted = id
    await this.#once(() => this.#logIn(signal, matrixErrors.matrix_encryption_off()))
    if (previous === undefined || previous === accessToken) return
    await this.#http.request({ method: 'POST', path: '/v3/logout', body: {}, token: previous, signal }).catch(() => {})
  }

  /**
   * Returns whether requests can be sent without a new sign-in, which would invalidate the token of another process.
   */
  get hasToken(): boolean {
    return this.#token !== undefined || this.#given.accessToken !== undefined
  }

  /**
   * Returns the token, after signing in if necessary.
   *
   * @throws `matrix_not_set_up` with the variable to fix, and the errors of `MatrixHttp.request`
   */
  token(signal?: AbortSignal): Promise<string> {
    return this.#token === undefined ? this.#once(() => this.#begin(signal)) : Promise.resolve(this.#token)
  }

  /** Replaces a rejected token. @throws `matrix_token_refused` without a password */
  async renew(refused: string, signal?: AbortSignal): Promise<string> {
    if (this.#token !== undefined && this.#token !== refused) return this.#token
    return this.#once(async () => {
      const token = await this.#logIn(signal, matrixErrors.matrix_token_refused())
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
        signal,
      })
      const who = whoami.safeParse(answer)
      if (!who.success) {
        throw matrixErrors.matrix_unavailable({ what: 'returned a response that is not from Matrix' })
      }
      const isOther = this.#wanted !== undefined && who.data.device_id !== this.#wanted
      if (isOther && this.#given.password !== undefined) return this.#logIn(signal, undefined)
      return this.#signedIn(who.data.user_id, accessToken, who.data.device_id)
    } catch (error) {
      if (matrixErrors.matrix_token_refused.is(error)) return this.#logIn(signal, matrixErrors.matrix_token_not_taken())
      throw matrixErrors.matrix_refused.is(error) ? notMatrix(error) : error
    }
  }

  async #logIn(signal: AbortSignal | undefined, without: Error | undefined): Promise<string> {
    const { userId, password } = this.#given
    if (userId === undefined || password === undefined) throw without ?? nothingGiven(this.#given)
    const device = this.#wanted ?? usualDevice(this.#seed, userId)
    try {
      const answer = await this.#http.request({
        method: 'POST',
        path: '/v3/login',
        body: {
          type: 'm.login.password',
          identifier: { type: 'm.id.user', user: userId },
          password,
          device_id: device,
          initial_device_display_name: 'Sibyl oracle',
        },
        signal,
      })
      const made = signedIn.safeParse(answer)
      if (!made.success) {
        throw matrixErrors.matrix_unavailable({ what: 'returned a sign-in response that is not from Matrix' })
      }
      return this.#signedIn(made.data.user_id, made.data.access_token, made.data.device_id ?? device)
    } catch (error) {
      const isRefused = matrixErrors.matrix_refused.is(error)
      if (matrixErrors.matrix_token_refused.is(error) || (isRefused && error.facts.answerStatus === 403)) {
        throw matrixErrors.matrix_password_wrong()
      }
      throw isRefused ? notMatrix(error) : error
    }
  }

  #signedIn(userId: string, token: string, device: string | undefined): string {
    const { userId: expected } = this.#given
    if (expected !== undefined && expected !== userId) {
      throw matrixErrors.matrix_user_differs({ userId })
    }
    this.#userId = userId
    this.#deviceId = device
    this.#token = token
    return token
  }
}

/** Returns the same id for the same oracle and user, so that devices do not accumulate. */
const usualDevice = (seed: string, userId: string): string =>
  `SIBYL${createHash('sha256').update(`${seed}\n${userId}`).digest('hex').slice(0, 12).toUpperCase()}`

const nothingGiven = ({ userId, password }: Credentials): OracleError =>
  userId === undefined && password === undefined
    ? matrixErrors.matrix_credentials_missing()
    : matrixErrors.matrix_credential_missing({
        variable: userId === undefined ? 'MATRIX_ORACLE_ADMIN_USER_ID' : 'MATRIX_ORACLE_ADMIN_PASSWORD',
      })

/** Another server may respond until the homeserver has started, so it is retried. */
const notMatrix = (cause: OracleError): OracleError =>
  matrixErrors.matrix_unavailable({ what: `rejected the bot's sign-in (${cause.facts.reason})` }, { cause })
