import { cleanValue, isOwnWords } from './clean-value.ts'
import { coerceValue } from './coerce-value.ts'
import { isDeterminer, withoutDeterminer } from './determiners.ts'
import type { KnownExample } from './knowledge.ts'
import { matchTemplate, type Template } from './match-template.ts'
import { type JsonSchema, placeholdersOf, type ToolInput, wordingsOf } from './offline-catalog.ts'
import { politeForms } from './polite-forms.ts'
import { type ReadText, readWords, type Word } from './read-words.ts'
import { contentWords } from './score-words.ts'

/** Words that introduce a value. */
const introducing = new Set('in at for of about on to from near around named called with by number id'.split(' '))

/** Words that end one. */
const ending = new Set(
  'in at for of about on to from with by and or but over next until now today tomorrow tonight please is are was will'.split(
    ' ',
  ),
)

const maxValueWords = 5

/** Placeholders for what to look for: all that follows its introduction. */
const searched = /query|search|topic|keyword/i

/**
 * Values for an example's placeholders from a text that fits none of its wordings: those of a wording that fits but for
 * its determiners, else what follows the word that introduces the placeholder ('in {city}'), the one number, a word of the
 * choice, or a name. What is not plain is left out, to be asked for.
 */
export const guessValues = (
  text: string,
  known: KnownExample,
  input: ToolInput | undefined,
): Readonly<Record<string, string>> => {
  const { example, templates } = known
  const fits = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).every(
      ([name, value]) => value !== '' && 'value' in coerceValue(value, schemaOf(name, example.args, input)),
    )
  return templates.flatMap(template => matchLoosely(template, text)).find(fits) ?? guessEach(text, known, input)
}

/** Finds the values one by one; a name is only taken where no word introduces it, after those that one does. */
const guessEach = (
  text: string,
  { example, templates, words }: KnownExample,
  input: ToolInput | undefined,
): Readonly<Record<string, string>> => {
  const read = readWords(text)
  const used = new Set<Word>()
  const values: Record<string, string> = {}
  const names = [...new Set(wordingsOf(example).flatMap(placeholdersOf))]
  for (const [name, byName] of [
    ...names.map(one => [one, false] as const),
    ...names.map(one => [one, true] as const),
  ]) {
    if (Object.hasOwn(values, name)) continue
    const schema = schemaOf(name, example.args, input)
    const free = isOwnWords(name) && isText(schema)
    if (free && !searched.test(name)) continue
    const introductions = templates.flatMap(({ elements }) =>
      elements.flatMap((element, index) => {
        const before = elements[index - 1]
        return 'placeholder' in element && element.placeholder === name && before && 'literal' in before
          ? [before.literal]
          : []
      }),
    )
    const known = (word: Word) => contentWords({ text: '', words: [word] }).some(one => words.weight.has(one))
    const introducedSpan = () =>
      typedWord(read, schema, used) ??
      (free ? restAfter(read, new Set(introductions)) : undefined) ??
      (isText(schema) ? introduced(read, new Set(introductions), used) : undefined)
    const span = byName ? (isText(schema) ? nameIn(read, known, used) : undefined) : introducedSpan()
    if (span === undefined) continue
    const value = cleanValue(text.slice(span[0]!.start, span.at(-1)!.end), name)
    if (value === '' || 'expected' in coerceValue(value, schema)) continue
    for (const word of span) used.add(word)
    values[name] = value
  }
  return values
}

/** The schema of the property that takes the placeholder as it is. */
const schemaOf = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  input: ToolInput | undefined,
): JsonSchema | undefined => {
  const property = Object.entries(args).find(([, value]) => value === `{${name}}`)?.[0]
  const schema = property === undefined ? undefined : input?.schema.properties?.[property]
  return typeof schema === 'object' ? schema : undefined
}

const isText = (schema: JsonSchema | undefined): boolean =>
  schema?.enum === undefined && (schema?.type === undefined || schema.type === 'string')

/** The only word that is a number, or one of the choices, where the schema asks for such. */
const typedWord = ({ text, words }: ReadText, schema: JsonSchema | undefined, used: ReadonlySet<Word>) => {
  if (isText(schema) || schema?.type === 'array' || schema?.type === 'object' || schema?.type === 'boolean')
    return undefined
  const fitting = words.filter(word => {
    const value = cleanValue(text.slice(word.start, word.end), '')
    return !used.has(word) && value !== '' && 'value' in coerceValue(value, schema)
  })
  return fitting.length === 1 ? fitting : undefined
}

const introduced = ({ text, words }: ReadText, introductions: ReadonlySet<string>, used: ReadonlySet<Word>) => {
  for (let index = words.length - 2; index >= 0; index -= 1) {
    const { norm } = words[index]!
    if (!introducing.has(norm) || !introductions.has(norm)) continue
    const span: Word[] = []
    for (const word of words.slice(index + 1, index + 1 + maxValueWords)) {
      if (used.has(word) || ending.has(word.norm)) break
      span.push(word)
      if (/[.,;!?]$/.test(text.slice(word.start, word.end))) break
    }
    if (span.length > 0 && contentWords({ text: '', words: span.slice(0, 1) }).length > 0) return span
  }
  return undefined
}

/** All words after the first one that introduces the value. */
const restAfter = ({ words }: ReadText, introductions: ReadonlySet<string>) => {
  const at = words.findIndex(({ norm }) => introducing.has(norm) && introductions.has(norm))
  return at === -1 || at === words.length - 1 ? undefined : words.slice(at + 1)
}

/** The only run of capitalised words that the manifest does not know, not counting the first word of the text. */
const nameIn = ({ text, words }: ReadText, known: (word: Word) => boolean, used: ReadonlySet<Word>) => {
  const runs: Word[][] = []
  words.forEach((word, index) => {
    const isName =
      index > 0 && word.norm !== 'i' && /^\p{Lu}/u.test(text.slice(word.start)) && !known(word) && !used.has(word)
    if (!isName) return
    const last = runs.at(-1)
    if (last?.at(-1) === words[index - 1]) last?.push(word)
    else runs.push([word])
  })
  return runs.length === 1 && runs[0]!.length <= maxValueWords ? runs[0] : undefined
}

/**
 * Values of a text that fits a template but for its articles, demonstratives and possessives: 'lend my ladder to Bob' and
 * 'Lend the {tool} to {person}'.
 */
const matchLoosely = (template: Template, text: string): readonly Record<string, string>[] => {
  const elements = template.elements.filter(element => !('literal' in element && isDeterminer(element.literal)))
  const literals = template.literals.filter(literal => !isDeterminer(literal))
  if (literals.length === 0) return []
  return politeForms(readWords(text))
    .flatMap(form => matchTemplate({ ...template, elements, literals }, bare(form)))
    .map(values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withoutDeterminer(value)])))
}

const bare = ({ text, words }: ReadText): ReadText => ({ text, words: words.filter(({ norm }) => !isDeterminer(norm)) })
