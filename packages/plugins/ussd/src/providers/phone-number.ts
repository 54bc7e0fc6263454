/**
 * Writes a phone number as E.164 has it. Providers send it with its plus, without it, with the plus of a form decoded into a
 * space, with `00` before it, or in groups.
 *
 * @param given `+233244123456`, `233244123456`, ` 233244123456`
 * @returns `+233244123456`; undefined for what is no international number, such as a national one: `0244123456`
 */
export const e164 = (given: string): string | undefined => {
  if (given.length > maxCharacters) return undefined
  const digits = given.replace(/[ \-().]/g, '').replace(/^(\+|00)/, '')
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : undefined
}

const maxCharacters = 32
