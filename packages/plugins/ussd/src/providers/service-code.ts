/**
 * Writes a USSD code in full: `713*2` and `*713*2#` are `*713*2#`.
 *
 * @returns empty for what is no code, such as the id of a service that is reached without one
 */
export const serviceCode = (given: string): string => inFull(/^\*?(\d+(?:\*\d+)*)#?$/, given)

/**
 * Writes what was dialled in full. Other than a service code it needs its star: an answer of digits alone is no code.
 *
 * @returns empty for what is no code
 */
export const dialledCode = (given: string): string => inFull(/^\*(\d+(?:\*\d+)*)#?$/, given)

const inFull = (form: RegExp, given: string): string => {
  const inner = given.length > maxCharacters ? undefined : form.exec(given.trim())?.[1]
  return inner === undefined ? '' : `*${inner}#`
}

const maxCharacters = 182
