/**
 * Cuts a text into the pieces a model streams: a word with the blanks after it. Joined they are the text again.
 *
 * @example splitWords('It is 14 °C.') // ['It ', 'is ', '14 ', '°C.']
 */
export const splitWords = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? []
