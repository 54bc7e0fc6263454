import { expect, it } from 'vitest'
import { oracleProject } from './plugin-project.test.helper.ts'

const plugin = (name: string, members: string, parts = '{}') => `
import { definePlugin, defineTool } from '@sibyl/core'
import { z } from 'zod'
export const ${name} = () =>
  definePlugin({
    name: '${name}', version: '1.0.0', core: '^0.1.0',
    manifest: { title: '${name}', summary: 'Something.', whenToUse: ['always'] },
    ${members}
    setup: () => (${parts}),
  })
`

it('checks what each file exports under its name, with what it requires and its settings', async () => {
  const { sibyl } = oracleProject({
    '.env': 'PUMP_URL=http://127.0.0.1:9\n',
    'src/plugins/wells.ts': plugin('wells', "requires: ['pump', 'weather'],"),
    'src/plugins/pump.ts': plugin(
      'pump',
      "env: z.object({ PUMP_URL: z.url().describe('Where it is') }), optIn: ['PUMP_URL'],",
    ),
    'src/plugins/depth.ts': 'export const depth = 3; export const metres = () => ({})',
    'src/plugins/wells.test.ts': "throw new Error('a test is no plugin')",
  })
  const { code, text, errors } = await sibyl(['plugin', 'check'])
  expect(errors).toBe('')
  expect(text).toMatch(/^pump {3}src\/plugins\/pump\.ts\n {2}ok {4}boots, says what it is/)
  expect(text).toContain('\nwells   src/plugins/wells.ts\n')
  expect(text).toContain('\n2 plugins, 16 checks: all passed.\n')
  expect(code).toBe(0)
  const none = await sibyl(['plugin', 'check', 'depth'])
  expect(none).toMatchObject({ code: 2, errors: expect.stringContaining('src/plugins/depth.ts has no plugin.') })
})

it('says what is wrong, and where a file throws that is loaded', async () => {
  const { sibyl } = oracleProject({
    'src/plugins/bad.ts': plugin(
      'bad',
      '',
      "{ tools: { do_it: defineTool({ description: 'x', effect: 'read', input: z.object({}), output: z.object({}), execute: async () => ({}) }) } }",
    ),
    'src/plugins/torn.ts': "\n\nthrow new TypeError('no such pump')\n",
    'src/plugins/typo.ts': 'const = 4\n',
  })
  const { code, text } = await sibyl(['plugin', 'check'])
  expect(code).toBe(1)
  expect(text).toContain(
    "  fail  describes its tools so that a model can call them\n        tool 'do_it' has no description",
  )
  expect(text).toContain('src/plugins/torn.ts\n  fail  loads\n        src/plugins/torn.ts:3: TypeError: no such pump\n')
  expect(text).toMatch(/src\/plugins\/typo\.ts\n {2}fail {2}loads\n {8}src\/plugins\/typo\.ts:1: .*SyntaxError/)
  expect(text).toContain('\n3 plugins, 10 checks: 3 failed.\n')
  const json = JSON.parse((await sibyl(['plugin', 'check', 'torn', '--json'])).text)
  expect(json).toEqual({
    plugins: [
      {
        file: 'src/plugins/torn.ts',
        checks: [{ name: 'loads', ok: false, problem: 'src/plugins/torn.ts:3: TypeError: no such pump' }],
      },
    ],
    checks: 1,
    failed: 1,
  })
})

it('names the plugin at which the process ended', async () => {
  const { sibyl } = oracleProject({ 'src/plugins/gone.ts': plugin('gone', '', 'process.exit(0)') })
  const { code, errors } = await sibyl(['plugin', 'check', 'gone'])
  expect([code, errors]).toEqual([
    3,
    expect.stringMatching(/^sibyl: The checks ended too early, at src\/plugins\/gone\.ts, 'boots/),
  ])
})

it('says it where there is nothing to check', async () => {
  const { sibyl } = oracleProject()
  expect(await sibyl(['plugin', 'check'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('There is no plugin'),
  })
  const { code, errors } = await sibyl(['plugin', 'check', 'wells'])
  expect([code, errors]).toEqual([2, expect.stringContaining('There is no src/plugins/wells.ts.')])
})
