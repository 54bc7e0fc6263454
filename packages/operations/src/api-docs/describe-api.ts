import type { RouteRecord } from '@sibyl/core'
import { safeReason } from '@sibyl/core/ports'
import type { Logger } from '@sibyl/plugin'
import type { OracleRecord } from '@sibyl/protocol'
import type { ApiDocument, ApiOperation, ApiSchema } from './api-document.ts'
import { commonAnswers, withCommonAnswers } from './common-answers.ts'
import { describeRoute, type RouteDescription, undescribed } from './describe-route.ts'
import { operationId } from './operation-id.ts'
import { pathTemplate } from './path-template.ts'
import { accessText, securityOf, securitySchemes } from './route-security.ts'
import { SchemaNames } from './schema-names.ts'
import { SharedPaths } from './shared-paths.ts'
import { sharedSchemas } from './shared-schemas.ts'

/** Input of the OpenAPI document. */
export interface ApiFacts {
  /** The oracle, as in `GET /.well-known/oracle.json`. */
  readonly oracle: OracleRecord
  /** Its public URL, without a slash at the end. */
  readonly url: string
  readonly routes: readonly RouteRecord[]
  /** The plugins, with their summaries. */
  readonly plugins: readonly { readonly name: string; readonly summary: string }[]
  readonly log: Logger
}

/**
 * Describes all routes of an oracle as OpenAPI 3.1. A route whose schemas cannot be converted is logged and has an
 * entry that says so; other routes are unaffected.
 */
export const describeApi = async ({ oracle, url, routes, plugins, log }: ApiFacts): Promise<ApiDocument> => {
  const credentials = oracle.authentication
  const shared = sharedSchemas()
  const names = new SchemaNames(Object.keys(shared.schemas))
  const paths = new SharedPaths()
  const operationIds = new Set<string>()
  for (const route of routes) {
    const { method } = route.definition
    const { schemas, ...described } = describe(route, shared.schemas, log)
    const { path, rename } = paths.of(pathTemplate(route.definition.path))
    const operation: ApiOperation = {
      operationId: operationId(method, path, operationIds),
      tags: tagsOf(route),
      ...described,
      description: [described.description, `Access: ${accessText(route.access)}.`].filter(Boolean).join('\n\n'),
      security: securityOf(route.access, credentials),
      'x-owner': route.owner,
      'x-access': route.access,
    }
    const named = names.add(route.owner, { ...operation, ...rename(operation) }, schemas)
    const complete = await withCommonAnswers(route, shared.name(named))
    if (!paths.add(path, method, complete)) {
      log.warn('a route is missing from the OpenAPI document: another route has its path', {
        plugin: route.owner,
        route: `${method.toUpperCase()} ${path}`,
      })
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: oracle.name, version: oracle.version, description: introduction(oracle) },
    servers: [{ url }],
    tags: [...coreTags, ...plugins.map(({ name, summary }) => ({ name, description: summary }))].filter(({ name }) =>
      routes.some(route => tagsOf(route).includes(name)),
    ),
    paths: paths.all(),
    components: {
      schemas: { ...shared.name(names.added()), ...shared.schemas },
      ...commonAnswers(paths.all()),
      securitySchemes: securitySchemes(
        routes.map(({ access }) => access),
        credentials,
      ),
    },
  }
}

const describe = (
  { owner, definition }: RouteRecord,
  shared: Readonly<Record<string, ApiSchema>>,
  log: Logger,
): RouteDescription => {
  try {
    return describeRoute(definition, shared)
  } catch (error) {
    log.warn('a route cannot be described in the OpenAPI document', {
      plugin: owner,
      route: `${definition.method.toUpperCase()} ${definition.path}`,
      reason: safeReason(error),
    })
    return undescribed(definition)
  }
}

const coreTags = [
  { name: 'Chat', description: 'Chat with the oracle.' },
  { name: 'Sessions', description: 'Stored conversations.' },
  { name: 'Oracle', description: 'Identity, capabilities and health of the oracle.' },
  { name: 'Authentication', description: 'Bearers, delegations and revocations.' },
  { name: 'Personal data', description: 'Personal data: export and erasure.' },
  { name: 'Operator', description: 'Routes for the operator.' },
]

/** Returns the tags of a route: those of core have their own; those of a plugin have its name. */
const tagsOf = ({ owner, definition: { tags } }: RouteRecord): string[] =>
  owner === 'core' ? [...(tags ?? ['Oracle'])] : [owner]

const introduction = ({ description }: OracleRecord): string =>
  [
    ...(description === undefined ? [] : [description]),
    'A caller without a UCAN implementation gets a bearer of 15 minutes with `npx sibyl token --bearer` and sends it as ' +
      '`Authorization: Bearer <token>`. Errors are problem documents (RFC 9457) with a stable `code`. In addition to those listed, any ' +
      'path may answer 405 `method_not_allowed`. A HEAD is answered like the GET.',
  ].join('\n\n')
