import type { Violation } from '@sibyl/protocol'
import { type ErrorCode, ViolationList } from '../errors/violation-list.ts'
import { checkJson } from '../protocols/check-json.ts'
import type { NewEntity, UnsignedEntity } from '../records/stored-entity.ts'
import type { Relationships } from './relationship-targets.ts'

/** Maximum size of an entity's JSON, and of one change, in bytes. */
export const maxEntityBytes = 100_000

const maxProperties = 500

export const maxTargets = 1_000

/** Creates a problem from its path (JSON Pointer), code and text. */
export const violationOf = (path: string, code: ErrorCode, message: string): Violation => ({ path, code, message })

/** Returns every problem in the sizes and strings of a write; the protocol's rules check properties. */
export const limitViolations = ({
  properties = {},
  relationships = {},
  ...parts
}: Partial<Pick<NewEntity, 'properties' | 'services' | 'alsoKnownAs' | 'membershipGroups' | 'claim'>> & {
  readonly relationships?: Relationships
}): readonly Violation[] => {
  const violations = new ViolationList()
  if (Object.keys(properties).length > maxProperties) {
    violations.add('/properties', 'too_many', `An entity may have at most ${maxProperties} properties.`)
  }
  if (Object.values(relationships).reduce((sum, targets) => sum + targets.length, 0) > maxTargets) {
    violations.add('/relationships', 'too_many', `One request may have at most ${maxTargets} targets.`)
  }
  const { services = [], alsoKnownAs = [], membershipGroups = [], claim = null } = parts
  for (const [name, value] of Object.entries({ services, alsoKnownAs, membershipGroups, claim })) {
    checkJson(value, `/${name}`, violations)
  }
  const ids = services.map(({ id }) => id)
  checkDistinct(ids, index => `/services/${index}/id`, violations)
  checkDistinct(alsoKnownAs, index => `/alsoKnownAs/${index}`, violations)
  checkDistinct(membershipGroups, index => `/membershipGroups/${index}`, violations)
  return violations.all
}

/** Returns the problem of a value that is too large as JSON; empty otherwise. */
export const sizeViolations = (value: object): readonly Violation[] => {
  const text = JSON.stringify(value)
  const fits = text.length * 3 <= maxEntityBytes || Buffer.byteLength(text) <= maxEntityBytes
  return fits ? [] : [tooLarge]
}

/** Returns the problem of an entity that is too large; issued credentials do not count. */
export const entitySizeViolations = ({ properties, services, alsoKnownAs, claim, definition }: UnsignedEntity) =>
  sizeViolations({ properties, services, alsoKnownAs, claim, definition })

const tooLarge: Violation = violationOf(
  '',
  'too_large',
  `An entity may have at most ${maxEntityBytes} bytes of JSON. Store documents elsewhere, and their hashes here.`,
)

/** Returns the problem of a member that only another kind of entity has. @param whose `a Protocol` */
export const misplacedViolation = (member: string, whose: string): Violation =>
  violationOf(`/${member}`, 'not_allowed_here', `Only ${whose} has this member.`)

const checkDistinct = (texts: readonly string[], path: (index: number) => string, violations: ViolationList): void => {
  const seen = new Set<string>()
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) violations.add(path(index), 'repeated_value', 'Is repeated.')
    seen.add(text)
  }
}

/** Maximum number of credentials in a record, the latest; the history has all. */
export const maxShownCredentials = 1_000
