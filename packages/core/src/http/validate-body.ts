import type { ErrorIssue, Route } from '@sibyl/plugin'
import { jsonPointer } from '@sibyl/protocol'
import type { Context } from 'hono'
import { core, type ZodError, type ZodSafeParseResult, type ZodType } from 'zod'
import type { CoreEnvironment } from './core-environment.ts'
import { notReadable, problemResponse } from './problem-response.ts'
import type { RequestCheck } from './request-check.ts'

/** Returns the schema of a required JSON body; undefined if a route accepts other bodies too, or none. */
export const jsonSchemaOf = ({ definition }: Route): ZodType | undefined => {
  const { body } = definition.request ?? {}
  const [[type, media] = [], ...others] = Object.entries(body?.content ?? {})
  const schema = media && 'schema' in media ? media.schema : undefined
  const fits = body?.required === true && type === 'application/json' && others.length === 0
  return fits && schema !== undefined && 'safeParse' in schema ? (schema as ZodType) : undefined
}

/**
 * Validates a body that `guardJson` has parsed; `c.req.valid('json')` returns the result. Schemas are parsed
 * synchronously, which is several times faster in zod, unless one requires an asynchronous parse.
 */
export const validateBody = (schema: ZodType): RequestCheck => {
  let waits = false
  const validated = (value: unknown) => {
    if (!waits) {
      try {
        return schema.safeParse(value)
      } catch (error) {
        if (!(error instanceof core.$ZodAsyncError)) throw error
        waits = true
      }
    }
    return schema.safeParseAsync(value)
  }
  const judge = (c: Context<CoreEnvironment>, result: ZodSafeParseResult<unknown>): Response | undefined => {
    if (!result.success) return inputProblem(c, result.error)
    c.req.addValidatedData('json', result.data as object)
    return undefined
  }
  return c => {
    const body = c.get('parsedBody')
    if (body === undefined && c.req.header('content-type') !== undefined) return problemResponse(c, notReadable)
    const result = validated(body === undefined ? {} : body)
    return result instanceof Promise ? result.then(late => judge(c, late)) : judge(c, result)
  }
}

/** Returns the response to an invalid input. */
export const inputProblem = (c: Context<CoreEnvironment>, { issues }: Pick<ZodError, 'issues'>): Response =>
  problemResponse(c, {
    status: 400,
    code: 'input_invalid',
    detail: 'The request does not match the schema of this route.',
    issues: issues.flatMap(violationsOf).slice(0, maxViolations),
  })

const maxViolations = 20

/** Converts an issue of zod to errors, with a separate place for each unknown member. */
const violationsOf = (issue: ZodError['issues'][number]): ErrorIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys
        .slice(0, maxViolations)
        .map(key => ({ path: jsonPointer('', ...issue.path, key.slice(0, 100)), message: 'Unknown here' }))
    : [{ path: jsonPointer('', ...issue.path), message: issue.message }]
