import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const sibyl = async (...argv: string[]) => {
  const terminal = new FakeTerminal({}, false)
  const code = await run(argv, terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

/** Returns the script of a shell in a folder that also has a file and a folder to complete. */
const scriptOf = async (shell: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-completion-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { text } = await sibyl('completion', shell)
  writeFileSync(join(folder, 'script'), text)
  writeFileSync(join(folder, 'access one.ucan'), '')
  mkdirSync(join(folder, 'actions'))
  return folder
}

const missing = (shell: string) => spawnSync(shell, ['-c', 'true']).status !== 0

const completed = (command: string, args: readonly string[], cwd: string): string[] => {
  const env = { PATH: process.env.PATH, HOME: cwd, TERM: 'dumb' }
  return execFileSync(command, args, { cwd, env, encoding: 'utf8' }).split('\n').filter(Boolean)
}

/** Typed words, the last one incomplete, and some of its completions. */
const cases: readonly [readonly string[], readonly string[]][] = [
  [['c'], ['chat', 'completion']],
  [['chat', '--app'], ['--approve']],
  [
    ['chat', '--approve', ''],
    ['once', 'session', 'deny'],
  ],
  [['chat', '--once', 'token', '--js'], ['--json']],
  [['token', 'gr'], ['grant']],
  [['token', '--lifetime', 'grant', 'gr'], ['grant']],
  [['token', 'grant', '--d'], ['--days']],
  [
    ['ussd', 'customers', 'confirm', ''],
    ['reset', 'unlock', 'erase'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['token', 'accept', 'ac'],
    ['access one.ucan', 'actions'],
  ],
  [['devnet', '--data', 'ac'], ['actions']],
]

describe.skipIf(missing('bash'))('bash', () => {
  const program = `source ./script; COMP_WORDS=(sibyl "$@"); COMP_CWORD=$#; _sibyl; printf '%s\\n' "\${COMPREPLY[@]}"`

  it.each(cases)('completes sibyl %j to %j', async (typed, expected) => {
    const found = completed('bash', ['--norc', '-c', program, 'bash', ...typed], await scriptOf('bash'))
    expect(found).toEqual(expect.arrayContaining([...expected]))
  })

  it('completes a value after = and nothing if values are unknown', async () => {
    const folder = await scriptOf('bash')
    const complete = (...typed: string[]) => completed('bash', ['--norc', '-c', program, 'bash', ...typed], folder)
    expect(complete('chat', '--approve', '=', 'o')).toEqual(['once'])
    expect(complete('chat', '--approve', '=')).toEqual(['once', 'session', 'deny'])
    expect(complete('chat', '--once', '')).toEqual([])
    expect(complete('chat', '--json', 'x')).toEqual([])
  })
})

test.skipIf(missing('bash'))('a strict bash continues if nothing can be completed', async () => {
  const program = `set -eu; source ./script; COMP_WORDS=(sibyl "$@"); COMP_CWORD=$#; _sibyl; echo goes on`
  const complete = (...typed: string[]) => completed('bash', ['--norc', '-c', program, 'bash', ...typed], folder)
  const folder = await scriptOf('bash')
  for (const typed of [['zzz'], ['chat', '--once', ''], ['chat', '--approve', '='], ['token', 'accept', 'zzz']]) {
    expect(complete(...typed)).toEqual(['goes on'])
  }
})

describe.skipIf(missing('zsh'))('zsh', () => {
  // Completion widgets need a terminal: their candidates are printed instead.
  const program = `
    compdef() { :; }
    source ./script
    compadd() { shift; print -l -- "$@"; }
    _describe() { print -l -- \${\${(P)@[-1]}%%:*}; }
    _files() { print -l -- *; }
    _message() { :; }
    words=(sibyl "$@"); CURRENT=$#words
    _sibyl`

  it.each(cases)('completes sibyl %j to %j', async (typed, expected) => {
    const found = completed('zsh', ['-f', '-c', program, 'zsh', ...typed], await scriptOf('zsh'))
    expect(found).toEqual(expect.arrayContaining([...expected]))
  })
})

describe.skipIf(missing('fish'))('fish', () => {
  it.each(cases)('completes sibyl %j to %j', async (typed, expected) => {
    const folder = await scriptOf('fish')
    const program = 'source ./script; complete -C "$argv[1]"'
    const lines = completed('fish', ['--no-config', '-c', program, ['sibyl', ...typed].join(' ')], folder)
    const found = lines.map(line => line.split('\t')[0]?.replace(/\/$/, ''))
    expect(found).toEqual(expect.arrayContaining([...expected]))
  })
})

test('--json prints the script in one object, and another shell is a usage error', async () => {
  const { code, text } = await sibyl('completion', 'bash', '--json')
  expect([code, JSON.parse(text)]).toEqual([0, { shell: 'bash', script: (await sibyl('completion', 'bash')).text }])
  const other = await sibyl('completion', 'tcsh')
  expect(other).toMatchObject({ code: 2, text: '', errors: expect.stringContaining('bash, zsh, fish') })
})
