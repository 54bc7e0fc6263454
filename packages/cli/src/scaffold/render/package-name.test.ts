import { expect, test } from 'vitest'
import { packageName } from './render-manifest.ts'

test.each([
  ['/home/me/field-oracle', 'field-oracle'],
  ['/home/me/Ärzte & Wetter', 'arzte-wetter'],
  ['/home/me/Straße Łódź', 'strasse-odz'],
  ['/home/me/._Hidden_.', 'hidden'],
  ['/home/me/天気', 'oracle'],
  ['/', 'oracle'],
  ['/home/me/zod', 'zod-oracle'],
  [`/home/me/${'long '.repeat(60)}`, 'long-'.repeat(20).slice(0, -1)],
])('%s gives %s', (folder, name) => {
  expect(packageName(folder, ['zod', '@sibyl/core'])).toBe(name)
})
