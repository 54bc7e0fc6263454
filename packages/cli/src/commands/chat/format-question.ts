import { cleanLine, cleanText } from '../../output/clean-text.ts'
import type { ApprovalQuestion } from './chat-view.ts'

const screenLines = 20

/**
 * Returns the lines of an approval question: the effect of the tool, then every argument in full. The effect stands again below
 * arguments that take more than a screen.
 */
export const formatQuestion = ({ tool, question, asks }: ApprovalQuestion): string[] => {
  const [first = '', ...more] = cleanText(question.trim()).split('\n')
  const words = cleanLine(first) || (asks ? 'The tool asks a question' : 'The agent wants to run a tool')
  const facts = [`tool: ${cleanLine(tool)}`, ...more.flatMap(line => (line.trim() === '' ? [] : [line.trimEnd()]))]
  return [words, ...facts, ...(facts.length > screenLines ? [words] : [])]
}
