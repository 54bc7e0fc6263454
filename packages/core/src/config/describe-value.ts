/**
 * Says of what kind a setting is and never what it is: "11 characters, no scheme", "a word that is not a number".
 *
 * @param expected What was asked for, so that the kind helps: a URL, a number or anything.
 */
export const describeValue = (value: unknown, expected: 'url' | 'number' | 'text' = 'text'): string => {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value !== 'string') return describeType(value)
  const text = value.trim()
  if (text === '') return 'nothing'
  const length = `${text.length} ${text.length === 1 ? 'character' : 'characters'}`
  if (expected === 'url') {
    if (/\s/.test(text)) return `${length} with white space inside`
    return /^[a-z][a-z0-9+.-]*:/i.test(text) ? `${length}` : `${length}, no scheme`
  }
  if (expected === 'number') return describeNumber(text)
  return length
}

const describeNumber = (text: string): string => {
  const number = Number(text)
  if (Number.isNaN(number)) return /\d/.test(text) ? 'a text that is not a number' : 'a word that is not a number'
  if (!Number.isFinite(number)) return 'a number without end'
  if (!Number.isInteger(number)) return 'a number with a fraction'
  return number < 0 ? 'a number below 0' : `a number of ${String(Math.abs(number)).length} digits`
}

/** The type of a value that should have been something else: "a function", "a list", "null". */
export const describeType = (value: unknown): string => {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Promise) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
