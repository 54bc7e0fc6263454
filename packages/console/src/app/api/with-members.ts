import type { BodySchema } from './api-client.ts'
import { isObject } from './is-object.ts'

/** Creates a schema for the first scripts, which have no zod: an object whose members have these kinds. */
export const withMembers = <Body>(
  kinds: {
    readonly [Name in keyof Body]?: 'array' | 'boolean' | 'number' | 'object' | 'string'
  },
): BodySchema<Body> => ({
  parse(body) {
    const wrong = Object.entries(kinds).find(([name, kind]) => !isObject(body) || kindOf(body[name]) !== kind)
    if (wrong) throw new TypeError(`The member ${wrong.join(' is not of the kind ')}.`)
    return body as Body
  },
})

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)
