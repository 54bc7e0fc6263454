import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { commandGroups } from './commands/command-groups.ts'
import { exitCode } from './errors/exit-code.ts'
import { run } from './main.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl every ü-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The discard port, at which nothing listens. */
const unreachable = 'http://127.0.0.1:9'

/** Runs the command as a program does, outside a project, without a running oracle. */
const call = async (...argv: string[]) => {
  const env = { SIBYL_HOME: join(folder, 'home'), SIBYL_URL: unreachable, REGISTRY_URL: unreachable, HOME: folder }
  const terminal = new FakeTerminal(env, false, 80, folder)
  terminal.stdin.end()
  const code = await run(argv, terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

const below = (command: Command, before: readonly string[] = []): (readonly [readonly string[], Command])[] => {
  const name = [...before, command.name()]
  return [[name, command], ...command.commands.flatMap(one => below(one, name))]
}
const commands = Object.values(commandGroups)
  .flat()
  .flatMap(make => below(make(new FakeTerminal({}).io, () => {})))

/** Arguments that reach the work of each command. */
const takes: Readonly<Record<string, readonly string[]>> = {
  'credits grant': ['did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', '5'],
  'token grant': ['did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'],
  'ussd customers reset': ['123456782'],
}

/** Commands that run until they are stopped: only a usage error ends them. */
const continuing = new Set(['devnet'])

const codes = new Set<number>(Object.values(exitCode))

describe.each(commands)('%j', (name, command) => {
  const words = name.join(' ')
  const values = command.registeredArguments.filter(({ required }) => required).map(() => 'x')

  test('has help that states its purpose, with examples of this command', async () => {
    const { code, text, errors } = await call(...name, '--help')
    expect([code, errors]).toEqual([0, ''])
    expect(text).toContain(`Usage: sibyl ${words}`)
    const [, examples = ''] = /\nExamples:\n((?: .*\n)+)/.exec(text) ?? []
    expect(examples, text).toContain(`sibyl ${words}`)
    expect(text).toMatch(/\nExit codes: 0 /)
  })

  test('has help that fits 40 columns, except examples and unbreakable words', async () => {
    const terminal = new FakeTerminal({}, true, 40)
    expect(await run([...name, '--help'], terminal.io)).toBe(0)
    const [before = '', after = ''] = terminal.text.split('\nExamples:\n')
    const prose = `${before}${after.replace(/^ .*\n/gm, '')}`
    const tooLong = prose.split('\n').filter(line => line.length > 40 && line.trim().includes(' '))
    expect(tooLong).toEqual([])
  })

  test('with --json prints one object, whatever is wrong with the call', async () => {
    const calls = [['--nonsense'], ['one', 'too', 'many', 'words'], ['--url', 'nowhere']]
    if (!continuing.has(words)) calls.push([], takes[words] ? [...takes[words]] : values)
    for (const argv of calls) {
      const { code, text, errors } = await call(...name, ...argv, '--json')
      expect(codes, argv.join(' ')).toContain(code)
      expect(text, `${argv.join(' ')}\n${errors}`).toMatch(/^\{.*\}\n$/)
      const reported = JSON.parse(text)
      if (code === exitCode.usage)
        expect(reported).toEqual({ error: expect.objectContaining({ code: 'usage_invalid' }) })
      if (reported.error) expect(errors).toContain(`sibyl: ${reported.error.message.split('\n')[0]}`)
    }
  })

  test('accepts no secret as a flag', () => {
    const secret = /mnemonic|passphrase|password|secret|pin|api-key|private/
    const flags = command.options.filter(({ long = '' }) => secret.test(long)).map(({ flags }) => flags)
    for (const flag of flags) expect(flag).toMatch(/^--(new-mnemonic|\S+-file <file>)$/)
  })
})
