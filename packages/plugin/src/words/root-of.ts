/** Endings of words, and how many letters must be left without them. */
const endings: readonly (readonly [string, number])[] = [
  ['ation', 4],
  ['ment', 4],
  ['ness', 4],
  ['anc', 4],
  ['enc', 4],
  ['abl', 4],
  ['ing', 3],
  ['ion', 4],
  ['ist', 4],
  ['ful', 4],
  ['ed', 3],
  ['er', 3],
  ['or', 4],
  ['li', 3],
  ['al', 4],
  ['ic', 4],
  ['iv', 4],
  ['ag', 4],
  ['at', 4],
]
const maxEndings = 2
const inflects = /^[a-z]{4,}$/
const doubled = /([^aeiou])\1$/

/**
 * Returns what an English word shares with its relatives: 'worked', 'working' and 'worker' with 'work', 'married' and
 * 'marriage' with 'marry'. It is compared, never shown. Words with digits stay as they are; a word of another language may lose
 * an ending, wherever it stands.
 *
 * @param stem word of `searchWords`
 * @example rootOf('allergi') === rootOf('allergic')
 */
export const rootOf = (stem: string): string => {
  if (!inflects.test(stem)) return stem
  let root = stem
  for (let cut = 0; cut < maxEndings; cut += 1) {
    const ending = endings.find(([letters, least]) => root.endsWith(letters) && root.length - letters.length >= least)
    if (ending === undefined) break
    root = root.slice(0, -ending[0].length)
  }
  if (root.length > 4 && root.endsWith('i')) root = root.slice(0, -1)
  return root.length > 3 && doubled.test(root) ? root.slice(0, -1) : root
}
