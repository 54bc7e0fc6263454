import type { ProviderRoute, WireRequest } from '../providers/ussd-provider.ts'
import type { RouteContext } from './gateway.ts'

export const wireWithoutBody = (context: RouteContext, prefix: string): WireRequest => ({
  method: context.req.method,
  path: context.req.path.slice(prefix.length),
  params: context.req.param(),
  query: decodeParameters(queryOf(context.req.url)) ?? {},
  body: undefined,
})

/** Decodes a request with checked size, media type and JSON; undefined for repeated or too many parameters. */
export const readWire = async (
  context: RouteContext,
  prefix: string,
  takes: ProviderRoute['takes'],
): Promise<WireRequest | undefined> => {
  if (decodeParameters(queryOf(context.req.url)) === undefined) return undefined
  const wire = wireWithoutBody(context, prefix)
  if (takes === 'query') return wire
  const text = await context.req.text()
  if (takes === 'json') return { ...wire, body: text === '' ? undefined : JSON.parse(text) }
  const form = decodeParameters(text)
  return form === undefined ? undefined : { ...wire, body: form }
}

const queryOf = (url: string): string => {
  const from = url.indexOf('?')
  return from < 0 ? '' : url.slice(from + 1)
}

const maxParameters = 100

/** Parses `a=1&b=2`; undefined for repeated or too many names, and for one that would change prototypes. */
export const decodeParameters = (text: string): Readonly<Record<string, string>> | undefined => {
  const read: Record<string, string> = {}
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1
    if (count > maxParameters || name === '__proto__' || Object.hasOwn(read, name)) return undefined
    read[name] = value
  }
  return read
}
