import { expect, test } from 'vitest'
import type { DeclaredCode } from './declared-codes.ts'
import { errorsPage } from './errors-page.ts'

const file = 'packages/tides/src/tides-errors.ts'
const rowOf = (row: string, ...declared: readonly Omit<DeclaredCode, 'code' | 'file'>[]) =>
  errorsPage(
    row,
    declared.map(each => ({ code: 'tide_unknown', file, ...each })),
  )

test('the status and the meaning come from the definition, what to do from the page', () => {
  expect(rowOf('| `tide_unknown` | | | Look again. |', { status: 404, message: 'No tide at {port}.' })).toBe(
    '| `tide_unknown` | 404 | No tide at {port}. | Look again. |',
  )
})

test('all messages of a code are listed, each once', () => {
  expect(
    rowOf(
      '| `tide_unknown` | 404 | Old. | Look again. |',
      { status: 503, message: 'Not now.' },
      { status: 404, message: 'Not at <port>.' },
      { status: 404, message: 'Not now.' },
    ),
  ).toBe('| `tide_unknown` | 404, 503 | Not now.<br>Not at \\<port>. | Look again. |')
})

test('a summary replaces the messages', () => {
  expect(
    rowOf('| `tide_unknown` | | | Look again. |', { status: 404, message: '{reason}', summary: 'There is a | in it.' }),
  ).toBe('| `tide_unknown` | 404 | There is a \\| in it. | Look again. |')
})

test('a definition without a status leaves that of the page', () => {
  expect(rowOf('| `tide_unknown` | – | Old. | Look again. |', { message: 'New.' })).toBe(
    '| `tide_unknown` | – | New. | Look again. |',
  )
})

test('a code that is declared in another way too is described by the page', () => {
  const row = '| `tide_unknown` | 404, 409 | The tide is unknown. | Look again. |'
  expect(rowOf(row, { status: 404, message: 'New.' }, { status: 409 })).toBe(row)
  expect(rowOf(row, { status: 404 })).toBe(row)
  expect(rowOf(row)).toBe(row)
})

test('everything else stays, with tables in one form', () => {
  const page = '# Errors\n\nA text | with a bar.\n\n| Code   | Status |\n| ------ | ------ |\n| a \\| b | –      |\n'
  expect(errorsPage(page, [])).toBe(
    '# Errors\n\nA text | with a bar.\n\n| Code | Status |\n| --- | --- |\n| a \\| b | – |\n',
  )
})

test('a page that is complete does not change', () => {
  const declared = [{ code: 'tide_unknown', file, status: 404, message: 'No | tide <here>.' }]
  const page = errorsPage('| `tide_unknown` | | | Look again. |', declared)
  expect(errorsPage(page, declared)).toBe(page)
})
