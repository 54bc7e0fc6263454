import type { JsonValue } from '@sibyl/protocol'

/** A JSON object, such as a credential. */
export type JsonObject = { readonly [member: string]: JsonValue }
