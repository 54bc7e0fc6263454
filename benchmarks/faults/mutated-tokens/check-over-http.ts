import { type Random, seededRandom } from '../frame/random.ts'
import { RawConnection } from '../frame/raw-http.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import { type Cast, type CastKeys, makeCast } from './cast.ts'
import { dressings } from './dressings.ts'
import { makeCandidate } from './make-candidate.ts'
import { apiKeyOfRun, exchangeBearer, mutateCredential } from './static-credentials.ts'

/** Result of the tokens that were sent. */
export interface HttpResult {
  readonly goodAccepted: number
  readonly goodRefused: number
  /** Mutated tokens that were let through. */
  readonly accepted: readonly string[]
  /** Mutated bearers and API keys that were let through. */
  readonly acceptedCredentials: readonly string[]
  /** Spent tokens that were let through again in another dress. */
  readonly acceptedAgain: readonly string[]
  readonly statuses: Readonly<Record<string, number>>
}

const refusals = new Set(['400', '401', '403', '431', 'closed'])
/** Let through: the session that it would stop is unknown. */
const letThrough = '404'
const castEvery = 500

/** Sends mutated tokens, and spent ones in other dress, to a route that takes each invocation once. */
export const checkOverHttp = async (
  oracle: OracleProcess,
  publicDid: string,
  keys: CastKeys,
  { seed, count, connections }: { seed: number; count: number; connections: number },
): Promise<HttpResult> => {
  const result = {
    goodAccepted: 0,
    goodRefused: 0,
    accepted: [] as string[],
    acceptedAgain: [] as string[],
    acceptedCredentials: [] as string[],
  }
  const statuses: Record<string, number> = {}
  const port = Number(new URL(oracle.url).port)
  const receiver = { did: oracle.did, publicDid, ability: 'chat/send' }

  const work = async (random: Random, share: number) => {
    await using connection = new RawConnection(port)
    const call = async (headers: string) => {
      const answer = await connection.send(
        Buffer.from(`POST /chat/nobody/stop HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 0\r\n\r\n`),
      )
      const status = answer === undefined ? 'closed' : String(answer.status)
      statuses[status] = (statuses[status] ?? 0) + 1
      return status
    }
    let cast: Cast | undefined
    let credentials: readonly [string, string] = ['', '']
    for (let index = 0; index < share; index += 1) {
      if (cast === undefined || index % castEvery === 0) {
        cast = await makeCast(receiver, keys, Date.now)
        credentials = [await exchangeBearer(oracle, keys), apiKeyOfRun]
        for (const token of [...cast.good.map(good => good.token), ...credentials]) {
          if ((await call(`Authorization: Bearer ${token}\r\n`)) === letThrough) result.goodAccepted += 1
          else result.goodRefused += 1
        }
      }
      if (index % 5 === 0) {
        const [name, dress] = random.pick(Object.entries(dressings))
        const status = await call(await dress(random.pick(cast.good).token, cast, random))
        if (!refusals.has(status)) result.acceptedAgain.push(`${name} ${status}`)
      } else if (index % 5 === 1) {
        const token = mutateCredential(random.pick(credentials), random)
        const status = await call(`Authorization: Bearer ${token}\r\n`)
        if (!refusals.has(status)) result.acceptedCredentials.push(`${status} ${token}`)
      } else {
        const { name, token } = await makeCandidate(cast, 'delegated', random)
        const status = await call(`Authorization: Bearer ${token}\r\n`)
        if (!refusals.has(status)) result.accepted.push(`${name} ${status} ${token.slice(0, 3_000)}`)
      }
    }
  }
  const random = seededRandom(seed)
  const share = Math.ceil(count / connections)
  await Promise.all(Array.from({ length: connections }, () => work(seededRandom(random.integer(1, 2 ** 31)), share)))
  return { ...result, statuses }
}
