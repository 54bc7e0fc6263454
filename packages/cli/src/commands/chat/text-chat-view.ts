import { isFinal, type StreamedEvent } from '@sibyl/client'
import { type MessageMetadata, messageParts } from '@sibyl/protocol'
import { cleanLine, cleanText } from '../../output/clean-text.ts'
import { formatCount, formatSeconds, formatTime } from '../../output/format.ts'
import { markdownStyle } from '../../output/markdown-style.ts'
import type { Screen } from '../../output/screen.ts'
import type { Style, Styles } from '../../output/styles.ts'
import { TextWrapper, wrapLine } from '../../output/text-wrapper.ts'
import { type ApprovalQuestion, type ChatView, messageWords, type SessionMessage } from './chat-view.ts'
import { ToolLines } from './tool-lines.ts'

const labelWidth = 8
const indent = ' '.repeat(labelWidth)
const narrowest = 20

/** Shows a conversation as text: messages, tool calls and progress. */
export class TextChatView implements ChatView {
  readonly #screen: Screen
  readonly #styles: Styles
  readonly #tools: ToolLines
  #text: TextWrapper | undefined
  #speaking = false
  #stopping = false

  /** @param now A monotonic clock in milliseconds. */
  constructor(screen: Screen, styles: Styles, now: () => number) {
    this.#screen = screen
    this.#styles = styles
    this.#tools = new ToolLines(screen, styles, indent, now)
  }

  showSent(text: string): void {
    this.#screen.endLine()
    this.#screen.write(this.#styles.bold('you'.padEnd(labelWidth)))
    this.#paragraph(text, it => it)
  }

  event(item: StreamedEvent, cost?: string): void {
    const { event } = item
    if (this.#stopping && !isFinal(item)) return
    this.#stopping = false
    if (event.type !== 'data-capability') this.#tools.flush()
    switch (event.type) {
      case 'start':
        this.#tools.proceed()
        this.#screen.pass(this.#styles.dim(`${indent}waiting for the answer …`))
        break
      case 'text-delta':
        this.#speak(event.delta)
        break
      case 'text-end':
        this.#endText()
        break
      case 'tool-input-available':
        this.settle()
        this.#tools.begin(event.toolCallId, event.toolName, event.input)
        break
      case 'tool-input-error':
        this.settle()
        this.#tools.begin(event.toolCallId, event.toolName, event.input)
        this.#tools.fail(event.toolCallId, event.errorText)
        break
      case 'tool-output-available':
        this.#tools.finish(event.toolCallId)
        break
      case 'tool-output-error':
        this.#tools.fail(event.toolCallId, event.errorText)
        break
      case 'tool-output-denied':
        this.#tools.deny(event.toolCallId)
        break
      case 'tool-approval-request':
        this.#tools.pause(event.toolCallId)
        break
      case 'data-capability':
        this.#capability('data' in event ? event.data : undefined)
        break
      case 'data-notice':
        this.#notice('data' in event ? event.data : undefined)
        break
      case 'data-resumed':
        this.note('the oracle restarted; it continues from here')
        break
      case 'finish':
        this.#finish(event.messageMetadata, cost)
        break
      case 'abort':
        this.#end(event.reason ?? 'Stopped.')
        break
      case 'error':
        this.#tools.clear()
        this.problem(`${cleanLine(event.errorText)} (${cleanLine(event.code)})`, '')
    }
  }

  came(message: SessionMessage): void {
    const { role, metadata, createdAt } = message
    const text = messageWords(message)
    const at = formatTime(new Date(createdAt))
    if (role === 'user') {
      this.showSent(text)
      this.note(`from elsewhere · ${at}`)
      return
    }
    this.settle()
    this.#speak(text)
    this.#end([...(metadata?.model === undefined ? ['automatic'] : factsOf(metadata)), at].join(' · '))
  }

  reconnecting(): void {
    this.#text?.flush()
    this.#tools.flush()
    this.#screen.line(this.#styles.dim(`${indent}… connection lost, resuming`))
    if (!this.#text) return
    this.#screen.write(indent)
    this.#text.restart()
  }

  question(question: ApprovalQuestion): void {
    this.settle()
    const [words, ...facts] = formatQuestion(question)
    this.#screen.write(indent)
    this.#paragraph(words ?? '', this.#styles.warning)
    const columns = Math.max(narrowest, this.#screen.columns - indent.length - 4)
    for (const fact of facts) this.#screen.line(`${indent}  ${wrapLine(fact, columns).join(`\n${indent}    `)}`)
  }

  stopping(): void {
    this.settle()
    this.#stopping = true
    this.#screen.pass(this.#styles.dim(`${indent}stopping; press Ctrl-C again to exit`))
  }

  problem(message: string, remedy: string): void {
    this.settle()
    this.#stopping = false
    this.#screen.write(this.#styles.error('error'.padEnd(labelWidth)))
    this.#paragraph(message, text => text)
    if (remedy !== '') this.note(remedy)
  }

  note(text: string): void {
    this.settle()
    this.#screen.write(indent)
    this.#paragraph(text, this.#styles.dim)
  }

  settle(): void {
    this.#tools.flush()
    this.#endText()
    this.#speaking = false
  }

  #endText(): void {
    this.#text?.flush()
    this.#text = undefined
    this.#screen.endLine()
  }

  #speak(delta: string): void {
    if (!this.#text) {
      if (cleanText(delta).trim() === '') return
      this.#screen.endLine()
      this.#screen.write(this.#speaking ? indent : this.#styles.accent('oracle'.padEnd(labelWidth)))
      this.#speaking = true
      this.#text = this.#newWrapper(markdownStyle(this.#styles))
    }
    this.#text.push(delta)
  }

  #paragraph(text: string, style: Style): void {
    const wrapper = this.#newWrapper(style)
    wrapper.push(text)
    wrapper.flush()
    this.#screen.endLine()
  }

  #newWrapper(style: Style = text => text): TextWrapper {
    const columns = Math.max(narrowest, this.#screen.columns - labelWidth)
    return new TextWrapper(text => this.#screen.write(style(text)), indent, columns)
  }

  #capability(data: unknown): void {
    const capability = messageParts.capability.safeParse(data)
    if (capability.success) this.#tools.loaded(capability.data.tools.length, capability.data.tokens)
  }

  #notice(data: unknown): void {
    const notice = messageParts.notice.safeParse(data)
    if (notice.success) this.note(cleanLine(notice.data.text))
  }

  #finish(metadata: MessageMetadata | undefined, cost?: string): void {
    if (metadata?.outcome === 'awaiting-approval') {
      this.settle()
      return
    }
    this.#end([...factsOf(metadata), ...(cost === undefined ? [] : [cost])].join(' · '))
  }

  #end(text: string): void {
    this.settle()
    this.#tools.clear()
    if (text !== '') this.note(cleanLine(text))
  }
}

/** Returns the model, the steps, the time and the tokens. */
const factsOf = ({ model, stepCount, durationMs, usage }: MessageMetadata = {}): string[] => {
  const name = model === 'offline' ? 'offline model' : cleanLine(model ?? '')
  const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens
  return [
    ...(name === '' ? [] : [name]),
    ...(stepCount === undefined ? [] : [formatCount(stepCount, 'step')]),
    ...(durationMs === undefined ? [] : [formatSeconds(durationMs)]),
    ...(tokens === 0 ? [] : [formatCount(tokens, 'token')]),
  ]
}

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
