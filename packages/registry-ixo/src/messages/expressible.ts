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
  protocolVersion: 'has no place: a protocol of the chain has no versions',
  pendingController: 'has no place: the chain asks no consent of a controller',
  retiredVersions: 'have no place: a protocol of the chain has no versions',
  membershipGroups: 'have no place: register each group as an entity',
  claim: 'has no place: the chain keeps claims in a module of its own',
  domainClass: 'has no place: the class follows from the type',
} as const

function* missingMembers(change: EntityCreation | EntityPatch): Generator<Fault> {
  for (const [name, message] of Object.entries(unknownMembers)) {
    if ((change as Record<string, unknown>)[name] !== undefined) yield fault([name], message)
  }
  if ('type' in change && change.type === 'oracle') yield fault(['type'], 'must be written Oracle')
  if ((change.alsoKnownAs?.length ?? 0) > 1)
    yield fault(['alsoKnownAs'], 'may have one name: the chain keeps no second')
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
    if (!type.isWellFormed() || type.trim() === '') yield fault(['services', index, 'type'], 'is no text')
    seen.add(id)
  }
}

function* linkFaults({ relationships = {} }: EntityCreation | EntityPatch): Generator<Fault> {
  const seen = new Map<string, string>()
  for (const { name, to } of edgesOf(relationships)) {
    if (!didText.safeParse(to).success) yield fault(['relationships', name], 'must lead to DIDs')
    const other = seen.get(to)
    if (other !== undefined)
      yield fault(['relationships', name], `lead where ${other} leads: the chain keeps one relationship to a DID`)
    seen.set(to, name)
  }
}
