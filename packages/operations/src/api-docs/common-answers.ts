import type { RouteRecord } from '@sibyl/core'
import type { JsonValue } from '@sibyl/protocol'
import type { ApiAnswer, ApiDocument, ApiOperation } from './api-document.ts'
import { referencesIn, schemaPath } from './map-json.ts'

/** An error that any route of a kind may answer. */
interface CommonAnswer {
  readonly name: string
  readonly description: string
  readonly header?: keyof typeof headers
  applies(route: RouteRecord, operation: ApiOperation): boolean
}

const headers = {
  'WWW-Authenticate': {
    description: 'The required authentication (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer realm="sibyl"',
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', minimum: 0 },
    example: 30,
  },
}

const takesBody = ({ definition: { method } }: RouteRecord): boolean => !['get', 'head'].includes(method)
const isLocked = ({ access }: RouteRecord): boolean => access !== 'public' && access !== 'own'

const answers: Readonly<Record<string, CommonAnswer>> = {
  400: {
    name: 'InputInvalid',
    description: 'The request is invalid: `input_invalid`, `json_invalid`, `json_too_deep`, `json_forbidden_key`',
    applies: (_route, { parameters, requestBody }) => requestBody !== undefined || (parameters?.length ?? 0) > 0,
  },
  401: {
    name: 'Unauthenticated',
    description: 'Authentication is missing or invalid',
    header: 'WWW-Authenticate',
    applies: isLocked,
  },
  403: {
    name: 'Forbidden',
    description: 'The caller is not allowed to do this',
    applies: route => isLocked(route) && route.access !== 'operator',
  },
  413: { name: 'BodyTooLarge', description: '`body_too_large`', applies: takesBody },
  414: { name: 'UrlTooLong', description: '`url_too_long`', applies: () => true },
  415: { name: 'ContentTypeUnsupported', description: '`content_type_unsupported`', applies: takesBody },
  429: {
    name: 'TooManyRequests',
    description: '`rate_limited`: too many requests',
    header: 'Retry-After',
    applies: ({ rateLimited }) => rateLimited,
  },
  500: { name: 'InternalError', description: '`internal_error`', applies: () => true },
  503: {
    name: 'Unavailable',
    description: 'Temporarily unavailable, such as while the oracle stops or its database does not respond',
    applies: () => true,
  },
}

/** Adds the common responses of routes of a kind; the responses of the route itself take precedence. */
export const withCommonAnswers = async (route: RouteRecord, operation: ApiOperation): Promise<ApiOperation> => {
  if (route.refuse && operation.responses.default) return operation
  const responses = { ...operation.responses }
  for (const [status, { name, header, applies }] of Object.entries(answers)) {
    const own = responses[status]
    if (own) {
      if (header) responses[status] = { ...own, headers: { ...headerOf(header), ...own.headers } }
    } else if (applies(route, operation)) {
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return { ...operation, responses: route.refuse ? await inOwnForm(route.refuse, responses) : responses }
}

/** Returns responses whose errors have the form of the route, with an example each. */
const inOwnForm = async (
  refuse: NonNullable<RouteRecord['refuse']>,
  responses: ApiOperation['responses'],
): Promise<ApiOperation['responses']> => {
  const own: ApiOperation['responses'] = {}
  for (const [status, given] of Object.entries(responses)) {
    const common = given.$ref ? answers[status] : undefined
    const { description = '' } = common ?? given
    const { header } = common ?? {}
    const code = /`(\w+)`/.exec(description)?.[1] ?? codes[status] ?? 'input_invalid'
    // What a route formats as a result is not an error of HTTP.
    const example = Number(status) < 400 ? undefined : refuse(noContext, { status: Number(status), code, detail: '…' })
    if (example && example.status !== Number(status)) continue
    const type = example?.headers.get('content-type')?.split(';')[0]
    own[status] =
      example && type
        ? {
            description,
            ...(given.headers ? { headers: given.headers } : header ? { headers: headerOf(header) } : {}),
            content: { [type]: { schema: { type: 'object' }, example: (await example.json()) as JsonValue } },
          }
        : given
  }
  return own
}

/** The code of an example whose description has none. */
const codes: Readonly<Record<string, string>> = { 401: 'ucan_missing', 403: 'scope_missing', 503: 'shutting_down' }

/** Stands for the request of an example. */
const noContext = { get: () => undefined } as unknown as Parameters<NonNullable<RouteRecord['refuse']>>[0]

const headerOf = (header: string) => ({ [header]: { $ref: `#/components/headers/${header}` } })

/** The components that operations refer to through `withCommonAnswers`. */
export const commonAnswers = (
  paths: ApiDocument['paths'],
): Pick<ApiDocument['components'], 'responses' | 'headers'> => {
  const described = Object.values(answers).map(({ name, description, header }): [string, ApiAnswer] => [
    name,
    {
      description,
      ...(header ? { headers: headerOf(header) } : {}),
      content: { 'application/problem+json': { schema: { $ref: schemaPath('Problem') } } },
    },
  ])
  const responses = onlyUsed('responses', Object.fromEntries(described), paths)
  return { responses, headers: onlyUsed('headers', headers, { paths, responses }) }
}

const onlyUsed = <One>(kind: string, all: Readonly<Record<string, One>>, by: unknown): Record<string, One> => {
  const references = referencesIn(by)
  return Object.fromEntries(Object.entries(all).filter(([name]) => references.has(`#/components/${kind}/${name}`)))
}
