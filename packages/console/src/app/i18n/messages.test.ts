import { expect, test } from 'vitest'
import { languages } from './languages.ts'

const files = import.meta.glob<object>('../**/messages/*.json', { eager: true, import: 'default' })

/** Returns the names in braces of each message, by its key. A text for one thing may leave out its number. */
const placeholders = (messages: object, path = ''): readonly (readonly [key: string, names: readonly string[]])[] =>
  Object.entries(messages).flatMap(([key, value]) => {
    if (typeof value !== 'string') return placeholders(value, `${path}${key}.`)
    const names = [...value.matchAll(/{{(\w+)}}/g)].flatMap(([, name = '']) =>
      /_one$/.test(key) && name === 'count' ? [] : [name],
    )
    return [[path + key, names.toSorted()]]
  })

const english = Object.keys(files).filter(path => path.endsWith('/en.json'))

test.each(english)('every language has the messages and the placeholders of %s', path => {
  expect(english.length).toBeGreaterThan(7)
  const expected = Object.fromEntries(placeholders(files[path] ?? {}))
  for (const language of Object.keys(languages)) {
    const messages = files[path.replace(/en\.json$/, `${language}.json`)] ?? {}
    expect(Object.fromEntries(placeholders(messages)), language).toEqual(expected)
  }
})
