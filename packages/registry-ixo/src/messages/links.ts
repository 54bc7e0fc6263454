import { didText, memberName } from '@sibyl/protocol'
import type { ChainLink } from './chain-message.ts'

/** One edge of an entity: a relationship's name, and the DID that it leads to. */
export interface Edge {
  readonly name: string
  readonly to: string
}

/** All edges of relationships as they are given, each once. */
export const edgesOf = (relationships: Readonly<Record<string, string | readonly string[] | null>>): Edge[] =>
  Object.entries(relationships).flatMap(([name, to]) =>
    [...new Set(to === null ? [] : typeof to === 'string' ? [to] : to)].map(one => ({ name, to: one })),
  )

/** An edge as a document has it. */
export const chainLink = ({ name, to }: Edge): ChainLink => ({
  type: 'entity',
  id: to,
  relationship: name,
  service: '',
})

/** The edge of a link; undefined for what other software wrote and an entity cannot have, such as its accounts. */
export const readLink = ({ id, relationship }: ChainLink): Edge | undefined =>
  didText.safeParse(id).success && memberName.safeParse(relationship).success
    ? { name: relationship, to: id }
    : undefined
