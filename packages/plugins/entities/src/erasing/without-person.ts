import type { JsonValue } from '@sibyl/protocol'
import type { ChainLink } from '../history/verify-chain.ts'

/** The members of a change that people wrote. A Protocol's are a template for others, and stay. */
const personalMembers: readonly string[] = ['properties', 'services', 'alsoKnownAs']

/** Whose link is erased, and what of it. */
export interface LinkErasing {
  readonly did: string
  /** Takes the place of the DID. */
  readonly mark: string
  /** Whether the entity was the person's, so that what its changes say goes as well. */
  readonly isTheirs: boolean
}

/** Returns the part of a link that stays after an erasure; the link itself where it says nothing of the person. */
export const withoutPerson = (link: ChainLink, { did, mark, isTheirs }: LinkErasing): ChainLink => {
  const left = isTheirs ? withoutMembers(link.change) : link.change
  const change = replaced(left, did, mark)
  const by = link.by === did ? mark : link.by
  return by === link.by && change === link.change ? link : { ...link, by, change }
}

const withoutMembers = (change: JsonValue): JsonValue => {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) return change
  if (!Object.keys(change).some(name => personalMembers.includes(name))) return change
  return Object.fromEntries(Object.entries(change).filter(([name]) => !personalMembers.includes(name)))
}

/** A value with a DID replaced wherever it stands; the same value where it stands nowhere. */
const replaced = (value: JsonValue, did: string, mark: string): JsonValue => {
  if (value === did) return mark
  if (typeof value !== 'object' || value === null || !JSON.stringify(value).includes(did)) return value
  if (Array.isArray(value)) return value.map(item => replaced(item, did, mark))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, did, mark)]))
}
