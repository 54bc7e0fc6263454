import { cleanLine, cleanText } from '../../output/clean-text.ts'
import { formatValue } from '../../output/format.ts'
import type { ApprovalQuestion } from './chat-view.ts'

const longestValue = 2_000
const maxLines = 20

/**
 * Returns the lines of an approval question: the effect of the tool, then every argument, as far as it fits on a
 * screen.
 */
export const formatQuestion = ({ tool, input, question, asks }: ApprovalQuestion): string[] => {
  const words = textOf(question) || (asks ? 'The tool asks a question' : 'The agent wants to run a tool')
  const facts = [`tool: ${cleanLine(tool)}`]
  if (typeof input === 'object' && input !== null) {
    for (const [name, value] of Object.entries(input)) facts.push(...fact(cleanLine(name), value))
  } else if (input !== undefined) facts.push(...fact('input', input))
  return [words, ...facts]
}

const textOf = (question: string): string => {
  const lines = cleanText(question)
    .split('\n')
    .map(cleanLine)
    .filter(line => line !== '')
  return [...lines.slice(0, maxLines), ...(lines.length > maxLines ? ['…'] : [])].join('\n')
}

const fact = (name: string, value: unknown): string[] => {
  const text = typeof value === 'string' ? cleanText(value) : formatValue(value)
  const shown =
    text.length > longestValue
      ? `${text.slice(0, longestValue)} … and ${text.length - longestValue} more characters`
      : text
  const [first = '', ...more] = shown.split('\n')
  const rest = more.slice(0, maxLines - 1).map(line => `  ${line}`)
  const hidden = more.length - rest.length
  return [`${name}: ${first}`, ...rest, ...(hidden > 0 ? [`  … and ${hidden} more lines`] : [])]
}
