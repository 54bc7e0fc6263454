import { type Command, Help } from 'commander'
import type { CommandIo, OutputStream } from '../command-io.ts'
import { wrapWords } from '../output/wrap-words.ts'
import { fitHelp } from './fit-help.ts'

const widest = 100
/** Below so many columns, what an option is for stands below it and not beside it. */
const narrow = 60

/** Has a command print its help through `io`, as wide as the terminal; what is wrong with a call is left to the caller. */
export const setHelp = ({ stdout, stderr }: CommandIo, command: Command): void => {
  command
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf, formatItem })
    .configureOutput({
      writeOut: text => stdout.write(fitHelp(text, columnsOf(stdout))),
      writeErr: text => stderr.write(fitHelp(text, columnsOf(stderr))),
      outputError: () => {},
      getOutHelpWidth: () => columnsOf(stdout),
      getErrHelpWidth: () => columnsOf(stderr),
    })
}

const columnsOf = ({ columns = widest }: OutputStream): number => Math.min(columns, widest)

/** A command in a list: its name and what it takes; that there are options goes without saying. */
const termOf = (command: Command): string =>
  [
    command.name(),
    ...command.registeredArguments.map(one => (one.required ? `<${one.name()}>` : `[${one.name()}]`)),
  ].join(' ')

function formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
  const { helpWidth = widest } = this
  if (helpWidth >= narrow || description === '')
    return Help.prototype.formatItem.call(this, term, termWidth, description, helper)
  return [`  ${term}`, ...wrapWords(description, helpWidth - 6).map(line => `      ${line}`)].join('\n')
}
