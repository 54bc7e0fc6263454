import type { Fault } from '@sibyl/protocol'
import { type FaultCode, FaultList } from '../errors/fault-list.ts'
import { checkJson } from '../protocols/check-json.ts'
import type { NewEntity, UnsignedEntity } from '../records/stored-entity.ts'
import type { Relationships } from './relationship-targets.ts'

/** Maximum size of an entity's JSON, and of one change, in bytes. */
export const maxEntityBytes = 100_000

const maxProperties = 500

export const maxTargets = 1_000

/** Creates a problem from its path (JSON Pointer), code and text. */
export const faultOf = (path: string, code: FaultCode, message: string): Fault => ({ path, code, message })

/** Returns every problem in the sizes and strings of a write; the protocol's rules check properties. */
export const limitFaults = ({
  properties = {},
  relationships = {},
  ...parts
}: Partial<Pick<NewEntity, 'properties' | 'services' | 'alsoKnownAs' | 'membershipGroups' | 'claim'>> & {
  readonly relationships?: Relationships
}): readonly Fault[] => {
  const faults = new FaultList()
  if (Object.keys(properties).length > maxProperties) {
    faults.add('/properties', 'too_many', `An entity may have at most ${maxProperties} properties.`)
  }
  if (Object.values(relationships).reduce((sum, targets) => sum + targets.length, 0) > maxTargets) {
    faults.add('/relationships', 'too_many', `One request may have at most ${maxTargets} targets.`)
  }
  const { services = [], alsoKnownAs = [], membershipGroups = [], claim = null } = parts
  for (const [name, value] of Object.entries({ services, alsoKnownAs, membershipGroups, claim })) {
    checkJson(value, `/${name}`, faults)
  }
  const ids = services.map(({ id }) => id)
  checkDistinct(ids, index => `/services/${index}/id`, faults)
  checkDistinct(alsoKnownAs, index => `/alsoKnownAs/${index}`, faults)
  checkDistinct(membershipGroups, index => `/membershipGroups/${index}`, faults)
  return faults.all
}

/** Returns the problem of a value that is too large as JSON; empty otherwise. */
export const sizeFaults = (value: object): readonly Fault[] => {
  const text = JSON.stringify(value)
  const fits = text.length * 3 <= maxEntityBytes || Buffer.byteLength(text) <= maxEntityBytes
  return fits ? [] : [tooLarge]
}

/** Returns the problem of an entity that is too large; issued credentials do not count. */
export const entitySizeFaults = ({ properties, services, alsoKnownAs, claim, definition }: UnsignedEntity) =>
  sizeFaults({ properties, services, alsoKnownAs, claim, definition })

const tooLarge: Fault = faultOf(
  '',
  'too_large',
  `An entity may have at most ${maxEntityBytes} bytes of JSON. Store documents elsewhere, and their hashes here.`,
)

/** Returns the problem of a member that only another kind of entity has. @param whose `a Protocol` */
export const misplacedFault = (member: string, whose: string): Fault =>
  faultOf(`/${member}`, 'not_allowed_here', `Only ${whose} has this member.`)

const checkDistinct = (texts: readonly string[], path: (index: number) => string, faults: FaultList): void => {
  const seen = new Set<string>()
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) faults.add(path(index), 'repeated_value', 'Is repeated.')
    seen.add(text)
  }
}

/** Maximum number of credentials in a record, the latest; the history has all. */
export const maxShownCredentials = 1_000
