import { expect, test } from 'vitest'
import { toolName, toolPrefix } from './tool-name.ts'

const prefixes = ['sea', 'sea-news', 'notes'].map(toolPrefix)

test.each([
  ['notes', 'find', 'find'],
  ['notes', 'find-Note_2', 'find-Note_2'],
  ['sea-news', 'latest', 'latest'],
  ['sea', 'news', 'news'],
])('of %s, %s is called %s', (server, tool, name) => {
  expect(toolName(server, tool, prefixes)).toBe(name)
})

test.each([
  ['notes', 'find.note'],
  ['notes', 'a/b'],
  ['notes', 'x'.repeat(128)],
  ['sea', 'news_latest'],
])('of %s, %s gets a name that only it has', (server, tool) => {
  const name = toolName(server, tool, prefixes)
  expect(name).toMatch(/^[\w-]+_[0-9a-f]{6}$/)
  expect(`${toolPrefix(server)}${name}`.length).toBeLessThanOrEqual(64)
  expect(toolName(server, `${tool}.`, prefixes)).not.toBe(name)
  expect(toolName(server, tool, prefixes)).toBe(name)
})
