import { expect, test } from 'vitest'
import { compareCodes } from './compare-codes.ts'
import { documentedCodes } from './documented-codes.ts'

const table = `# Errors

| Code | Status | Meaning | What to do |
| --- | --- | --- | --- |
| \`tide_unknown\` | 404 | There is no such tide. | Look again. |
| \`tide_turning\` | 409, 503 | The tide turns. | Wait. |
| \`tide_failed\` | – | It failed. | Try again. |
`
const file = 'packages/tides/src/tides.ts'
const declared = [
  { code: 'tide_unknown', status: 404, file },
  { code: 'tide_turning', status: 503, file },
  { code: 'tide_failed', file },
]

test('reads the rows of a table', () => {
  expect(documentedCodes(table)).toEqual([
    { code: 'tide_unknown', statuses: [404], remedy: 'Look again.', line: 5 },
    { code: 'tide_turning', statuses: [409, 503], remedy: 'Wait.', line: 6 },
    { code: 'tide_failed', statuses: [], remedy: 'Try again.', line: 7 },
  ])
})

test('sources and docs that agree have no difference', () => {
  expect(compareCodes(declared, documentedCodes(table))).toEqual([])
})

test('a code without a row is found', () => {
  expect(compareCodes([...declared, { code: 'tide_low', file }], documentedCodes(table))).toEqual([
    `'tide_low' of ${file} has no row.`,
  ])
})

test('a row without a code is found', () => {
  expect(compareCodes(declared.slice(1), documentedCodes(table))).toEqual([
    "Line 5: no source declares 'tide_unknown'.",
  ])
})

test('a row said twice is found', () => {
  expect(compareCodes(declared, documentedCodes(`${table}| \`tide_failed\` | – | | Wait. |\n`))).toEqual([
    "Line 8: 'tide_failed' has a row already.",
  ])
})

test('a row that does not say what to do is found', () => {
  const silent = table.replace('Try again.', '')
  expect(compareCodes(declared, documentedCodes(silent))).toEqual(["Line 7: 'tide_failed' does not say what to do."])
})

test('another status is found', () => {
  const changed = [{ code: 'tide_unknown', status: 410, file }, ...declared.slice(1)]
  expect(compareCodes(changed, documentedCodes(table))).toEqual([`Line 5: 'tide_unknown' has status 410 in ${file}.`])
})

test('a part that is not spelled out has to be expanded', () => {
  const documented = documentedCodes('| `tide_high` | – | | Wait. |')
  expect(compareCodes([{ code: 'tide_*', file }], documented, { 'tide_*': ['tide_high'] })).toEqual([])
  expect(compareCodes([{ code: 'tide_*', file }], documented)).toContain(`'tide_*' of ${file} has no row.`)
})
