import { expect, it } from 'vitest'
import { FakeTerminal } from './commands/chat/terminal.test.helper.ts'
import { run } from './main.ts'

const call = async (...argv: string[]) => {
  const terminal = new FakeTerminal({ SIBYL_HOME: '/nowhere/at/all' }, false)
  terminal.stdin.end()
  const code = await run(argv, terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

it('sibyl alone and --help show what there is, with examples', async () => {
  for (const argv of [[], ['--help'], ['-h']]) {
    const { code, text } = await call(...argv)
    expect(code).toBe(0)
    expect(text).toContain('chat [options]')
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

it('--version gives the version alone', async () => {
  expect(await call('--version')).toMatchObject({ code: 0, text: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

it.each([
  [['caht'], 'Did you mean chat?'],
  [['chat', '--onc', 'x'], 'Did you mean --once?'],
  [['chat', 'hello'], 'too many arguments'],
  [['chat', '--url', 'localhost:3000'], '--url is not the address of an oracle.'],
  [['chat', '--url', 'http://user:secret@host'], '--url is not the address of an oracle.'],
  [['chat', '--session', '../x'], 'Expected 1 to 128 letters'],
  [['chat', '--session', '..'], 'Expected 1 to 128 letters'],
  [['chat', '--approve', 'yes'], 'Allowed choices are once, session, deny.'],
  [['chat', '--once'], "option '--once <text>' argument missing"],
])('sibyl %j is a usage error that says what is meant', async (argv, words) => {
  const { code, text, errors } = await call(...argv)
  expect(code).toBe(2)
  expect(errors).toContain(words)
  expect(errors).not.toContain('secret')
  expect(text).toBe('')
})
