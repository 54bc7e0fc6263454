import { didText, type EntityCreation, type EntityPatch, type Fault, jsonPointer } from '@sibyl/protocol'
import { NotExpressibleError } from '../errors/entity-errors.ts'
import { edgesOf } from './links.ts'
import { mostPropertyBytes } from './properties-resource.ts'

/**
 * Refuses what the chain has no place for, all of it at once.
 *
 * @throws NotExpressibleError (`chain_not_expressible`)
 */
export const mustBeExpressible = (change: EntityCreation | EntityPatch): void => {
  const faults = [...missingMembers(change), ...propertyFaults(change), ...serviceFaults(change), ...linkFaults(change)]
  if (faults.length > 0) throw new NotExpressibleError(faults)
}

const fault = (path: readonly (string | number)[], message: string): Fault => ({
  path: path.reduce<string>(jsonPointer, ''),
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

function* missingMembers(change: EntityCreation | EntityPatch): Generator<Fault> {
  for (const [name, message] of Object.entries(unknownMembers)) {
    if ((change as Record<string, unknown>)[name] !== undefined) yield fault([name], message)
  }
  if ('type' in change && change.type === 'oracle') yield fault(['type'], 'must be Oracle')
  if ((change.alsoKnownAs?.length ?? 0) > 1)
    yield fault(['alsoKnownAs'], 'may have one name: the chain stores only one')
  const [name] = change.alsoKnownAs ?? []
  if (name?.isWellFormed() === false) yield fault(['alsoKnownAs', 0], 'has half of a surrogate pair')
}

function* propertyFaults({ properties }: EntityCreation | EntityPatch): Generator<Fault> {
  if (properties && Buffer.byteLength(JSON.stringify(properties)) > mostPropertyBytes)
    yield fault(['properties'], `have more than ${mostPropertyBytes} bytes of JSON`)
}

function* serviceFaults({ services }: EntityCreation | EntityPatch): Generator<Fault> {
  const seen = new Set<string>()
  for (const [index, { id, type }] of (services ?? []).entries()) {
    if (seen.has(id)) yield fault(['services', index, 'id'], 'comes twice')
    if (!type.isWellFormed() || type.trim() === '') yield fault(['services', index, 'type'], 'is not a string')
    seen.add(id)
  }
}

function* linkFaults({ relationships = {} }: EntityCreation | EntityPatch): Generator<Fault> {
  const seen = new Map<string, string>()
  for (const { name, to } of edgesOf(relationships)) {
    if (!didText.safeParse(to).success) yield fault(['relationships', name], 'must have DIDs as targets')
    const other = seen.get(to)
    if (other !== undefined)
      yield fault(
        ['relationships', name],
        `have the same target as ${other}: the chain stores one relationship per DID`,
      )
    seen.set(to, name)
  }
}
