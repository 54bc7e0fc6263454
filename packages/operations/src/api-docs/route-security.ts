import type { Access } from '@sibyl/plugin/host'
import type { OracleRecord } from '@sibyl/protocol'
import type { ApiDocument, ApiOperation } from './api-document.ts'

type Schemes = ApiDocument['components']['securitySchemes']

/** The accepted credentials, as in `GET /.well-known/oracle.json`. */
export type Credentials = OracleRecord['authentication']

/**
 * Returns the security schemes of a route; none if the oracle does not check its access.
 *
 * @param credentials The accepted alternatives to a UCAN.
 */
export const securityOf = (access: Access, credentials: Credentials): ApiOperation['security'] => {
  if (access === 'public' || access === 'own') return []
  if (access === 'operator') return [{ operator: [] }]
  if ('ucan' in access) {
    const byAbility = credentials.map(credential => ({ [schemeOf[credential]]: [access.ucan] }))
    return access.orOperator ? [...byAbility, { operator: [] }] : byAbility
  }
  const others = access.orUcan === undefined ? [] : securityOf({ ucan: access.orUcan }, credentials)
  return [{ [access.apiKey]: [] }, ...others]
}

/** Describes the access of a route. */
export const accessText = (access: Access): string => {
  if (access === 'public') return 'any caller'
  if (access === 'operator') return 'the operator'
  if (access === 'own') return 'callers that pass the check of the route'
  if ('ucan' in access)
    return `callers with \`${access.ucan}\`${access.orOperator ? ', or the operator (`as=operator`)' : ''}`
  return `a key of \`${access.apiKey}\`${access.orUcan === undefined ? '' : `, or callers with \`${access.orUcan}\``}`
}

const schemeOf = { ucan: 'ucan', bearer: 'bearer', 'api-key': 'apiKey' } as const

/** Returns the security schemes of these routes, by name. */
export const securitySchemes = (accesses: readonly Access[], credentials: Credentials): Schemes => {
  const used = new Set(accesses.flatMap(access => securityOf(access, credentials).flatMap(Object.keys)))
  const variables = accesses.flatMap(access => (typeof access === 'object' && 'apiKey' in access ? access.apiKey : []))
  const all: Schemes = {
    ...schemes,
    ...Object.fromEntries(
      variables.map(name => [name, { ...http, description: `A key of \`${name}\`, whose scopes cover the route.` }]),
    ),
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
}

const http = { type: 'http', scheme: 'bearer' } as const

const schemes: Schemes = {
  ucan: {
    ...http,
    bearerFormat: 'JWT',
    description:
      'A UCAN invocation (JWT, version 0.8.1, Ed25519), minted by the caller for this oracle and the ability that the ' +
      'route requires. Valid for one request and at most 15 minutes; a GET may repeat it until it expires.',
  },
  bearer: {
    ...http,
    description:
      'A bearer of 15 minutes, printed by `npx sibyl token --bearer` and returned by `POST /auth/token` for an invocation.',
  },
  apiKey: { ...http, description: 'A key of `ORACLE_API_KEYS`, for servers.' },
  operator: { ...http, description: 'The token of the operator, `ORACLE_OPERATOR_TOKEN`.' },
}
