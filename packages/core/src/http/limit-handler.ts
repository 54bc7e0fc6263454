import type { MiddlewareHandler } from 'hono'
import type { OracleEnvironment } from '../plugins/route.ts'
import { problemResponse } from './problem-response.ts'

/**
 * Answers for a handler that takes too long; what it does afterwards goes on unseen. A stream counts as answered once
 * it has begun.
 */
export const limitHandler =
  (limitMs: number): MiddlewareHandler<OracleEnvironment> =>
  (c, next) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const detail = `This request took longer than ${limitMs / 1000} s. Whether it took effect is not known.`
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
