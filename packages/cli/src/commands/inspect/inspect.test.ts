import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { oracleInspection } from '@sibyl/core/records'
import { expect, test } from 'vitest'
import { run } from '../../main.ts'
import { useBundledPackages } from '../../process/bundled-sibyl.test.helper.ts'
import { folderWith, inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'
import { pumpProject } from '../dev/dev-process.test.helper.ts'

useBundledPackages()

const inspect = async (cwd: string, ...options: string[]) => {
  const terminal = new FakeTerminal(inherited(), true, 80)
  const code = await run(['inspect', ...options], { ...terminal.io, cwd })
  return { code, shown: terminal.text, errors: terminal.errors }
}

test('shows the start of a turn of the project; --prompt prints the prompt only', async () => {
  const folder = pumpProject()
  const { code, shown, errors } = await inspect(folder)
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(shown).toContain('\n  loaded     pump  1 tool\n')
  expect(shown).toMatch(/\n {2}look_at_pump +pump +\d+\n/)
  expect(shown).toMatch(/\nA turn starts with about \d+ tokens, before the conversation\.\n$/)
  const prompt = await inspect(folder, '--prompt')
  expect(prompt.shown).toMatch(/^You are Oracle\.\n\nYou have tools, [\s\S]*its result\.\n$/)
})

test('--json prints the whole inspection, and the exit code shows whether it would start', async () => {
  const folder = pumpProject()
  writeFileSync(join(folder, '.env'), 'PORT=many\n')
  const { code, shown } = await inspect(folder, '--json')
  expect(code).toBe(3)
  expect(oracleInspection.parse(JSON.parse(shown)).problems).toMatchObject([{ variable: 'PORT' }])
  const asked = await inspect(folder, '--prompt')
  expect(asked).toMatchObject({ code: 3, shown: '' })
  expect(asked.errors).toContain("Core env validation failed for 'PORT'")
})

test('reports that there is nothing to inspect', async () => {
  expect(await inspect(folderWith())).toMatchObject({ code: 3, errors: expect.stringContaining('There is no oracle') })
  expect(await inspect(folderWith(), '--json', '--prompt')).toMatchObject({ code: 2 })
})
