import type { Context, MiddlewareHandler } from 'hono'
import type { CoreEnvironment } from './core-environment.ts'

/** Looks at a request before its handler: the answer that refuses it, or undefined to let it through. */
export type RequestCheck = (c: Context<CoreEnvironment>) => Response | undefined | Promise<Response | undefined>

/**
 * Runs checks one after the other in one step of the app, which costs a request less than a step each.
 *
 * @param step Takes the request once all have let it through.
 */
export const runChecks =
  (
    checks: readonly RequestCheck[],
    step: MiddlewareHandler<CoreEnvironment> = (_, next) => next(),
  ): MiddlewareHandler<CoreEnvironment> =>
  async (c, next) => {
    for (const check of checks) {
      const refused = check(c)
      const answer = refused instanceof Promise ? await refused : refused
      if (answer) return answer
    }
    return step(c, next)
  }
