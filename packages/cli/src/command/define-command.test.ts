import { Command } from 'commander'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { exitCode } from '../errors/exit-code.ts'
import { checkedText, defineCommand, type OptionsOf, wholeNumber } from './define-command.ts'

const sailOptions = {
  knots: { value: '<knots>', summary: 'how fast', parse: wholeNumber('whole knots', 1, 30) },
  crew: { value: '<name>', summary: 'who comes along, may be repeated', repeated: true },
  rig: { value: '<rig>', summary: 'which sails', choices: ['sloop', 'ketch'] },
  harbor: { value: '<name>', summary: 'where from', default: 'home' },
  anchor: { negated: true, summary: 'leave the anchor' },
  dryRun: { short: 'n', summary: 'stay in port', conflicts: 'crew' },
} as const

type SailOptions = OptionsOf<typeof sailOptions>

const call = async (...argv: string[]) => {
  const calls: unknown[] = []
  const turn = defineCommand({
    name: 'turn',
    summary: 'turn',
    examples: [],
    run: async ({ options }) => record(options),
  })
  const record = (seen: unknown) => {
    calls.push(seen)
    return exitCode.failed
  }
  const sail = defineCommand({
    name: 'sail',
    summary: 'sail somewhere',
    examples: [],
    positionals: {
      port: { summary: 'where to', parse: checkedText(text => /^[a-z]+$/.test(text), 'a port.') },
      via: { summary: 'on the way', optional: true },
    },
    options: sailOptions,
    commands: [turn],
    run: async ({ positionals, options }) => {
      expectTypeOf(positionals).toEqualTypeOf<{ readonly port: string; readonly via: string | undefined }>()
      expectTypeOf(options).toEqualTypeOf<SailOptions>()
      return record({ positionals, options })
    },
  })
  let code: number | undefined
  const program = new Command('boat').enablePositionalOptions()
  program.addCommand(
    sail(new FakeTerminal({}).io, result => {
      code = result
    }),
  )
  const everyCommand = program.commands.flatMap(command => [command, ...command.commands])
  for (const command of everyCommand) command.exitOverride().configureOutput({ outputError: () => {} })
  await program.parseAsync(['sail', ...argv], { from: 'user' })
  return { calls, code }
}

describe('a defined command', () => {
  it('runs with parsed values and defaults', async () => {
    expect(await call('oslo')).toEqual({
      calls: [{ positionals: { port: 'oslo' }, options: { harbor: 'home', anchor: true } }],
      code: 1,
    })
    const argv = ['oslo', 'kiel', '--knots', '12', '--crew', 'Ana', '--crew', 'Bo', '--rig', 'ketch', '--no-anchor']
    expect(await call(...argv)).toMatchObject({
      calls: [
        {
          positionals: { port: 'oslo', via: 'kiel' },
          options: { knots: 12, crew: ['Ana', 'Bo'], rig: 'ketch', anchor: false },
        },
      ],
    })
    expect(await call('oslo', '-n')).toMatchObject({ calls: [{ options: { dryRun: true } }] })
  })

  it('passes its options to its subcommands', async () => {
    expect(await call('--knots', '3', 'turn')).toMatchObject({ calls: [{ knots: 3, harbor: 'home' }] })
  })

  it.each([
    ['Expected a port.', ['Oslo']],
    ['Expected whole knots from 1 to 30.', ['oslo', '--knots', '31']],
    ['Expected whole knots from 1 to 30.', ['oslo', '--knots', '1.5']],
    ['Allowed choices are sloop, ketch.', ['oslo', '--rig', 'raft']],
    ["option '-n, --dry-run' cannot be used with option '--crew <name>'", ['oslo', '-n', '--crew', 'Ana']],
    ["missing required argument 'port'", []],
  ])('rejects with %j', async (message, argv) => {
    await expect(call(...argv)).rejects.toThrow(message)
  })
})
