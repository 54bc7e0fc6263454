import { expect, test } from 'vitest'
import { checkPortable } from './check-portable.ts'

// Put together here, so that this file passes its own check.
const absolute = (first: string, rest: string) => `/${first}/${rest}`

test.each([
  `see ${absolute('work', 'main/package.json')}`,
  `const file = '${absolute('tmp', 'a.db')}'`,
  `file:${absolute('home', 'ada/oracle')}`.replace('file:', 'file "'),
  `${absolute('Users', 'ada/oracle')}`,
  `C:\\Users\\ada`,
  `tarball: https://registry${'.example.org'}/a/-/a-1.0.0.tgz`,
  `https://www.npmjs${'.com'}/package/zod`,
  `registry${'='}https://example.org`,
])('finds %j', text => {
  expect(checkPortable('a.md', `\n${text}\n`)).toHaveLength(1)
})

test.each([
  'https://example.org/work/place',
  'import x from "../home/page.ts"',
  'GET /api/tmp/x',
  "mkdtemp(join(tmpdir(), 'sibyl-'))",
  'the entity registry at http://localhost:4000',
])('leaves %j alone', text => {
  expect(checkPortable('a.md', text)).toEqual([])
})
