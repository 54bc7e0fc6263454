import { expect, test } from 'vitest'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { pageLanguage } from './page-language.ts'
import { sw } from './sw.ts'

test.each([
  [{}, 'en'],
  [{ accepted: 'de-DE, fr;q=0.8, en;q=0.5' }, 'fr'],
  [{ accepted: 'fr', uiLocales: 'sw-KE fr' }, 'sw'],
  [{ accepted: 'fr', uiLocales: 'sw', lang: 'en' }, 'en'],
  [{ lang: '"><script>', uiLocales: ['sw'], accepted: 'constructor, __proto__' }, 'en'],
])('%j is %s', (request, code) => {
  expect(pageLanguage(request).code).toBe(code)
})

test.each([fr, sw])('every language describes every scope (%#)', ({ scopes }) => {
  expect(Object.keys(scopes)).toEqual(Object.keys(en.scopes))
})
