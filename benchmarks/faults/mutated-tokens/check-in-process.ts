import { createVerifier, signingKeyFromSecret } from '@sibyl/identity'
import { seededRandom } from '../frame/random.ts'
import { makeCast, makeKeys } from './cast.ts'
import { makeCandidate } from './make-candidate.ts'

/** Tokens to check. */
export interface CheckOrder {
  readonly seed: number
  readonly count: number
}

/** Result of a check. Times in milliseconds. */
export interface CheckResult {
  readonly goodAccepted: number
  readonly goodRefused: number
  readonly accepted: readonly string[]
  readonly acceptedCount: number
  readonly reasons: Readonly<Record<string, number>>
  readonly slowest: number
  /** The slowest that was as slow each time it was checked again. */
  readonly slowestRepeated: number
  readonly slowestName: string
  readonly percentile999: number
  readonly median: number
}

/** Duration above which a token is checked again, in milliseconds: a slow token is slow each time. */
const suspicious = 5
const again = 5
const castEvery = 2_000

/** Judges mutated tokens one after the other, half of them under open and half under delegated access. */
export const checkInProcess = async ({ seed, count }: CheckOrder): Promise<CheckResult> => {
  const random = seededRandom(seed)
  const keys = makeKeys(random)
  const oracle = signingKeyFromSecret(random.bytes(32))
  const receiver = { did: oracle.did, publicDid: 'did:web:localhost%3A3000', ability: 'chat/send' }
  const roots = [oracle.did, keys.controller.did]
  const verifier = (policy: { access: 'open' } | { access: 'delegated'; roots: readonly string[] }) =>
    createVerifier({ audience: [receiver.did, receiver.publicDid], rootIssuers: () => policy })
  const verifiers = { open: verifier({ access: 'open' }), delegated: verifier({ access: 'delegated', roots }) }
  const required = { resource: `oracle:${oracle.did}`, ability: receiver.ability }

  let cast = await makeCast(receiver, keys, Date.now)
  const times = new Float64Array(count)
  const reasons: Record<string, number> = {}
  const accepted: string[] = []
  const found = { goodAccepted: 0, goodRefused: 0, acceptedCount: 0, slowest: 0, slowestRepeated: 0, slowestName: '' }
  for (let index = 0; index < count; index += 1) {
    const access = index % 2 === 0 ? 'open' : 'delegated'
    if (index % castEvery < 2) {
      cast = await makeCast(receiver, keys, Date.now)
      for (const { token } of cast.good) {
        if ((await verifiers[access].verify(token, required)).ok) found.goodAccepted += 1
        else found.goodRefused += 1
      }
    }
    const { name, token } = await makeCandidate(cast, access, random)
    const judge = async () => {
      const started = performance.now()
      const verdict = await verifiers[access].verify(token, required)
      return { verdict, took: performance.now() - started }
    }
    const { verdict, took } = await judge()
    times[index] = took
    if (verdict.ok) {
      found.acceptedCount += 1
      if (accepted.length < 10) accepted.push(`${access} ${name} ${token.slice(0, 3_000)}`)
    } else reasons[verdict.reason] = (reasons[verdict.reason] ?? 0) + 1
    found.slowest = Math.max(found.slowest, took)
    if (took > suspicious) {
      let least = took
      for (let time = 0; time < again; time += 1) least = Math.min(least, (await judge()).took)
      if (least > found.slowestRepeated) Object.assign(found, { slowestRepeated: least, slowestName: name })
    }
  }
  times.sort()
  const percentile = (share: number) => times[Math.min(count - 1, Math.floor(count * share))]!
  return { ...found, accepted, reasons, percentile999: percentile(0.999), median: percentile(0.5) }
}
