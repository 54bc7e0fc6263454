import { expect, it } from 'vitest'
import { abilityCovers, hasForbiddenScheme, isAbility, isResource } from './capability.ts'

it.each([
  ['chat/send', 'chat/send', true],
  ['chat/*', 'chat/send', true],
  ['chat/*', 'chat/approval/decide', true],
  ['chat/*', 'chat/*', true],
  ['chat/*', 'chat/approval/*', true],
  ['*', 'chat/send', true],
  ['*', 'chat/*', true],
  ['*', '*', true],
  ['chat/send', 'chat/read', false],
  ['chat/send', 'chat/send/all', false],
  ['chat/send', 'chat/*', false],
  ['chat/send', '*', false],
  ['chat/*', '*', false],
  ['chat/*', 'chats/send', false],
  ['chat/*', 'chat', false],
  ['chat/approval/*', 'chat/*', false],
  ['auth/impersonate', 'auth/impersonate', true],
  ['*', 'auth/impersonate', false],
  ['auth/*', 'auth/impersonate', false],
  ['auth/*', 'auth/token', true],
  ['*', 'operator/read', false],
  ['*', 'operator/*', false],
  ['operator/*', 'operator/read', true],
  ['operator/read', 'operator/write', false],
  ['*', 'operators/read', true],
  ['Chat/*', 'chat/send', false],
])('%s covers %s: %s', (granted, wanted, covers) => {
  expect(abilityCovers(granted, wanted)).toBe(covers)
})

it.each([
  ['chat/send', true],
  ['weather/get-current.v1', true],
  ['crud/UPDATE', true],
  ['chat/*', true],
  ['a/b/*', true],
  ['*', true],
  ['chat', false],
  ['', false],
  ['/send', false],
  ['chat/', false],
  ['*/send', false],
  ['chat/*/send', false],
  ['chat/se*', false],
  ['chat send/x', false],
  ['**', false],
])('%j is an ability: %s', (text, valid) => {
  expect(isAbility(text)).toBe(valid)
})

it.each([
  ['oracle:did:key:z6Mk', true],
  ['https://example.org/a', true],
  ['oracle:', false],
  ['oracle', false],
  ['*', false],
  [':x', false],
  ['oracle:a b', false],
])('%j is a resource: %s', (text, valid) => {
  expect(isResource(text)).toBe(valid)
})

it.each(['my:*', 'as:did:key:z6Mk:*', 'prf:0', 'MY:*', 'Prf:*'])('%s has an unsupported scheme', resource => {
  expect(hasForbiddenScheme(resource)).toBe(true)
})
