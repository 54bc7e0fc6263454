import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { OracleEnvironment } from '../plugins/route.ts'
import { problemResponse } from './problem-response.ts'

/** The largest request body, in bytes. */
export const maxBodyBytes = 1_000_000

/** How deep objects and lists of a request may be nested. */
export const maxJsonDepth = 32

/** Refuses bodies that are too large. */
export const limitBody = (): MiddlewareHandler<OracleEnvironment> =>
  bodyLimit({
    maxSize: maxBodyBytes,
    onError: c =>
      problemResponse(c, {
        status: 413,
        code: 'body_too_large',
        detail: `A request body may have at most ${maxBodyBytes} bytes.`,
      }),
  }) as MiddlewareHandler<OracleEnvironment>

/**
 * Refuses bodies of another kind than the route takes.
 *
 * @param accepted Media types, lower case; with none every body is let through.
 */
export const guardContentType =
  (accepted: readonly string[]): MiddlewareHandler<OracleEnvironment> =>
  async (c, next) => {
    const given = c.req.header('content-type')
    if (given === undefined && c.req.raw.body === null) return next()
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

/** Refuses JSON bodies that do not parse, are nested too deep, or carry a key that changes prototypes. */
export const guardJson = (): MiddlewareHandler<OracleEnvironment> => async (c, next) => {
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(c.req.header('content-type') ?? '')) return next()
  const text = await c.req.text()
  if (text === '') return next()
  if (depthOf(text) > maxJsonDepth) {
    return problemResponse(c, {
      status: 400,
      code: 'json_too_deep',
      detail: `JSON may be nested ${maxJsonDepth} levels deep.`,
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

/** How deep a JSON text nests, found without parsing it. */
export const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index += 1
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (character === 0x7d || character === 0x5d) depth -= 1
  }
  return deepest
}

const hasKey = (value: unknown, key: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, key) || Object.values(value).some(one => hasKey(one, key)))
