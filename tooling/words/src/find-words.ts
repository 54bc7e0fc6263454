import {
  type ExcludedWord,
  exceptions,
  excludedBeginnings,
  excludedInNames,
  excludedInTests,
  excludedTestBeginnings,
  excludedWords,
} from './glossary.ts'
import type { Text, TextKind } from './text.ts'

/** An excluded word in a text. */
export interface Finding {
  readonly kind: TextKind
  /** From 1. */
  readonly line: number
  readonly word: string
  readonly write: string
}

/** Finds the excluded words of texts, and docstrings with an excluded beginning. */
export const findWords = (texts: readonly Text[]): Finding[] =>
  texts.flatMap(({ kind, text, line }) => {
    const checked = exceptions.reduce((rest, { phrase }) => rest.replace(phrase, '…'), text)
    const matches = (words: readonly ExcludedWord[], within = checked): Finding[] =>
      words.flatMap(({ pattern, write }) =>
        [...within.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(({ 0: word, index }) => ({
          kind,
          line: line + within.slice(0, index).split('\n').length - 1,
          word: word.toLowerCase(),
          write,
        })),
      )
    return [
      ...(kind === 'docstrings' ? matches(excludedBeginnings, checked.trimStart()) : []),
      ...(kind === 'tests' ? matches(excludedTestBeginnings) : []),
      ...(kind === 'tests' || kind === 'groups' ? matches(excludedInTests) : []),
      ...(kind === 'names' ? matches(excludedInNames) : []),
      ...matches(excludedWords),
    ]
  })
