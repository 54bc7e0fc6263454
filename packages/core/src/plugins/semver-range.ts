interface Version {
  readonly numbers: readonly number[]
  readonly prerelease: readonly string[]
}

interface Comparator {
  readonly accepts: (version: Version) => boolean
  readonly bound: Version
}

const place = String.raw`(\d{1,9}|[x*])`
const suffix = String.raw`(?:-([0-9a-z.-]+))?(?:\+[0-9a-z.-]+)?`
const comparatorForm = new RegExp(`^([<>]=?|[=^~])?v?${place}(?:\\.${place}(?:\\.${place}${suffix})?)?$`, 'i')
const versionForm = new RegExp(String.raw`^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})${suffix}$`, 'i')

/** Returns whether a text is a version of Semantic Versioning 2.0.0: '1.2.3', '1.2.3-rc.1'. */
export const isVersion = (text: string): boolean => versionForm.test(text)

/**
 * Returns whether a version is in a range: `1.2.3`, `^1.2`, `~1.2.3`, `>=1.2 <2`, `1.x`, `*`, alternatives by `||`. A
 * prerelease is in a range only if the range names a prerelease of the same version, as in npm.
 *
 * @returns undefined when the version or the range is invalid
 */
export const inRange = (version: string, range: string): boolean | undefined => {
  const [whole, ...numbers] = versionForm.exec(version) ?? []
  if (whole === undefined || range.length > 200) return undefined
  const parsed = { numbers: numbers.slice(0, 3).map(Number), prerelease: numbers[3]?.split('.') ?? [] }
  const accepted = range.split('||').map(text => isAccepted(parsed, text.trim()))
  return accepted.includes(undefined) ? undefined : accepted.includes(true)
}

const isAccepted = (version: Version, alternative: string): boolean | undefined => {
  const comparators = alternative
    .replace(/([<>=^~])\s+/g, '$1')
    .split(/\s+/)
    .map(parseComparator)
  if (!comparators.every(one => one !== undefined)) return undefined
  const namesPrerelease = ({ bound }: Comparator) =>
    bound.prerelease.length > 0 && bound.numbers.join() === version.numbers.join()
  return (
    comparators.every(({ accepts }) => accepts(version)) &&
    (version.prerelease.length === 0 || comparators.some(namesPrerelease))
  )
}

const parseComparator = (text: string): Comparator | undefined => {
  const [whole, operator = '=', ...places] = comparatorForm.exec(text || '*') ?? []
  if (whole === undefined) return undefined
  const open = places.findIndex((one, index) => index === 3 || one === undefined || /[x*]/i.test(one))
  const given = places.slice(0, open).map(Number)
  const isExact = given.length === 3
  const bound = {
    numbers: [0, 1, 2].map(index => given[index] ?? 0),
    prerelease: isExact ? (places[3]?.split('.') ?? []) : [],
  }
  const end = firstAfter(given, fixedPlace(operator, given))
  const isBefore = (version: Version) => end === undefined || compare(version, end) < 0
  const order = (version: Version) => compare(version, bound)
  const accepts: Readonly<Record<string, Comparator['accepts']>> = {
    '>=': version => order(version) >= 0,
    '<': version => order(version) < 0,
    '>': version => (isExact ? order(version) > 0 : !isBefore(version)),
    '<=': version => (isExact ? order(version) <= 0 : isBefore(version)),
    '=': version => (isExact ? order(version) === 0 : order(version) >= 0 && isBefore(version)),
  }
  return { accepts: accepts[operator] ?? (version => order(version) >= 0 && isBefore(version)), bound }
}

/** Returns the position of the last number that stays: with a caret that of the first number that is not zero. */
const fixedPlace = (operator: string, given: readonly number[]): number => {
  if (operator === '~') return Math.min(1, given.length - 1)
  const positive = given.findIndex(number => number > 0)
  return operator === '^' && positive >= 0 ? positive : given.length - 1
}

/** Returns the first version after those with the same numbers up to a position, if any. */
const firstAfter = (given: readonly number[], last: number): Version | undefined => {
  const numbers = [0, 1, 2].map(index => (index > last ? 0 : (given[index] ?? 0) + (index === last ? 1 : 0)))
  return last < 0 ? undefined : { numbers, prerelease: ['0'] }
}

const compare = (one: Version, other: Version): number => {
  const difference = one.numbers.map((number, index) => number - (other.numbers[index] ?? 0)).find(by => by !== 0)
  return difference ?? comparePrerelease(one.prerelease, other.prerelease)
}

const comparePrerelease = (one: readonly string[], other: readonly string[]): number => {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (const [index, left] of one.entries()) {
    const right = other[index]
    if (right === undefined) return 1
    if (left === right) continue
    const [isLeftNumeric, isRightNumeric] = [/^\d+$/.test(left), /^\d+$/.test(right)]
    if (isLeftNumeric && isRightNumeric) return Number(left) - Number(right)
    if (isLeftNumeric !== isRightNumeric) return isLeftNumeric ? -1 : 1
    return left < right ? -1 : 1
  }
  return one.length - other.length
}
