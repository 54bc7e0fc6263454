import { userInfo } from 'node:os'
import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { testApp } from '@sibyl/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../../../main.ts'
import { FakeTerminal } from '../../chat/terminal.test.helper.ts'
import { startGateway } from '../gateway.test.helper.ts'

const token = 'a-token-of-the-operator'
const phoneNumber = '+260971234567'
const pin = '8305'

/** Boots a real oracle with one customer. */
const boot = async () => {
  const { app } = await testApp({
    plugins: [ussd()],
    env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), USSD_OPERATOR_TOKEN: token },
  })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  const dialled = await sendUssd(url, { phoneNumber })
  const { text } = await dialled.answer('2', '2', 'Ada', '1', pin, pin)
  const customerId = /\d{9}/.exec(text)?.[0] ?? ''
  const signIn = async (given: string, from = '+260971111111') =>
    (await (await sendUssd(url, { phoneNumber: from })).answer('2', '1', customerId, given)).lines[0]
  return { url, customerId, signIn }
}

const terminalOf = (url: string, isTTY: boolean, env = {}) =>
  new FakeTerminal({ SIBYL_URL: url, USSD_OPERATOR_TOKEN: token, USER: 'mutale', ...env }, isTTY)

const sibyl = async (url: string, args: readonly string[], { stdin = '', env = {} } = {}) => {
  const terminal = terminalOf(url, false, env)
  terminal.stdin.end(stdin)
  const code = await run(['ussd', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

const because = ['--reason', 'asked by phone']

describe('sibyl ussd customers', () => {
  it('reset asks for a reason, shows its effect, and runs once the word is typed', async () => {
    const { url, customerId, signIn } = await boot()
    const terminal = terminalOf(url, true)
    const ended = run(['ussd', 'customers', 'reset', customerId], terminal.io)
    await terminal.until('Reason?')
    terminal.type('forgot it\r')
    await terminal.until('Type ')
    expect(terminal.errors).toContain('This gives 1 customer a new one-time PIN and invalidates the old PIN.')
    const [, word = ''] = /Type (\w+) to confirm it/.exec(terminal.text) ?? []
    terminal.type('no\r')
    await terminal.until(`That is not ${word}.`)
    terminal.type(`\u007f\u007f${word}\r`)
    expect(await ended).toBe(0)
    const [oneTimePin = ''] = /\d{6}\n$/.exec(terminal.text) ?? []
    expect(await signIn(pin)).not.toMatch(/My account|new PIN/)
    expect(await signIn(oneTimePin.trim())).toMatch(/PIN/)
  })

  it('Ctrl-C at the word changes nothing', async () => {
    const { url, customerId, signIn } = await boot()
    const terminal = terminalOf(url, true)
    const ended = run(['ussd', 'customers', 'reset', customerId, ...because], terminal.io)
    await terminal.until('Type ')
    terminal.type('\u0003')
    expect(await ended).toBe(130)
    expect(terminal.errors).toContain('Nothing was changed.')
    expect(await signIn(pin)).toBe('My account')
  })

  it('takes the second step by another operator without a terminal', async () => {
    const { url, customerId } = await boot()
    const first = await sibyl(url, ['customers', 'reset', '-', ...because], { stdin: `${phoneNumber}\n` })
    expect(first).toMatchObject({ code: 0, errors: expect.stringContaining('Confirm it with:') })
    const [program, , ...second] = first.text.trim().split(' ')
    expect(program).toBe('sibyl')
    const done = await sibyl(url, [...second, '--operator', 'chanda'])
    expect(done).toMatchObject({ code: 0, text: expect.stringMatching(/^\d{6}\n$/) })
    const { text } = await sibyl(url, ['customers', 'actions'])
    expect(text).toContain(
      `reset    done      ${phoneNumber} ${customerId}   by mutale, then chanda   asked by phone\n`,
    )
    expect(await sibyl(url, second)).toMatchObject({ code: 1, errors: expect.stringContaining('operator_action_over') })
  })

  it('records the account of the process if no variable names it', async () => {
    const { url, customerId } = await boot()
    const { code, errors } = await sibyl(url, ['customers', 'unlock', customerId, '--yes', ...because], {
      env: { USER: '', USERNAME: undefined },
    })
    expect([code, errors.split('\n').at(-2)]).toEqual([0, 'Removed the locks after wrong PINs for 1 customer.'])
    const { text } = await sibyl(url, ['customers', 'actions'])
    expect(text).toContain(`by ${userInfo().username}`)
  })

  it('erase announces its effect on a terminal, and reports it afterwards', async () => {
    const { url } = await boot()
    const terminal = terminalOf(url, true)
    const ended = run(['ussd', 'customers', 'erase', phoneNumber, ...because], terminal.io)
    await terminal.until('Type ')
    expect(terminal.errors).toContain('This erases')
    expect(terminal.errors).not.toContain('Erased')
    terminal.type(`${/Type (\w+) to confirm it/.exec(terminal.text)?.[1]}\r`)
    expect(await ended).toBe(0)
    expect(terminal.errors).toMatch(/\nErased all stored data of this phone, 1 customer among it\.\n$/)
  })

  it('unlock lifts a lock, immediately with --yes', async () => {
    const { url, customerId, signIn } = await boot()
    for (let wrong = 0; wrong < 5; wrong += 1) await signIn('1597')
    expect(await signIn(pin)).not.toBe('My account')
    const { code, text } = await sibyl(url, ['customers', 'unlock', customerId, '--yes', ...because])
    expect([code, text]).toEqual([0, ''])
    expect(await signIn(pin, '+260972222222')).toBe('My account')
  })

  it('unlock and erase of a phone without a customer do not mention customers', async () => {
    const { url, customerId } = await boot()
    const stranger = '+260970000000'
    expect((await sibyl(url, ['customers', 'unlock', stranger, ...because])).errors).toContain(
      'This removes the locks after wrong PINs for this phone.\n',
    )
    expect((await sibyl(url, ['customers', 'erase', stranger, ...because])).errors).toContain(
      'This erases all stored data of this phone. It cannot be undone.\n',
    )
    const { errors } = await sibyl(url, ['customers', 'unlock', phoneNumber, ...because])
    expect(errors).toContain('for this phone and 1 customer.\n')
    expect((await sibyl(url, ['customers', 'unlock', customerId, ...because])).errors).toContain('for 1 customer.\n')
  })

  it('export prints only JSON on stdout, and erase removes all of it', async () => {
    const { url, signIn } = await boot()
    const kept = await sibyl(url, ['customers', 'export', phoneNumber, ...because])
    expect(kept.code).toBe(0)
    expect(JSON.parse(kept.text).customers).toMatchObject([{ name: 'Ada' }])
    // An ID may contain the same digits by chance.
    expect(kept.text.split(/[^\w-]+/)).not.toContain(pin)

    expect(await sibyl(url, ['customers', 'erase', phoneNumber, '--yes', ...because])).toMatchObject({ code: 2 })
    const first = await sibyl(url, ['customers', 'erase', phoneNumber, ...because])
    expect(first.errors).toContain('This erases all stored data of this phone, 1 customer among it.')
    expect(first.errors).not.toContain('Erased')
    expect(await signIn(pin)).toBe('My account')
    expect(await sibyl(url, first.text.trim().split(' ').slice(2))).toMatchObject({
      code: 0,
      text: '',
      errors: 'Erased all stored data of this phone.\n',
    })
    expect(await signIn(pin)).not.toBe('My account')
    expect((await sibyl(url, ['customers', 'actions', '--json'])).text).not.toContain(phoneNumber)
  })

  it('--json prints one object per step, and asks nothing', async () => {
    const { url, customerId } = await boot()
    const json = async (args: readonly string[]) => {
      const terminal = terminalOf(url, true)
      await run(['ussd', ...args, '--json'], terminal.io)
      return JSON.parse(terminal.text)
    }
    const first = await json(['customers', 'reset', customerId, ...because])
    expect(first).toMatchObject({ kind: 'reset', customers: 1, confirmation: expect.any(String) })
    expect(await json(['customers', 'confirm', 'reset', first.id, first.confirmation])).toMatchObject({
      id: first.id,
      pin: expect.stringMatching(/^\d{6}$/),
    })
    expect((await json(['customers', 'actions'])).actions).toMatchObject([{ id: first.id, state: 'done' }])
    expect((await json(['customers', 'export', phoneNumber, ...because])).customers).toMatchObject([{ name: 'Ada' }])
    expect((await json(['keys'])).keys).toMatchObject([{ state: 'current' }])
    expect(await json(['customers', 'reset', customerId])).toMatchObject({ error: { code: 'usage_invalid' } })
  })

  it('reports an unknown customer, and rejects a wrong word', async () => {
    const { url, customerId } = await boot()
    const anonymous = await sibyl(url, ['customers', 'reset', '+260970000000', ...because])
    expect(anonymous).toMatchObject({ code: 1, text: '', errors: expect.stringContaining('customer_not_found') })
    const first = await sibyl(url, ['customers', 'reset', customerId, ...because])
    const wrong = [...first.text.trim().split(' ').slice(2, -1), 'wrong']
    expect(await sibyl(url, wrong)).toMatchObject({ code: 1, errors: expect.stringContaining('confirmation_wrong') })
  })

  it.each([
    ['without a token', {}, { USSD_OPERATOR_TOKEN: '' }, 3, 'USSD_OPERATOR_TOKEN is not set.'],
    ['with another token', {}, { USSD_OPERATOR_TOKEN: 'another-token-entirely' }, 1, 'operator_token_needed'],
  ])('asks for nothing %s', async (_, options, env, expected, words) => {
    const { url, customerId } = await boot()
    const { code, text, errors } = await sibyl(url, ['customers', 'unlock', customerId, ...because], {
      ...options,
      env,
    })
    expect([code, text]).toEqual([expected, ''])
    expect(errors).toContain(words)
    expect(errors).not.toContain('another-token-entirely')
  })

  it.each([
    [['customers', 'reset', '12', ...because], 'neither a phone number nor a customer ID'],
    [['customers', 'erase', '123456782', ...because], 'erase requires a phone number'],
    [['customers', 'export', '123456782', ...because], 'export requires a phone number'],
    [['customers', 'reset', '123456782'], 'Pass --reason'],
    [['customers', 'confirm', 'reset', 'x', 'word'], 'Expected the ID'],
    [['customers', 'actions', '--limit', '0'], 'from 1 to 200'],
  ])('%j is a usage error', async (args, words) => {
    const { code, text, errors } = await sibyl('http://127.0.0.1:9', args)
    expect([code, text]).toEqual([2, ''])
    expect(errors).toContain(words)
  })

  it('reports what responds if it is something else, and sends the token nowhere else', async () => {
    const other = await startGateway(
      () => response => response.writeHead(302, { location: 'http://127.0.0.1:9' }).end(),
    )
    onTestFinished(() => other.close())
    const { code, errors } = await sibyl(other.url, ['customers', 'reset', '123456782', ...because])
    expect(code).toBe(4)
    expect(errors).toContain('answered 302 in another form')
    const { app } = await testApp({ plugins: [ussd()] })
    onTestFinished(() => app.close())
    const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
    const off = await sibyl(`http://127.0.0.1:${port}`, ['keys'])
    expect(off).toMatchObject({ code: 4, errors: expect.stringContaining('Enable it with PIN_ENCRYPTION_KEY') })
  })
})

it('sibyl ussd keys counts the rows of each key', async () => {
  const { url } = await boot()
  const { code, text } = await sibyl(url, ['keys'])
  expect(text).toMatch(/^[\da-f]{8} {3}current {3}.*1 in ussd_customers/)
  expect(code).toBe(0)
})
