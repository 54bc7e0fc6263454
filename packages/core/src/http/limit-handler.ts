import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { CoreEnvironment } from './core-environment.ts'
import { problemResponse } from './problem-response.ts'

/**
 * Responds for a handler that exceeds the time limit; the handler continues in the background. A stream counts as
 * answered once it has begun. If the body is still arriving, the connection is closed after the response, so that its
 * reader gets an error.
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

/** Aborts a body that is still arriving after the response; Node itself would let its reader wait forever. */
const breakOffBody = ({ incoming, outgoing }: NodeParts = {}): void => {
  if (incoming?.complete === false) outgoing?.once('close', () => incoming.destroy())
}
