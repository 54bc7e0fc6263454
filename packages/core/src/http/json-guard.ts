import { type ErrorIssue, OracleError, type Route } from '@sibyl/plugin'
import { jsonPointer } from '@sibyl/protocol'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { core, type ZodError, type ZodSafeParseResult, type ZodType } from 'zod'
import type { CoreEnvironment, RequestCheck } from './core-environment.ts'
import { notReadable, problemResponse } from './problem-response.ts'

/** Maximum size of a request body, in bytes. */
export const maxBodyBytes = 1_000_000

/** Maximum nesting of objects and lists in a request. */
export const maxJsonDepth = 32

/** Maximum number of members and items of all objects and lists in a request. */
const maxJsonMembers = 50_000

/** The body exceeded the limit of its route while it was read. */
class BodyTooLarge extends OracleError {
  readonly code = 'body_too_large'
  override readonly status = 413

  constructor(max: number) {
    super(tooLargeText(max))
  }
}

const tooLarge = (c: Context, max: number): Response =>
  problemResponse(c, { status: 413, code: 'body_too_large', detail: tooLargeText(max) })

const tooLargeText = (max: number): string => `A request body may have at most ${max} bytes.`

/**
 * Rejects bodies that are too large. On a socket the header has the length of a body, which Node's parser enforces, and
 * an unread body costs no stream. Others are counted while they are read: before the handler, or by the handler itself
 * if the route accepts larger ones than usual, so that they are never completely in memory.
 *
 * @param max In bytes.
 */
export const limitBody = (max: number = maxBodyBytes): RequestCheck => {
  const refuse = (c: Context): Response => tooLarge(c, max)
  const countBytes = bodyLimit({ maxSize: max, onError: refuse })
  return c => {
    if (Number(c.req.header('content-length') ?? 0) > max) return refuse(c)
    if (isOnSocket(c) && c.req.header('transfer-encoding') === undefined) return undefined
    if (max <= maxBodyBytes) return countBytes(c, async () => {}) as Promise<Response | undefined>
    const { raw } = c.req
    const init = raw.body && { body: raw.body.pipeThrough(counted(max)), duplex: 'half' }
    if (init) c.req.raw = new Request(raw, init)
    return undefined
  }
}

const counted = (max: number) => {
  let size = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > max) controller.error(new BodyTooLarge(max))
      else controller.enqueue(chunk)
    },
  })
}

/**
 * Rejects bodies with a media type that the route does not accept.
 *
 * @param accepted Media types, lower case; if empty, or with `*` for both parts, every body is accepted.
 */
export const guardContentType =
  (accepted: readonly string[]): RequestCheck =>
  c => {
    const given = c.req.header('content-type')
    if (given === undefined && !hasBody(c)) return undefined
    const type = (given ?? '').split(';', 1)[0]!.trim().toLowerCase()
    const fits =
      takesAnything(accepted) || accepted.includes(type) || (type.endsWith('+json') && accepted.includes(json))
    if (fits) return undefined
    return problemResponse(c, {
      status: 415,
      code: 'content_type_unsupported',
      detail: `Send the body with the header Content-Type: ${accepted.join(' or ')}.`,
    })
  }

const json = 'application/json'

/** Returns whether a route accepts bodies of every media type. */
const takesAnything = (accepted: readonly string[]): boolean => accepted.length === 0 || accepted.includes('*/*')

/**
 * Returns whether a request has a body: on a socket by its headers (RFC 9112, section 6.3), elsewhere by the request
 * itself.
 */
const hasBody = (c: Context<CoreEnvironment>): boolean => {
  const length = c.req.header('content-length')
  if (length === '0') return false
  if (!isOnSocket(c)) return c.req.raw.body !== null
  return length !== undefined || c.req.header('transfer-encoding') !== undefined
}

const isOnSocket = (c: Context): boolean =>
  (c.env as { readonly incoming?: unknown } | undefined)?.incoming !== undefined

/**
 * Rejects JSON bodies that are invalid, too large without their data: URLs, nested too deep, have too many members,
 * or have a key that changes prototypes. `validateBody` reuses the parsed value.
 *
 * @param max Of the body without data: URLs, in bytes.
 */
export const guardJson =
  (max: number = maxBodyBytes): RequestCheck =>
  async c => {
    if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')) return undefined
    const text = await c.req.text()
    if (text === '') return undefined
    const { depth, members, plain } = sizeOf(text)
    if (plain > max) return tooLarge(c, max)
    if (depth > maxJsonDepth) return problemResponse(c, tooDeep)
    if (members > maxJsonMembers) return problemResponse(c, tooManyMembers)
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return problemResponse(c, { status: 400, code: 'json_invalid', detail: 'The body is not valid JSON.' })
    }
    // A key may be written with escapes.
    if (/__proto__|\\u00/.test(text) && hasKey(parsed, '__proto__')) return problemResponse(c, forbiddenKey)
    c.set('parsedBody', parsed)
    return undefined
  }

const tooDeep = {
  status: 400,
  code: 'json_too_deep',
  detail: `JSON may be nested at most ${maxJsonDepth} levels deep.`,
}

const tooManyMembers = {
  status: 400,
  code: 'json_too_many_members',
  detail: `JSON may have at most ${maxJsonMembers} members and items.`,
}

const forbiddenKey = { status: 400, code: 'json_forbidden_key', detail: 'The key __proto__ is not allowed.' }

/** Returns the depth, the number of members and items, and the characters outside data: URLs of a JSON text, without parsing it. */
export const sizeOf = (text: string): { readonly depth: number; readonly members: number; readonly plain: number } => {
  let plain = text.length
  let start = 0
  let depth = 0
  let deepest = 0
  let members = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index += 1
      else if (character === 0x22) {
        inString = false
        if (text.startsWith('data:', start + 1)) plain -= index - start
      }
    } else if (character === 0x22) {
      inString = true
      start = index
    } else if (character === 0x2c) members += 1
    else if (character === 0x7b || character === 0x5b) {
      members += 1
      deepest = Math.max(deepest, ++depth)
    } else if (character === 0x7d || character === 0x5d) depth -= 1
  }
  return { depth: deepest, members, plain }
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, key) || Object.values(value).some(one => hasKey(one, key)))

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
export const inputProblem = (c: Context<CoreEnvironment>, { issues: found }: Pick<ZodError, 'issues'>): Response => {
  const issues = found.flatMap(violationsOf).slice(0, maxViolations)
  const [first] = issues
  return problemResponse(c, {
    status: 400,
    code: 'input_invalid',
    detail: `The request does not match the schema of this route${first ? `: ${first.path || 'the body'}: ${first.message}` : ''}.`,
    issues,
  })
}

const maxViolations = 20

/** Converts an issue of zod to errors, with a separate place for each unknown member. */
const violationsOf = (issue: ZodError['issues'][number]): ErrorIssue[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys
        .slice(0, maxViolations)
        .map(key => ({ path: jsonPointer('', ...issue.path, key.slice(0, 100)), message: 'Unknown here' }))
    : [{ path: jsonPointer('', ...issue.path), message: issue.message }]
