import type { EntityCreation, EntityPatch } from '@sibyl/plugin-entities/records'
import { didText, jsonPointer, type Violation } from '@sibyl/protocol'
import { NotExpressibleError } from '../errors/entity-errors.ts'
import { edgesOf } from './links.ts'
import { maxPropertyBytes } from './properties-resource.ts'

/**
 * Refuses what the chain has no place for, all of it at once.
 *
 * @throws NotExpressibleError (`chain_not_expressible`)
 */
export const mustBeExpressible = (change: EntityCreation | EntityPatch): void => {
  const violations = [
    ...missingMembers(change),
    ...propertyViolations(change),
    ...serviceViolations(change),
    ...linkViolations(change),
  ]
  if (violations.length > 0) throw new NotExpressibleError(violations)
}

const violation = (path: readonly (string | number)[], message: string): Violation => ({
  path: jsonPointer('', ...path),
  code: 'chain_not_expressible',
  message,
})

/** Members that the modules of the chain know nothing like. */
const unknownMembers = {
  protocolVersion: 'is not supported: a protocol of the chain has no versions',
  pendingController: 'is not supported: the chain does not ask a controller for consent',
  retiredVersions: 'are not supported: a protocol of the chain has no versions',
  membershipGroups: 'are not supported: register each group as an entity',
  claim: 'is not supported: the chain stores claims in a separate module',
  domainClass: 'is not supported: the class follows from the type',
} as const

function* missingMembers(change: EntityCreation | EntityPatch): Generator<Violation> {
  for (const [name, message] of Object.entries(unknownMembers)) {
    if ((change as Record<string, unknown>)[name] !== undefined) yield violation([name], message)
  }
  if ('type' in change && change.type === 'oracle') yield violation(['type'], 'must be Oracle')
  if ((change.alsoKnownAs?.length ?? 0) > 1)
    yield violation(['alsoKnownAs'], 'may have one name: the chain stores only one')
  const [name] = change.alsoKnownAs ?? []
  if (name?.isWellFormed() === false) yield violation(['alsoKnownAs', 0], 'has half of a surrogate pair')
}

function* propertyViolations({ properties }: EntityCreation | EntityPatch): Generator<Violation> {
  if (properties && Buffer.byteLength(JSON.stringify(properties)) > maxPropertyBytes)
    yield violation(['properties'], `have more than ${maxPropertyBytes} bytes of JSON`)
}

function* serviceViolations({ services }: EntityCreation | EntityPatch): Generator<Violation> {
  const seen = new Set<string>()
  for (const [index, { id, type }] of (services ?? []).entries()) {
    if (seen.has(id)) yield violation(['services', index, 'id'], 'comes twice')
    if (!type.isWellFormed() || type.trim() === '') yield violation(['services', index, 'type'], 'is not a string')
    seen.add(id)
  }
}

function* linkViolations({ relationships = {} }: EntityCreation | EntityPatch): Generator<Violation> {
  const seen = new Map<string, string>()
  for (const { name, to } of edgesOf(relationships)) {
    if (!didText.safeParse(to).success) yield violation(['relationships', name], 'must have DIDs as targets')
    const other = seen.get(to)
    if (other !== undefined)
      yield violation(
        ['relationships', name],
        `have the same target as ${other}: the chain stores one relationship per DID`,
      )
    seen.set(to, name)
  }
}
