import { phoneTextLength } from '@sibyl/plugin/phones'
import { describe, expect, test } from 'vitest'
import { bundledLanguages } from './bundled-languages.ts'
import { english } from './english.ts'

const bracesOf = (text: string): string[] => Array.from(text.matchAll(/\{\w+\}/g), ([braces]) => braces).toSorted()

describe.each(bundledLanguages.map(language => [language.name, language] as const))('%s', (_, { texts, words }) => {
  test('is all GSM-7, so that a screen holds 182 characters', () => {
    const others = Object.entries({ ...texts, ...words }).filter(
      ([, text]) => phoneTextLength(text).encoding !== 'gsm7',
    )
    expect(others).toEqual([])
  })

  test('has the values of English in its texts, and no others', () => {
    for (const [name, text] of Object.entries(texts)) {
      expect([name, ...bracesOf(text)]).toEqual([name, ...bracesOf(english.texts[name as keyof typeof texts])])
    }
  })
})
