const shortest = 10

/** What is tried first, whatever stands before, behind or between. */
const guessed =
  /pass(word|wort|phrase)?|kennwort|qwert[yz]uiop|qwert[yz]|asdfghjkl|i?loveyou|letmein|welcome|sibyl|oracle|1234567890|0123456789|123456789|1234567?8?|abcdefghij|abcdef/g

/**
 * What is wrong with a new passphrase: too short, or guessed at once. That is no measure of its strength, which nobody can
 * compute; it keeps out what locks nothing.
 */
export const passphraseFault = (passphrase: string): string | undefined => {
  if (passphrase.length < shortest) return `Take at least ${shortest} characters.`
  const left = passphrase.normalize('NFKC').toLowerCase().replace(guessed, '')
  if (new Set(left).size >= 5) return undefined
  return 'That is guessed at once. Take several words that do not belong together.'
}
