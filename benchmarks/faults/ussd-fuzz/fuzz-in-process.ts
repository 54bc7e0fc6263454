import type { OracleApp } from '@sibyl/core'
import { type Random, seededRandom } from '../frame/random.ts'
import { gatewaySecret } from '../ussd/gateway-settings.ts'
import { FuzzJudge, type FuzzVerdict } from './judge.ts'
import { makeBody } from './make-body.ts'

export type { FuzzVerdict } from './judge.ts'

/** Bodies to send. */
export interface FuzzOrder {
  readonly seed: number
  readonly count: number
}

const atOnce = 8
const pollEvery = 500

/** Sends bodies without a socket, and checks the database from time to time, when no request is in progress. */
export const fuzzInProcess = async (app: OracleApp, file: string, { seed, count }: FuzzOrder): Promise<FuzzVerdict> => {
  const random: Random = seededRandom(seed)
  const judge = new FuzzJudge(file)
  for (let sent = 0; sent < count; sent += pollEvery) {
    let left = Math.min(pollEvery, count - sent)
    const work = async () => {
      while (left-- > 0) {
        const request = makeBody(random)
        const response = await app.request(`/api/ussd${request.path}`, {
          method: request.method,
          headers: { 'content-type': request.contentType, 'x-gateway-secret': gatewaySecret },
          ...(request.method === 'GET' ? {} : { body: request.body }),
        })
        judge.hear(request, response.status, await response.text())
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    judge.check()
  }
  return judge.verdict
}
