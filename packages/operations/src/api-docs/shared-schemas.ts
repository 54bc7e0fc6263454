import { OpenAPIHono } from '@hono/zod-openapi'
import { statusRecord } from '@sibyl/core/records'
import {
  approvalDecision,
  capabilityRecord,
  chatEvent,
  chatMessage,
  chatRequest,
  healthRecord,
  type JsonValue,
  messageMetadata,
  oracleRecord,
  problemSchema,
  sessionRecord,
  sessionSummary,
  usage,
} from '@sibyl/protocol'
import type { ApiSchema } from './api-document.ts'
import { mapObjects, schemaPath } from './map-json.ts'

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
export interface SharedSchemas {
  /** The schemas of every document, by name. */
  readonly schemas: Readonly<Record<string, ApiSchema>>
  /** Replaces each of them by a reference. */
  name<Value>(value: Value): Value
}

/** Describes the schemas of the protocol, with references between them. */
export const sharedSchemas = (): SharedSchemas => {
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
