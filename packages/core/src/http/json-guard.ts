import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { OracleEnvironment } from '../plugins/route.ts'
import { problemResponse } from './problem-response.ts'

/** The largest request body, in bytes. */
export const maxBodyBytes = 1_000_000

/** How deep objects and lists of a request may be nested. */
export const maxJsonDepth = 32

/** How many members and items the objects and lists of a request may have together. */
export const maxJsonMembers = 50_000

/**
 * Refuses bodies that are too large. On a socket the header says how long a body is, and Node's parser holds it to that;
 * a body that is not looked at costs no stream. Others are counted as they are read.
 */
export const limitBody = (): MiddlewareHandler<OracleEnvironment> => {
  const countBytes = bodyLimit({ maxSize: maxBodyBytes, onError: bodyTooLarge }) as MiddlewareHandler<OracleEnvironment>
  return (c, next) => {
    if (!isOnSocket(c) || c.req.header('transfer-encoding') !== undefined) return countBytes(c, next)
    return Number(c.req.header('content-length') ?? 0) > maxBodyBytes ? Promise.resolve(bodyTooLarge(c)) : next()
  }
}

const bodyTooLarge = (c: Context): Response =>
  problemResponse(c, {
    status: 413,
    code: 'body_too_large',
    detail: `A request body may have at most ${maxBodyBytes} bytes.`,
  })

/**
 * Refuses bodies of another kind than the route takes.
 *
 * @param accepted Media types, lower case; with none every body is let through.
 */
export const guardContentType =
  (accepted: readonly string[]): MiddlewareHandler<OracleEnvironment> =>
  async (c, next) => {
    const given = c.req.header('content-type')
    if (given === undefined && !hasBody(c)) return next()
    const type = (given ?? '').split(';', 1)[0]!.trim().toLowerCase()
    const fits = accepted.length === 0 || accepted.includes(type) || (type.endsWith('+json') && accepted.includes(json))
    if (fits) return next()
    return problemResponse(c, {
      status: 415,
      code: 'content_type_unsupported',
      detail: `Send the body with the header Content-Type: ${accepted.join(' or ')}.`,
    })
  }

const json = 'application/json'

/** Whether a request brings a body: on a socket its headers say so (RFC 9112, section 6.3), elsewhere the request itself. */
const hasBody = (c: Context<OracleEnvironment>): boolean => {
  const length = c.req.header('content-length')
  if (length === '0') return false
  if (!isOnSocket(c)) return c.req.raw.body !== null
  return length !== undefined || c.req.header('transfer-encoding') !== undefined
}

const isOnSocket = (c: Context): boolean =>
  (c.env as { readonly incoming?: unknown } | undefined)?.incoming !== undefined

/** Refuses JSON bodies that do not parse, are nested too deep, have too many members, or carry a key that changes prototypes. */
export const guardJson = (): MiddlewareHandler<OracleEnvironment> => async (c, next) => {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')) return next()
  const text = await c.req.text()
  if (text === '') return next()
  const { depth, members } = sizeOf(text)
  if (depth > maxJsonDepth) {
    return problemResponse(c, {
      status: 400,
      code: 'json_too_deep',
      detail: `JSON may be nested ${maxJsonDepth} levels deep.`,
    })
  }
  if (members > maxJsonMembers) {
    return problemResponse(c, {
      status: 400,
      code: 'json_too_many_members',
      detail: `JSON may have ${maxJsonMembers} members and items.`,
    })
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return problemResponse(c, { status: 400, code: 'json_invalid', detail: 'The body is not valid JSON.' })
  }
  if (text.includes('__proto__') && hasKey(parsed, '__proto__')) {
    return problemResponse(c, { status: 400, code: 'json_forbidden_key', detail: 'The key __proto__ is not allowed.' })
  }
  return next()
}

/** How deep a JSON text nests and how many members and items it has, found without parsing it. */
export const sizeOf = (text: string): { readonly depth: number; readonly members: number } => {
  let depth = 0
  let deepest = 0
  let members = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index += 1
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x2c) members += 1
    else if (character === 0x7b || character === 0x5b) {
      members += 1
      deepest = Math.max(deepest, ++depth)
    } else if (character === 0x7d || character === 0x5d) depth -= 1
  }
  return { depth: deepest, members }
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, key) || Object.values(value).some(one => hasKey(one, key)))
