import type { JsonValue } from '@sibyl/protocol'

/** Data of an export: JSON, with iterables for lists that are read page by page. */
export type PersonalData =
  | JsonValue
  | AsyncIterable<PersonalData>
  | readonly PersonalData[]
  | { readonly [name: string]: PersonalData | undefined }
