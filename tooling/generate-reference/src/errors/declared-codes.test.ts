import { expect, test } from 'vitest'
import { declaredCodes } from './declared-codes.ts'

const declarations = (text: string, path = 'src/tides.ts') =>
  declaredCodes([{ folder: 'packages/tides', manifest: { name: '@sibyl/tides' }, files: [{ path, text }] }])

const declared = (text: string, path?: string) =>
  declarations(text, path).map(({ code, status }) => (status === undefined ? code : `${code} ${status}`))

test.each([
  ["class A extends Error { readonly code = 'tide_unknown' }", ['tide_unknown']],
  ["class A extends B { override readonly code = 'a_b'; override readonly status = 404 }", ['a_b 404']],
  ["class A extends B { readonly code: string = 'failed' }", ['failed']],
  ["const refusal = { status: 409, code: 'tide_turning', detail: '' }", ['tide_turning 409']],
  ["const refusal = (late: boolean) => ({ code: late ? 'too_late' : 'too_early' })", ['too_late', 'too_early']],
  ["const refusal = (row: Row) => ({ code: row.code ?? 'failed' })", ['failed']],
  ["const refusal = (on: boolean) => ({ code: `${on ? 'ebb' : 'flow'}_invalid` })", ['ebb_invalid', 'flow_invalid']],
  ['const refusal = (reason: string) => ({ code: `tide_${reason}` })', ['tide_*']],
  ["type TideRefusal = 'tide_high' | 'tide_low'", ['tide_high', 'tide_low']],
  ["export type CutReason = 'stopped' | 'time_limit'", []],
  ["type Kind = 'tide_high' | 'tide_low'", []],
  ["defineErrors({ a_b: { status: 404, message: '' }, c_d: { message: '' } })", ['a_b 404', 'c_d']],
  ["defineToolFailures({ a_b_once: { code: 'a_b', status: 409, message: '' } })", ['a_b 409']],
  ["defineCommandErrors({ a_b: [exitCode.failed, ''] })", ['a_b']],
  ["define({ a_b: { status: 404, message: '' } })", []],
  ["const reply = { code: 'ENOENT' }\nconst other = { code: 404 }\nconst third = (code: string) => ({ code })", []],
  ["context.addIssue({ code: 'custom' })", []],
  ["const language = { code: 'sw', name: 'Kiswahili' }", []],
])('%s declares %j', (text, codes) => {
  expect(declared(text)).toEqual(codes)
})

test('tests, testing folders and other packages declare none', () => {
  const text = "const a = { code: 'a_b' }"
  expect(declared(text, 'src/a.test.ts')).toEqual([])
  expect(declared(text, 'src/testing/a.ts')).toEqual([])
  expect(
    declaredCodes([{ folder: 'tooling/a', manifest: { name: '@sibyl/a' }, files: [{ path: 'src/a.ts', text }] }]),
  ).toEqual([])
})

test('a definition carries its texts', () => {
  const file = 'packages/tides/src/tides.ts'
  expect(declarations("defineErrors({ a_b: { status: 404, message: 'No {port}.', summary: `None.` } })")).toEqual([
    { code: 'a_b', status: 404, message: 'No {port}.', summary: 'None.', file },
  ])
  expect(declarations("defineToolFailures({ a_b_once: { code: 'a_b', message: 'Not ' + 'again.' } })")).toEqual([
    { code: 'a_b', message: 'Not again.', file },
  ])
  expect(() => declarations('defineErrors({ a_b: { message: text() } })')).toThrow(
    'packages/tides/src/tides.ts: write the message of a_b as text.',
  )
})
