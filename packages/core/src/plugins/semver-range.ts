interface Version {
  readonly numbers: readonly [number, number, number]
  readonly prerelease: readonly string[]
}

type Comparator = (version: Version) => boolean

interface PartialVersion {
  /** The given numbers of major, minor and patch; x, X and * end them. */
  readonly given: readonly number[]
  readonly prerelease: readonly string[]
}

const versionForm = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?$/i
const partialForm = /^v?(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*])(?:\.(\d{1,9}|[x*])(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?)?)?$/i

/** Returns whether a text is a version of Semantic Versioning 2.0.0: '1.2.3', '1.2.3-rc.1'. */
export const isVersion = (text: string): boolean => parseVersion(text) !== undefined

/**
 * Returns whether a version is in a range: `1.2.3`, `^1.2`, `~1.2.3`, `>=1.2 <2`, `1.x`, `*`, alternatives by `||`. A
 * prerelease is in a range only if the range names a prerelease of the same version, as in npm.
 *
 * @returns undefined when the version or the range is invalid
 */
export const inRange = (version: string, range: string): boolean | undefined => {
  const parsed = parseVersion(version)
  if (!parsed || range.length > 200) return undefined
  const alternatives = range.split('||').map(part => parseAlternative(part.trim()))
  if (alternatives.some(alternative => alternative === undefined)) return undefined
  return alternatives.some(alternative => alternative?.(parsed))
}

const parseVersion = (text: string): Version | undefined => {
  const match = versionForm.exec(text)
  if (!match) return undefined
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], prerelease: match[4]?.split('.') ?? [] }
}

const parseAlternative = (text: string): Comparator | undefined => {
  const parts = text.replace(/(<=|>=|[<>=^~])\s+/g, '$1').split(/\s+/)
  const parsed = parts.map(parseComparator)
  if (parsed.some(one => one === undefined)) return undefined
  const comparators = parsed.filter(one => one !== undefined)
  return version =>
    comparators.every(({ test }) => test(version)) &&
    (version.prerelease.length === 0 ||
      comparators.some(({ bound }) => bound.prerelease.length > 0 && sameNumbers(bound, version)))
}

const parseComparator = (text: string): { test: Comparator; bound: Version } | undefined => {
  const operator = /^(<=|>=|[<>=^~])?/.exec(text)?.[0] ?? ''
  const partial = parsePartial(text.slice(operator.length) || (operator === '' ? '*' : ''))
  if (!partial) return undefined
  const bound = lowest(partial)
  const atLeast: Comparator = version => compare(version, bound) >= 0
  const below =
    (end: Version | undefined): Comparator =>
    version =>
      !end || compare(version, end) < 0
  const both =
    (one: Comparator, other: Comparator): Comparator =>
    version =>
      one(version) && other(version)
  const end = after(partial, partial.given.length - 1)
  switch (operator) {
    case '>=':
      return { test: atLeast, bound }
    case '<':
      return { test: below(bound), bound }
    case '>':
      return {
        test: partial.given.length < 3 ? version => !below(end)(version) : version => compare(version, bound) > 0,
        bound,
      }
    case '<=':
      return { test: partial.given.length < 3 ? below(end) : version => compare(version, bound) <= 0, bound }
    case '~':
      return { test: both(atLeast, below(after(partial, Math.min(1, partial.given.length - 1)))), bound }
    case '^':
      return { test: both(atLeast, below(after(partial, caretPlace(partial)))), bound }
    default:
      return {
        test: partial.given.length < 3 ? both(atLeast, below(end)) : version => compare(version, bound) === 0,
        bound,
      }
  }
}

const parsePartial = (text: string): PartialVersion | undefined => {
  const match = partialForm.exec(text)
  if (!match) return undefined
  const places = match.slice(1, 4)
  const open = places.findIndex(place => place === undefined || /[x*]/i.test(place))
  const given = (open === -1 ? places : places.slice(0, open)).map(Number)
  return { given, prerelease: given.length === 3 ? (match[4]?.split('.') ?? []) : [] }
}

const lowest = ({ given, prerelease }: PartialVersion): Version => ({
  numbers: [given[0] ?? 0, given[1] ?? 0, given[2] ?? 0],
  prerelease,
})

/** Returns the first version after those with the same numbers up to that position, if any. */
const after = ({ given }: PartialVersion, place: number): Version | undefined => {
  if (place < 0) return undefined
  const numbers: [number, number, number] = [0, 0, 0]
  for (let index = 0; index <= place; index += 1) numbers[index] = (given[index] ?? 0) + (index === place ? 1 : 0)
  return { numbers, prerelease: ['0'] }
}

/** Returns the position that a caret fixes: the leftmost number that is not zero, or the last given one. */
const caretPlace = ({ given }: PartialVersion): number => {
  const place = given.findIndex(number => number > 0)
  return place === -1 ? given.length - 1 : place
}

const sameNumbers = (one: Version, other: Version): boolean =>
  one.numbers.every((number, index) => number === other.numbers[index])

const compare = (one: Version, other: Version): number => {
  for (const [index, number] of one.numbers.entries()) {
    const difference = number - (other.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  return comparePrerelease(one.prerelease, other.prerelease)
}

const comparePrerelease = (one: readonly string[], other: readonly string[]): number => {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const left = one[index]
    const right = other[index]
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1
    if (left === right) continue
    const numeric = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (numeric[0] && numeric[1]) return Number(left) - Number(right)
    if (numeric[0] !== numeric[1]) return numeric[0] ? -1 : 1
    return left < right ? -1 : 1
  }
  return 0
}
