import type { Access } from '@sibyl/plugin/host'
import type { JsonValue } from '@sibyl/protocol'

/** A JSON Schema (draft 2020-12) or a reference to one. */
export type ApiSchema = { [keyword: string]: JsonValue }

/** A parameter of an operation. */
export interface ApiParameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: ApiSchema
}

/** Bodies by media type. */
export type ApiContent = Record<string, { schema?: ApiSchema; example?: JsonValue }>

/** An answer, or a reference to one that several operations share. */
export interface ApiAnswer {
  $ref?: string
  description?: string
  headers?: Record<string, JsonValue>
  content?: ApiContent
}

/** One route in the document: an Operation Object of OpenAPI 3.1 with extensions. */
export interface ApiOperation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  deprecated?: boolean
  parameters?: ApiParameter[]
  requestBody?: { required?: boolean; description?: string; content: ApiContent }
  responses: Record<string, ApiAnswer>
  security: Record<string, string[]>[]
  /** `core`, or the plugin's name. */
  'x-owner': string
  /** The enforced access. */
  'x-access': Access
  /** The route's own definition could not be described. */
  'x-undescribed'?: true
}

/** An OpenAPI document, version 3.1. */
export interface ApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations by path, then by method. */
  paths: Record<string, Record<string, ApiOperation>>
  components: {
    schemas: Record<string, ApiSchema>
    responses: Record<string, ApiAnswer>
    headers: Record<string, JsonValue>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; bearerFormat?: string; description: string }>
  }
}
