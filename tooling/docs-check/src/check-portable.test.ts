import { expect, test } from 'vitest'
import { checkPortable } from './check-portable.ts'

// Joined here, so that this file passes its own check.
test.each([
  ['see /work', 'main/package.json'],
  ["const file = '/tmp", "a.db'"],
  ['file "/root', 'oracle"'],
  ['/Users', 'ada/oracle'],
  ['/home', 'ada/oracle'],
  ['C:\\Users\\', 'ada'],
  ['tarball: https://regis', 'try.example.org/a-1.0.0.tgz'],
  ['https://www.npm', 'js.com/package/zod'],
  ['registry', '=https://example.org'],
])('finds %j', (...parts) => {
  const texts = [parts.join(''), parts.join('/')]
  expect(texts.flatMap(text => checkPortable('a.md', `\n${text}\n`))).not.toEqual([])
})

test.each([
  'https://example.org/work/place',
  'import x from "../home/page.ts"',
  'GET /api/tmp/x',
  "mkdtemp(join(tmpdir(), 'sibyl-'))",
  'the entity registry at http://localhost:4000',
])('accepts %j', text => {
  expect(checkPortable('a.md', text)).toEqual([])
})

test('a test may contain the home folder of a user', () => {
  const text = ['/home', 'ada/oracle'].join('/')
  expect(checkPortable('packages/cli/src/home.ts', text)).toHaveLength(1)
  expect(checkPortable('packages/cli/src/home.test.ts', text)).toEqual([])
})
