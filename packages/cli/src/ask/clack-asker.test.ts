import { expect, test } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { clackAsker } from './clack-asker.ts'

const open = (columns = 80, isTTY = true) => {
  const terminal = new FakeTerminal({}, isTTY, columns)
  return { terminal, asker: clackAsker(terminal.io) }
}

const down = '\u001b[B'

test('a line is requested until it is valid; typing replaces the default', async () => {
  const { terminal, asker } = open()
  const check = (text: string) => (text.length > 6 ? 'At most six letters.' : undefined)
  const answer = asker.text('Price', { initial: 'free', check })
  await terminal.until('free')
  terminal.type('freedom\r')
  await terminal.until('At most six letters.')
  terminal.type('\u007f\r')
  expect(await answer).toBe('freedo')
})

test('Enter accepts the default', async () => {
  const { terminal, asker } = open()
  const answer = asker.text('Price', { initial: 'free', check: text => (text === '' ? 'Something.' : undefined) })
  await terminal.until('free')
  terminal.type('\r')
  expect(await answer).toBe('free')
})

test('a paste that is too long for an answer is dropped at once', async () => {
  const { terminal, asker } = open()
  const answer = asker.text('Price')
  await terminal.until('Price')
  terminal.type('p'.repeat(64 * 1024))
  terminal.type('free')
  terminal.type('\r')
  expect(await answer).toBe('free')
})

test('an empty line is an answer', async () => {
  const { terminal, asker } = open()
  const answer = asker.text('Description', { placeholder: 'what it is for' })
  await terminal.until('what it is for')
  terminal.type('\r')
  expect(await answer).toBe('')
})

test('a secret is never shown', async () => {
  const { terminal, asker } = open()
  const answer = asker.secret('Passphrase')
  await terminal.until('Passphrase')
  terminal.type('open sesame\r')
  expect(await answer).toBe('open sesame')
  expect(terminal.raw).not.toMatch(/open|sesame/)
})

test('a choice, and yes or no', async () => {
  const { terminal, asker } = open()
  const choices = [
    { value: { port: 1 }, label: 'first' },
    { value: { port: 2 }, label: 'second', hint: 'the usual one' },
    { value: { port: 3 }, label: 'third' },
  ]
  const one = asker.select('Which?', choices, choices[1]!.value)
  await terminal.until('third')
  terminal.type(`${down}\r`)
  expect(await one).toEqual({ port: 3 })
  const yes = asker.confirm('Sure?', false)
  await terminal.until('Sure?')
  terminal.type('y')
  expect(await yes).toBe(true)
})

test.each([
  ['Ctrl-C', (it: FakeTerminal) => it.type('\u0003')],
  ['Ctrl-D', (it: FakeTerminal) => it.type('\u0004')],
  ['Escape', (it: FakeTerminal) => it.type('\u001b')],
  ['the signal', (it: FakeTerminal) => it.interrupt()],
  ['the end of the terminal', (it: FakeTerminal) => it.stdin.end()],
])('%s cancels a question with exit code 130', async (_, leave) => {
  const { terminal, asker } = open()
  const answer = asker.text('Name').catch(error => error)
  await terminal.until('Name')
  leave(terminal)
  expect(await answer).toMatchObject({ code: 'interrupted' })
  expect((await answer).exitCode).toBe(130)
  expect(terminal.io.stdin.listenerCount('keypress')).toBe(0)
})

test('a spinner is shown during work, and removed afterwards', async () => {
  const { terminal, asker } = open(40)
  const work = Promise.withResolvers<number>()
  const result = asker.during('Registering the oracle on the devnet of this computer', () => work.promise)
  await terminal.until('Registering the oracle on the dev')
  expect(terminal.text).toMatch(/^◒ {2}Registering.{1,36}…$/)
  work.resolve(3)
  expect(await result).toBe(3)
  expect(terminal.raw.endsWith('\r\u001b[2K')).toBe(true)
})

test('the signal interrupts work', async () => {
  const { terminal, asker } = open()
  const result = asker.during('Waiting', () => new Promise(() => {})).catch(error => error)
  await terminal.until('Waiting')
  terminal.interrupt()
  expect(await result).toMatchObject({ code: 'interrupted' })
})

test('notes are joined to the questions, in 40 columns too', () => {
  const { terminal, asker } = open(40)
  asker.note(['The registry will list your oracle at http://localhost:4000.', '', 'It boots on 3000.'], 'The ports')
  expect(terminal.text).toBe(
    [
      '│',
      '◇  The ports',
      '│  The registry will list your oracle at',
      '│  http://localhost:4000.',
      '│',
      '│  It boots on 3000.',
      '',
    ].join('\n'),
  )
})

test('without a terminal it prints plain lines, on stderr', async () => {
  const { terminal, asker } = open(80, false)
  asker.note(['one', 'two'], 'A note')
  await asker.during('Installing', async () => {})
  expect([terminal.text, terminal.errors]).toEqual(['', 'A note\none\ntwo\nInstalling …\n'])
})
