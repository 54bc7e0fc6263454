import { expect, it } from 'vitest'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { run } from './main.ts'

const call = async (...argv: string[]) => {
  const terminal = new FakeTerminal({ SIBYL_HOME: '/dev/null/x' }, false)
  terminal.stdin.end()
  const code = await run(argv, terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

it('sibyl alone and --help list the commands, with examples', async () => {
  for (const argv of [[], ['--help'], ['-h']]) {
    const { code, text } = await call(...argv)
    expect(code).toBe(0)
    expect(text).toMatch(/^ {2}chat +chat with an oracle$/m)
    expect(text).toContain('Examples:')
  }
})

it('sibyl chat --help shows its options, examples and exit codes', async () => {
  const { code, text } = await call('chat', '--help')
  expect(code).toBe(0)
  for (const word of ['--once', '--json', '--url', '--session', '--approve', 'Examples:', 'Exit codes:']) {
    expect(text).toContain(word)
  }
})

it('--version prints only the version', async () => {
  expect(await call('--version')).toMatchObject({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

it.each([
  [['caht'], "sibyl: Unknown command 'caht'. Did you mean chat?\n       See: sibyl --help\n"],
  [['chat', '--onc', 'x'], "Unknown option '--onc'. Did you mean --once?\n       See: sibyl chat --help\n"],
  [['keys', 'import', '--mnemonic=abandon about'], "Unknown option '--mnemonic'.\n"],
  [['keys', 'import', 'work', 'abandon', 'about'], "Too many arguments for 'import'. Expected 1 argument but got 3.\n"],
  [['chat', 'hello'], 'Too many arguments'],
  [['chat', '--url', 'localhost:x'], '--url is not the address of an oracle.'],
  [['chat', '--url', 'http://user:secret@host'], '--url is not the address of an oracle.'],
  [['chat', '--session', '../x'], 'Expected 1 to 128 letters'],
  [['chat', '--session', '..'], 'Expected 1 to 128 letters'],
  [['chat', '--approve', 'yes'], 'Allowed choices are once, session, deny.'],
  [['chat', '--once'], "Option '--once <text>' argument missing."],
])('sibyl %j is a usage error with a suggestion', async (argv, words) => {
  const { code, text, errors } = await call(...argv)
  expect(code).toBe(2)
  expect(errors).toContain(words)
  expect(errors).not.toContain('secret')
  expect(text).toBe('')
})

it.each([
  [2, ['caht', '--json'], { code: 'usage_invalid', message: "Unknown command 'caht'. Did you mean chat?" }],
  [2, ['token', '--lifetime', '0', '--json'], { code: 'usage_invalid', remedy: 'See: sibyl token --help' }],
  [
    2,
    ['chat', '--json', '--url', 'nowhere'],
    { code: 'usage_invalid', message: '--url is not the address of an oracle.' },
  ],
  [3, ['chat', '--json', '--once', 'x'], { code: 'configuration_invalid' }],
])('exits with %i, and prints the error of sibyl %j as one object', async (expected, argv, error) => {
  const { code, text, errors } = await call(...argv)
  expect(code).toBe(expected)
  const words = { message: expect.any(String), remedy: expect.any(String), ...error }
  expect(JSON.parse(text)).toEqual({ error: words })
  expect(errors).toBe(`sibyl: ${JSON.parse(text).error.message}\n`)
})

it('a folder name cannot inject terminal sequences', async () => {
  const terminal = new FakeTerminal({ SIBYL_DEBUG: '1' }, true, 80, '/a\u001b[2Jb\u202ec')
  expect(await run(['inspect'], terminal.io)).toBe(3)
  expect(terminal.errors).toContain('neither /a[2Jbc nor')
  for (const trick of ['\u001b', '\u202e']) expect(terminal.errors).not.toContain(trick)
})

it('a --json after -- does not request JSON', async () => {
  expect(await call('chat', '--', '--json')).toMatchObject({ code: 2, text: '' })
})

it('sibyl --chat is sibyl chat', async () => {
  expect(await call('--chat', '--help')).toEqual(await call('chat', '--help'))
  expect(await call('--chat', '--once')).toEqual(await call('chat', '--once'))
})

it('help fits a terminal of 40 columns', async () => {
  for (const argv of [['--help'], ['chat', '--help'], ['token', 'grant', '--help']]) {
    const terminal = new FakeTerminal({}, true, 40)
    expect(await run(argv, terminal.io)).toBe(0)
    const isExample = (line: string) => /^ {2}(sibyl|printf)/.test(line)
    const tooLong = terminal.text.split('\n').filter(line => line.length > 40 && !isExample(line))
    expect(tooLong).toEqual([])
  }
})
