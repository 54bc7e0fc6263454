/** Words that point at something without naming it, in front of a noun. */
const determiners = 'the a an this that these those my your his her its our their some any'
const pronouns = `mine yours hers ours theirs i me you he him she it we us they them myself yourself himself herself itself
  ourselves themselves someone somebody something anyone anybody anything`

const determinerSet = new Set(determiners.split(' '))
const pointing = new Set([...determinerSet, ...pronouns.split(/\s+/)])

/** Whether a normalized word is an article, a demonstrative or a possessive. */
export const isDeterminer = (word: string): boolean => determinerSet.has(word)

/** Whether a value consists of pronouns and determiners alone: 'it', 'my', 'this one'. */
export const onlyPoints = (value: string): boolean => {
  const words = value
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const named = words.length > 1 ? words.filter(word => word !== 'one' && word !== 'ones') : words
  return words.length > 0 && named.every(word => pointing.has(word))
}

/** A value without the determiners in front of it: 'my ladder' is 'ladder'. */
export const withoutDeterminer = (value: string): string => {
  const words = value.split(/\s+/)
  const first = words.findIndex(word => !isDeterminer(word.toLowerCase()))
  return first < 1 ? value : words.slice(first).join(' ')
}
