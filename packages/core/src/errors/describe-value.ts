/**
 * The kind of the expected value, which selects the description of a wrong one; `less` and `more` are numbers beyond a
 * limit.
 */
export type ExpectedKind = 'url' | 'number' | 'less' | 'more' | 'text'

/** Describes the kind of a setting, never its value: "11 characters, no scheme", "a word that is not a number". */
export const describeValue = (value: unknown, expected: ExpectedKind = 'text'): string => {
  if (typeof value !== 'string') return describeType(value)
  const text = value.trim()
  if (text === '') return 'nothing'
  const length = `${text.length} ${text.length === 1 ? 'character' : 'characters'}`
  switch (expected) {
    case 'url':
      if (/\s/.test(text)) return `${length} with white space inside`
      return /^[a-z][a-z0-9+.-]*:/i.test(text) ? length : `${length}, no scheme`
    case 'number':
      return describeNumber(text)
    case 'less':
    case 'more':
      return `${expected} than that`
    default:
      return length
  }
}

const describeNumber = (text: string): string => {
  const number = Number(text)
  if (Number.isNaN(number)) return /\d/.test(text) ? 'a text that is not a number' : 'a word that is not a number'
  return Number.isFinite(number) && !Number.isInteger(number) ? 'a number with a fraction' : 'another number'
}

/** Returns the type of a wrong value: "a function", "a list", "null". */
export const describeType = (value: unknown): string => {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
