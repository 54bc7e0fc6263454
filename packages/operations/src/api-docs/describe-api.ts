import { OpenAPIHono } from '@hono/zod-openapi'
import type { RouteRecord } from '@sibyl/core'
import { safeReason } from '@sibyl/core/ports'
import { statusRecord } from '@sibyl/core/records'
import type { Logger } from '@sibyl/plugin'
import {
  approvalDecision,
  capabilityRecord,
  chatEvent,
  chatMessage,
  chatRequest,
  healthRecord,
  type JsonValue,
  messageMetadata,
  type OracleRecord,
  oracleRecord,
  problemSchema,
  sessionRecord,
  sessionSummary,
  usage,
} from '@sibyl/protocol'
import type { ApiDocument, ApiOperation, ApiParameter, ApiSchema } from './api-document.ts'
import { commonAnswers, withCommonAnswers } from './common-answers.ts'
import { describeRoute, type RouteDescription, undescribed } from './describe-route.ts'
import { mapObjects, schemaPath } from './map-json.ts'
import { type PathTemplate, pathTemplate } from './path-template.ts'
import { accessText, securityOf, securitySchemes } from './route-security.ts'
import { SchemaNames } from './schema-names.ts'

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

/** The paths of the document; paths that differ only in parameter names are one. */
class SharedPaths {
  readonly #templates = new Map<string, PathTemplate>()
  readonly #paths = new Map<string, Map<string, ApiOperation>>()

  /** Returns the path of a route in the document, and its parameters under the names of that path. */
  of(template: PathTemplate): {
    readonly path: string
    rename(operation: { parameters?: ApiParameter[] }): { parameters?: ApiParameter[] }
  } {
    const shape = template.path.replace(/\{\w+\}/g, '{}')
    const first = this.#templates.get(shape) ?? template
    this.#templates.set(shape, first)
    const names = new Map(template.parameters.map(({ name }, index) => [name, first.parameters[index]!.name]))
    return {
      path: first.path,
      rename: ({ parameters }) =>
        parameters === undefined
          ? {}
          : { parameters: parameters.map(one => (one.in === 'path' ? { ...one, name: names.get(one.name)! } : one)) },
    }
  }

  /** Adds an operation; false if there is one already. */
  add(path: string, method: string, operation: ApiOperation): boolean {
    const operations = this.#paths.get(path) ?? new Map<string, ApiOperation>()
    this.#paths.set(path, operations)
    if (operations.has(method)) return false
    operations.set(method, operation)
    return true
  }

  /** Returns all operations by path and method, in order. */
  all(): Record<string, Record<string, ApiOperation>> {
    return Object.fromEntries([...this.#paths].map(([path, operations]) => [path, Object.fromEntries(operations)]))
  }
}

/** The schemas of the protocol by the names that the document gives them. */
const shared = {
  ApprovalDecision: approvalDecision,
  Capability: capabilityRecord,
  ChatEvent: chatEvent,
  ChatMessage: chatMessage,
  ChatRequest: chatRequest,
  Health: healthRecord,
  MessageMetadata: messageMetadata,
  Oracle: oracleRecord,
  Problem: problemSchema,
  Session: sessionRecord,
  SessionMessage: sessionRecord.shape.messages.element,
  SessionSummary: sessionSummary,
  Status: statusRecord,
  Usage: usage,
}

/** Names the schemas of the protocol. */
interface SharedSchemas {
  /** The schemas of every document, by name. */
  readonly schemas: Readonly<Record<string, ApiSchema>>
  /** Replaces each of them by a reference. */
  name<Value>(value: Value): Value
}

/** Describes the schemas of the protocol, with references between them. */
const sharedSchemas = (): SharedSchemas => {
  const app = new OpenAPIHono()
  for (const [name, schema] of Object.entries(shared)) {
    // An instance created before the OpenAPI library was loaded lacks its additions; a copy created now has them.
    app.openAPIRegistry.register(name, schema.clone(undefined, { parent: true }))
  }
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } })
  const described = JSON.parse(JSON.stringify(document.components?.schemas ?? {})) as Record<string, ApiSchema>
  const names = new Map(Object.entries(described).map(([name, schema]) => [textOf(schema), name]))
  const whole = (object: ApiSchema): ApiSchema =>
    mapObjects(object, one => {
      const target = typeof one.$ref === 'string' ? described[one.$ref.slice(schemaPath('').length)] : undefined
      return target ?? one
    })
  const reference = (object: ApiSchema): ApiSchema => {
    if (typeof object.type !== 'string' && !Array.isArray(object.anyOf)) return object
    const name = names.get(textOf(whole(object)))
    return name === undefined ? object : { $ref: schemaPath(name) }
  }
  const schemas = Object.fromEntries(
    Object.entries(described).map(([name, schema]) => [
      name,
      Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, mapObjects(value, reference)])),
    ]),
  )
  return { schemas, name: value => mapObjects(value, reference) }
}

/** Returns the same text for equal schemas, independent of the order of keywords. */
const textOf = (schema: JsonValue): string =>
  JSON.stringify(
    mapObjects(schema, object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))),
  )

/**
 * Returns the id of an operation, derived from its method and path.
 *
 * @param taken The ids in use; the new one is added.
 * @example operationId('get', '/chat/{id}/stream', new Set()) // 'getChatByIdStream'
 */
const operationId = (method: string, path: string, taken: Set<string>): string => {
  const words = path
    .split('/')
    .flatMap(segment => (segment.startsWith('{') ? ['by', segment] : [segment]))
    .flatMap(segment => segment.split(/[^A-Za-z0-9]+/))
    .filter(word => word !== '')
  const plain = method + (words.length === 0 ? 'Root' : words.map(capital).join(''))
  let name = plain
  for (let count = 2; taken.has(name); count += 1) name = `${plain}${count}`
  taken.add(name)
  return name
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
