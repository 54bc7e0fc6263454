import { type Command, type CommanderError, Help } from 'commander'
import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandError } from '../errors/command-error.ts'
import { cleanLine } from '../output/clean-text.ts'
import { displayWidth, wrapWords } from '../output/display-width.ts'
import { asCalled } from '../process/called-as.ts'
import type { CommandIo, OutputStream } from '../process/command-io.ts'

const widest = 100
/** On narrower terminals, the description of an option is below it, not beside it. */
const narrow = 60

/** Configures a command to print its help through `io`, as wide as the terminal; the caller handles usage errors. */
export const setHelp = ({ stdout, stderr, env }: CommandIo, command: Command): void => {
  command
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: termOf, formatItem })
    .configureOutput({
      writeOut: text => stdout.write(fitHelp(asCalled(text, env), columnsOf(stdout))),
      writeErr: text => stderr.write(fitHelp(asCalled(text, env), columnsOf(stderr))),
      outputError: () => {},
      getOutHelpWidth: () => columnsOf(stdout),
      getErrHelpWidth: () => columnsOf(stderr),
    })
}

const columnsOf = ({ columns = widest }: OutputStream): number => Math.min(columns, widest)

/** Returns the entry of a command in a list: its name and arguments, without options. */
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

/**
 * Converts a usage error of commander.
 *
 * @param name As typed: `sibyl chat`.
 */
export const explainUsage = (error: CommanderError, name: string, command: Command): CommandError => {
  const isMessage = error.code === 'commander.excessArguments' && name === 'sibyl chat'
  const remedy = isMessage ? 'To send one message: sibyl chat --once "…"' : `See: ${name} --help`
  return cliErrors.usage_invalid(textOf(error, name, command), remedy, { cause: error })
}

const textOf = ({ code, message }: CommanderError, name: string, command: Command): string => {
  if (code === 'commander.help') return `${name} requires one of its commands.`
  const { commands, registeredArguments } = command
  if (code === 'commander.excessArguments' && commands.length > 0 && registeredArguments.length === 0) {
    return `'${name}' has no such command, only ${commands.map(one => one.name()).join(', ')}.`
  }
  const [what = '', ...hints] = withoutValues(code, message.replace(/^error: /, '')).split('\n')
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.?$/, '.')}`
  return cleanLine([sentence, ...hints.map(hint => hint.replace(/^\((.*)\)$/, '$1'))].join(' '))
}

/** Removes the values of a call from a message: one of them may be a secret in the wrong place. */
const withoutValues = (code: string, message: string): string => {
  if (code === 'commander.unknownOption') return message.replace(/^(unknown option '[^'=]*)=.*'(?=\n|$)/s, "$1'")
  return code === 'commander.excessArguments' ? message.replace(/(but got \d+): .*/s, '$1.') : message
}

/**
 * Wraps a help text to a number of columns. Paragraphs, which start at the margin, are wrapped again if a line is too
 * long. In a list of examples with a line that is too long, remarks move below their commands, which stay on one line
 * for copying.
 */
export const fitHelp = (text: string, columns: number): string => {
  const blocks: { readonly kind: string; readonly lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
    .flatMap(({ kind, lines }) => {
      if (lines.every(line => displayWidth(line) <= columns)) return lines
      if (kind === 'example') return lines.flatMap(line => withRemarkBelow(line, columns))
      return wrapWords(lines.join(' '), columns)
    })
    .join('\n')
}

const kindOf = (line: string): 'blank' | 'example' | 'heading' | 'prose' => {
  if (line === '') return 'blank'
  if (line.startsWith(' ')) return 'example'
  return line.endsWith(':') ? 'heading' : 'prose'
}

const withRemarkBelow = (line: string, columns: number): string[] => {
  const [, indent = '', example = '', remark = ''] = /^(\s*)(\S.*?)(?:\s{2,}(\S.*))?$/.exec(line) ?? []
  const below = `${indent}    `
  return [indent + example, ...(remark === '' ? [] : wrapWords(remark, columns - below.length).map(one => below + one))]
}
