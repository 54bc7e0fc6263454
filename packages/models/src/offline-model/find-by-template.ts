import { fillArguments } from './fill-arguments.ts'
import type { Knowledge, KnownExample } from './knowledge.ts'
import { matchTemplate, type Template } from './match-template.ts'
import type { Candidate } from './offline-catalog.ts'
import { politeForms } from './polite-forms.ts'
import { type ReadText, readWords } from './read-words.ts'
import { contentWords } from './score-words.ts'

/** An example whose wording fits a text. */
export interface TemplateMatch {
  readonly candidate: Candidate
  /** 2: the whole text, 1: one of its sentences, 0: by small words alone. */
  readonly level: 0 | 1 | 2
  /** Words of the template that the text has. */
  readonly literals: number
  /** Whether the values suit the tool. */
  readonly fits: boolean
}

const maxSentences = 20

const sentencesOf = (text: string): readonly string[] => {
  const sentences = text.split(/(?<=[.!?\n])\s/).filter(sentence => sentence.trim() !== '')
  return sentences.length > 1 ? sentences.slice(0, maxSentences) : []
}

/** Finds the examples whose wordings fit the text or a sentence of it, the best first; one match an example. */
export const findByTemplate = (text: string, knowledge: Knowledge): readonly TemplateMatch[] => {
  const whole = findIn(politeForms(readWords(text)), 2, knowledge)
  const strong = whole.filter(match => match.level > 0)
  if (strong.length > 0) return rank(strong)
  const begun = findBegun(politeForms(readWords(text)), knowledge)
  if (begun.length > 0) return begun
  const inSentences = sentencesOf(text).flatMap(one => findIn(politeForms(readWords(one)), 1, knowledge))
  return rank([...inSentences, ...whole.filter(match => match.fits)])
}

/** Examples that the text only begins, such as 'Remind me' of 'Remind me to {text} at {when}': without any value yet. */
const findBegun = (forms: readonly ReadText[], knowledge: Knowledge): readonly TemplateMatch[] =>
  rank(
    knowledge.examples.flatMap(({ entry, example, templates }) => {
      const literals = Math.max(0, ...forms.flatMap(form => templates.map(template => begunBy(form, template))))
      return literals === 0 ? [] : [{ candidate: { entry, example, values: {} }, level: 2, literals, fits: false }]
    }),
  )

/** Returns the number of words of the text that match the template before its first value; 0 if it does not match. */
const begunBy = (form: ReadText, { elements }: Template): number => {
  const firstValue = elements.findIndex(element => 'placeholder' in element)
  const { words } = form
  if (firstValue < words.length || contentWords(form).length === 0) return 0
  const begins = words.every((word, index) => {
    const element = elements[index]
    return element && 'literal' in element && element.literal === word.norm
  })
  return begins ? words.length : 0
}

const findIn = (forms: readonly ReadText[], level: 1 | 2, knowledge: Knowledge): readonly TemplateMatch[] => {
  const known = new Set(forms[0]?.words.map(word => word.norm))
  return knowledge.examples.flatMap(example => {
    const matches = example.templates
      .filter(({ literals }) => literals.length > 0 && literals.every(literal => known.has(literal)))
      .flatMap(template => matchForms(forms, template, example, level, knowledge))
    return rank(matches).slice(0, 1)
  })
}

const matchForms = (
  forms: readonly ReadText[],
  template: Template,
  { entry, example }: KnownExample,
  level: 1 | 2,
  knowledge: Knowledge,
): readonly TemplateMatch[] => {
  const input = knowledge.inputOf(entry, example.tool)
  const meaningful = isMeaningful(template)
  return forms.flatMap(form => {
    const candidates = matchTemplate(template, form).map(values => ({ entry, example, values }))
    const suiting = candidates.find(candidate => 'args' in fillArguments(candidate, input))
    const candidate = suiting ?? candidates[0]
    if (candidate === undefined) return []
    return [
      { candidate, level: meaningful ? level : 0, literals: template.literals.length, fits: suiting !== undefined },
    ]
  })
}

/** Whether what a wording has besides its values is enough to go by: 'Who is {name}?' alone is not. */
const isMeaningful = ({ elements, literals }: Template): boolean =>
  elements.length === literals.length || literals.length > 3 || contentWords(readWords(literals.join(' '))).length > 0

/** Orders two matches; 0 when neither is the better one. */
const compare = (one: TemplateMatch, other: TemplateMatch): number =>
  other.level - one.level || other.literals - one.literals || Number(other.fits) - Number(one.fits)

const rank = (matches: readonly TemplateMatch[]): readonly TemplateMatch[] => matches.toSorted(compare)

/** The first match and those of other plugins that are as good. */
export const equallyGood = (matches: readonly TemplateMatch[]): readonly TemplateMatch[] => {
  const [best] = matches
  if (best === undefined) return []
  const names = new Set<string>()
  return matches.filter(match => {
    const { name } = match.candidate.entry
    if (compare(best, match) !== 0 || names.has(name)) return false
    names.add(name)
    return true
  })
}
