import type { Access } from '@sibyl/plugin/host'
import type { JsonSchema } from './schema-text.ts'

/** The parts of an oracle's OpenAPI document that the page shows. */
export interface ApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Answer>>
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
  }
}

/** One route. */
export interface Operation {
  readonly tags: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, Answer>>
  readonly 'x-owner': string
  readonly 'x-access': Access
}

/** An answer, or a reference to one that several routes share. */
export interface Answer {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Contents
}

/** Bodies by media type. */
export type Contents = Readonly<Record<string, { readonly schema?: JsonSchema }>>

/** A route with its place. */
export interface RouteOfDocument {
  /** `GET /sessions/{id}` */
  readonly name: string
  readonly operation: Operation
}

/** All routes, in the order of the document. */
export const routesOf = ({ paths }: ApiDocument): RouteOfDocument[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
