import { expect, test } from 'vitest'
import { createParser } from './create-parser.ts'

test('parses a text once and keeps no tree', () => {
  const parse = createParser()
  const facts = parse("import './b.ts'", 'src/a.ts')
  expect(facts).toEqual({ imports: [{ specifier: './b.ts', line: 1 }], defaultExports: [], mutableState: [] })
  expect(parse("import './b.ts'", 'src/a.ts')).toBe(facts)
  expect(parse("import './c.ts'", 'src/a.ts')).not.toBe(facts)
})
