import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, test } from 'vitest'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { pluginNames } from './plugin-names.ts'
import { oracleProject } from './plugin-project.test.helper.ts'
import { registerPlugin } from './register-plugin.ts'

useBundledPackages()

it('writes a plugin whose test passes immediately, and which the oracle loads', async () => {
  const { sibyl, test, read, folder } = oracleProject()
  mkdirSync(join(folder, 'src/deep'))
  const { code, text, errors } = await sibyl(['plugin', 'new', 'Field Advice'], { cwd: join(folder, 'src/deep') })
  expect([code, errors]).toEqual([0, ''])
  expect(text).toBe(`wrote    src/plugins/field-advice.ts
wrote    src/plugins/field-advice.test.ts
changed  src/main.ts

Next:
  npm test
  npx sibyl chat --once "Ask field advice about rain"
`)
  expect(read('src/main.ts')).toContain("import { fieldAdvice } from './plugins/field-advice.ts'\n")
  expect(read('src/main.ts')).toContain('plugins: [...bundledPlugins(), fieldAdvice()]')
  const { passed, output } = await test()
  expect(passed, output).toBe(true)
  expect(stripVTControlCharacters(output)).toMatch(/Tests +\d+ passed/)
  const { plugins } = JSON.parse((await sibyl(['plugin', 'list', '--json'])).text)
  expect(plugins.find((plugin: { name: string }) => plugin.name === 'field-advice')).toMatchObject({
    state: 'available',
    bundled: false,
    tools: ['ask_field_advice'],
  })
})

it('rejects a name that is in use or invalid, and changes nothing', async () => {
  const { sibyl, read, folder } = oracleProject({ 'src/plugins/wells.ts': '', 'src/plugins/rain.test.ts': '' })
  const main = read('src/main.ts')
  const refusals: [string, string][] = [
    ['wells', 'src/plugins/wells.ts already exists.'],
    ['rain', 'src/plugins/rain.test.ts already exists.'],
    ['weather', "'weather' is a bundled plugin."],
    ['config', 'src/main.ts already uses the name config.'],
    ['delete', "'delete' is a reserved word of JavaScript."],
    ...[
      'assert',
      'check',
      'check-plugin',
      'context',
      'define-plugin',
      'define-tool',
      'oracle',
      'test',
      'test-app',
      'text',
      'z',
    ].map((name): [string, string] => [name, 'The files of a plugin already use the name ']),
    ['9lives', "'9lives' is not a valid plugin name."],
    ['../up', "'../up' is not a valid plugin name."],
    ['', "'' is not a valid plugin name."],
    ['x'.repeat(41), 'The name has 41 characters.'],
  ]
  for (const [name, words] of refusals) {
    const { code, text, errors } = await sibyl(['plugin', 'new', name])
    expect([name, code, text]).toEqual([name, 2, ''])
    expect(errors).toContain(`sibyl: ${words}`)
  }
  expect(read('src/main.ts')).toBe(main)
  expect(readdirSync(join(folder, 'src/plugins')).sort()).toEqual(['rain.test.ts', 'wells.ts'])
})

it('prints the two lines if main.ts has another form', async () => {
  const { sibyl, read, folder } = oracleProject()
  const other = read('src/main.ts').replace('plugins: [...bundledPlugins()]', 'plugins: chosen()')
  writeFileSync(join(folder, 'src/main.ts'), other)
  const { code, text } = await sibyl(['plugin', 'new', 'wells'])
  expect(code).toBe(0)
  expect(text).toContain("  import { wells } from './plugins/wells.ts'\n  plugins: [..., wells()]\n")
  expect(read('src/main.ts')).toBe(other)
  const json = JSON.parse((await sibyl(['plugin', 'new', 'rain', '--json'])).text)
  expect(json).toMatchObject({ name: 'rain', registered: false, call: 'rain()' })
})

it('prints where to add it in a project without main.ts', async () => {
  const { sibyl, folder } = oracleProject({ 'pnpm-lock.yaml': '' })
  rmSync(join(folder, 'src/main.ts'))
  const { code, text } = await sibyl(['plugin', 'new', 'wells'])
  expect([code, text]).toEqual([0, expect.stringContaining('src/main.ts does not exist. Add to the file')])
  expect(text).toContain('  pnpm test\n  pnpm sibyl chat --once "Ask wells about rain"\n')
})

it('leaves nothing if a write fails', async () => {
  const blocked = oracleProject({ 'src/plugins': 'a file' })
  const { code, text, errors } = await blocked.sibyl(['plugin', 'new', 'wells'])
  expect([code, text]).toEqual([3, ''])
  expect(errors).toContain('src/plugins already exists (EEXIST).')

  // The draft of a file with a name of this length has a name that is too long.
  const { sibyl, folder } = oracleProject()
  const longName = join(folder, `src/${'m'.repeat(245)}.ts`)
  renameSync(join(folder, 'src/main.ts'), longName)
  symlinkSync(longName, join(folder, 'src/main.ts'))
  expect(await sibyl(['plugin', 'new', 'wells'])).toMatchObject({ code: 3, text: '' })
  expect(readdirSync(join(folder, 'src/plugins'))).toEqual([])

  const outside = await sibyl(['plugin', 'new', 'wells'], { cwd: '/' })
  expect(outside).toMatchObject({ code: 3, errors: expect.stringContaining('There is no oracle here') })
})

test.each([
  [
    "import { a } from 'a'\nx({ plugins: [] })\n",
    "import { a } from 'a'\nimport { wells } from './plugins/wells.ts'\nx({ plugins: [wells()] })\n",
  ],
  [
    "import { a } from 'a';\nimport b from 'b';\nx({ plugins: [...a(), b({ of: [1] }),], more: [] })",
    "import { a } from 'a';\nimport b from 'b';\nimport { wells } from './plugins/wells.ts';\nx({ plugins: [...a(), b({ of: [1] }), wells()], more: [] })",
  ],
  [
    'import { a } from "a";\nimport {\n  b,\n  c\n} from "b";\nx({\n  plugins: [\n    a(),\n    b(c)\n  ],\n});\n',
    'import { a } from "a";\nimport {\n  b,\n  c\n} from "b";\nimport { wells } from "./plugins/wells.ts";\nx({\n  plugins: [\n    a(),\n    b(c),\n    wells(),\n  ],\n});\n',
  ],
  [
    "import a from 'a'\r\n\r\nx({ plugins: [ a(), ] })\r\n",
    "import a from 'a'\r\nimport { wells } from './plugins/wells.ts'\r\n\r\nx({ plugins: [ a(), wells() ] })\r\n",
  ],
  ["import a from 'a'\n/*\nimport b from 'b'\n*/\nx({ plugins: [] })", undefined],
  ["import a from 'a'\nx({ plugins: [\n  a(), // the first\n] })", undefined],
  ["import a from 'a'\nx({ plugins: [a(']')] })", undefined],
  ["import a from 'a'\nx({ plugins: [a()] }, { plugins: [] })", undefined],
  ['x({ plugins: [] })', undefined],
])('main.ts %j', (before, after) => {
  expect(registerPlugin(before, pluginNames('wells'))).toBe(after)
})

test.each([
  ['FieldAdvice', 'field-advice', 'fieldAdvice', 'ask_field_advice'],
  ['field_advice', 'field-advice', 'fieldAdvice', 'ask_field_advice'],
  ['  pump 2 ', 'pump-2', 'pump2', 'ask_pump_2'],
])('%j is the plugin %s', (given, name, maker, tool) => {
  expect(pluginNames(given)).toMatchObject({ name, maker, tool })
})
