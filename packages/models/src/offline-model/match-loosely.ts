import { isDeterminer, withoutDeterminer } from './determiners.ts'
import { matchTemplate, type Template } from './match-template.ts'
import { politeForms } from './polite-forms.ts'
import { type ReadText, readWords } from './read-words.ts'

/**
 * Values of a text that fits a template but for its articles, demonstratives and possessives: 'lend my ladder to Bob' and
 * 'Lend the {tool} to {person}'.
 */
export const matchLoosely = (template: Template, text: string): readonly Record<string, string>[] => {
  const elements = template.elements.filter(element => !('literal' in element && isDeterminer(element.literal)))
  const literals = template.literals.filter(literal => !isDeterminer(literal))
  if (literals.length === 0) return []
  return politeForms(readWords(text))
    .flatMap(form => matchTemplate({ ...template, elements, literals }, bare(form)))
    .map(values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, withoutDeterminer(value)])))
}

const bare = ({ text, words }: ReadText): ReadText => ({ text, words: words.filter(({ norm }) => !isDeterminer(norm)) })
