import { expect, it } from 'vitest'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { oracleProject } from './plugin-project.test.helper.ts'

useBundledPackages()

const plugin = (name: string, members: string, parts = '{}') => `
import { definePlugin, defineTool } from '@sibyl/plugin'
import { z } from 'zod'
export const ${name} = () =>
  definePlugin({
    name: '${name}', version: '1.0.0', core: '^0.1.0',
    manifest: { title: '${name}', summary: 'Something.', whenToUse: ['always'] },
    ${members}
    setup: () => (${parts}),
  })
`

it('checks what each file exports by name, with its dependencies and settings, and reports problems', async () => {
  const { sibyl } = oracleProject({
    '.env': 'PUMP_URL=http://127.0.0.1:9\n',
    'src/plugins/wells.ts': plugin('wells', "requires: ['pump', 'weather'],"),
    'src/plugins/pump.ts': plugin(
      'pump',
      "env: z.object({ PUMP_URL: z.url().describe('Where it is') }), optIn: ['PUMP_URL'],",
    ),
    'src/plugins/depth.ts': 'export const depth = 3; export const metres = () => ({})',
    'src/plugins/wells.test.ts': "throw new Error('a test is no plugin')",
    'src/plugins/bad.ts': plugin(
      'bad',
      '',
      "{ tools: { do_it: defineTool({ description: 'x', effect: 'read', input: z.object({}), output: z.object({}), execute: async () => ({}) }) } }",
    ),
    'src/plugins/torn.ts': "\n\nthrow new TypeError('no such pump')\n",
    'src/plugins/typo.ts': 'const = 4\n',
  })
  const [all, none, torn] = await Promise.all([
    sibyl(['plugin', 'check']),
    sibyl(['plugin', 'check', 'depth']),
    sibyl(['plugin', 'check', 'torn', '--json']),
  ])
  expect([all.code, all.errors]).toEqual([1, ''])
  for (const words of [
    '\npump   src/plugins/pump.ts\n  ok    boots, describes itself',
    '\nwells   src/plugins/wells.ts\n  ok    boots, describes itself',
    "  fail  describes its tools so that a model can call them\n        tool 'do_it' has no description",
    'src/plugins/torn.ts\n  fail  loads\n        src/plugins/torn.ts:3: TypeError: no such pump\n',
    '\n5 plugins, 26 checks: 3 failed.\n',
  ]) {
    expect(all.text).toContain(words)
  }
  expect(all.text).toMatch(/src\/plugins\/typo\.ts\n {2}fail {2}loads\n {8}src\/plugins\/typo\.ts:1: .*SyntaxError/)
  expect(none).toMatchObject({
    code: 2,
    errors: expect.stringContaining('src/plugins/depth.ts does not export a plugin.'),
  })
  expect(JSON.parse(torn.text)).toEqual({
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

it('succeeds without problems', async () => {
  const { sibyl } = oracleProject({ 'src/plugins/wells.ts': plugin('wells', '') })
  const { code, text } = await sibyl(['plugin', 'check', 'wells'])
  expect([code, text]).toEqual([0, expect.stringContaining('\n1 plugin, 8 checks: all passed.\n')])
})

it('names the plugin at which the process crashed', { tags: 'long' }, async () => {
  const { sibyl } = oracleProject({ 'src/plugins/gone.ts': plugin('gone', '', 'process.exit(0)') })
  const { code, errors } = await sibyl(['plugin', 'check', 'gone'])
  expect([code, errors]).toEqual([
    3,
    expect.stringMatching(/^sibyl: The checks ended too early, at src\/plugins\/gone\.ts, 'boots/),
  ])
})

it('reports that there is nothing to check', async () => {
  const { sibyl } = oracleProject()
  expect(await sibyl(['plugin', 'check'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('There is no plugin'),
  })
  const { code, errors } = await sibyl(['plugin', 'check', 'wells'])
  expect([code, errors]).toEqual([2, expect.stringContaining('src/plugins/wells.ts does not exist.')])
})
