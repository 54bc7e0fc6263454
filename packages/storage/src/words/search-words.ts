/** Longer words are truncated: users do not type them, and an index has its own limits. */
const maxWordLength = 48

/** Letters that Unicode does not take apart. */
const foldings: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  þ: 'th',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ŋ: 'n',
}

/** Scripts that put no spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u
const runs =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu
const letters = /[\p{L}\p{N}]+/gu
const plain = /^[\x20-\x7e]*$/
const asciiWords = /[a-z0-9]+/g
const oneWord = /^[a-z0-9]*$/

/** So many times longer a text may become when it is taken apart: Korean does three times, single letters eighteen times. */
const maxExpanded = 4

/** Lower case without diacritics and ligatures. */
const fold = (text: string): string =>
  plain.test(text)
    ? text.toLowerCase()
    : text
        .normalize('NFKD')
        .slice(0, maxExpanded * text.length)
        .replace(/\p{M}/gu, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(/[ßæœøđðłħıþɓɗƙŋ]/g, letter => foldings[letter] ?? letter)

/**
 * Returns the common stem of a word and its plural in English and French: 'stoves' and 'stove' are both 'stov',
 * 'batteries' and 'battery' both 'batteri'. It is compared, never shown. A long word is truncated first, to limit the
 * cost.
 */
const stem = (whole: string): string => {
  const word = whole.slice(0, maxWordLength)
  if (word.length < 4) return word
  const singular = /[^s]s$/.test(word) ? word.slice(0, -1) : word
  const bare = singular.replace(/(?<=...)e+$/, '')
  return bare.endsWith('y') ? `${bare.slice(0, -1)}i` : bare
}

const wordsOfRun = (run: string): readonly string[] => {
  if (!unspaced.test(run)) return [stem(run)]
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/**
 * The words of a text as they are compared: folded to lower case without diacritics, without the endings of plurals. Texts
 * of scripts without spaces become pairs of characters. Indexes in the database are given these words and nothing else, so
 * that both engines find the same.
 *
 * @example searchWords('Améliorés: 12 cook-stoves!') // ['amelior', '12', 'cook', 'stov']
 */
export const searchWords = (text: string): readonly string[] => {
  const folded = fold(text)
  if (plain.test(folded)) return folded.match(asciiWords)?.map(stem) ?? []
  return (folded.match(letters) ?? []).flatMap(word => word.match(runs) ?? []).flatMap(wordsOfRun)
}

/** Cuts names such as `CleanCookingDevice`, `fuel_type` and `ACE-1` into their parts. */
export const nameParts = (name: string): string =>
  oneWord.test(name)
    ? name
    : name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ').replaceAll('_', ' ')

/** A name as one word, whatever case, spaces and plural it is written with: `CookStove` and 'cook stoves' are the same. */
export const joinedWord = (name: string): string => searchWords(nameParts(name)).join('').slice(0, maxWordLength)
