import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { CoreEnvironment } from './core-environment.ts'
import { problemResponse } from './problem-response.ts'

/**
 * Answers for a handler that takes too long; what it does afterwards goes on unseen. A stream counts as answered once
 * it has begun. Where the body has not arrived by then, the connection ends with the answer: whoever reads the body learns that
 * the rest will not come.
 */
export const limitHandler =
  (limitMs: number): MiddlewareHandler<CoreEnvironment> =>
  (c, next) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const detail = `This request took longer than ${limitMs / 1000} s. Its effects are unknown.`
        breakOffBody(c.env as NodeParts | undefined)
        resolve(problemResponse(c, { status: 503, code: 'request_time_limit', detail }))
      }, limitMs)
      const ended = () => {
        clearTimeout(timer)
        resolve()
      }
      next().then(ended, error => {
        clearTimeout(timer)
        reject(error)
      })
    })

/** Node's request and response, where the app runs on Node's server. */
interface NodeParts {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** Ends a body that is still arriving once the answer is sent; Node itself would let its reader wait for ever. */
const breakOffBody = ({ incoming, outgoing }: NodeParts = {}): void => {
  if (incoming?.complete === false) outgoing?.once('close', () => incoming.destroy())
}
