import { cleanLine } from '../../output/clean-text.ts'
import { displayWidth, truncate } from '../../output/display-width.ts'
import { formatArguments, formatCount, formatDuration } from '../../output/format.ts'
import type { Screen } from '../../output/screen.ts'
import type { Styles } from '../../output/styles.ts'
import { TextWrapper } from '../../output/text-wrapper.ts'

/** The column in which the durations of tool calls end. */
const durationEnd = 64
const widestLine = 160
const narrowest = 20

interface ToolCall {
  readonly name: string
  readonly words: string
  startedAt: number
}

/** Shows one line per tool call: its arguments, its duration, and loaded capabilities. */
export class ToolLines {
  readonly #screen: Screen
  readonly #styles: Styles
  readonly #indent: string
  readonly #now: () => number
  readonly #calls = new Map<string, ToolCall>()
  readonly #running = new Set<string>()
  readonly #paused = new Set<string>()
  #finished: { readonly call: ToolCall; readonly result: string } | undefined
  #loaded = { tools: 0, tokens: 0 }

  constructor(screen: Screen, styles: Styles, indent: string, now: () => number) {
    this.#screen = screen
    this.#styles = styles
    this.#indent = indent
    this.#now = now
  }

  begin(id: string, toolName: string, input: unknown): void {
    const name = cleanLine(toolName)
    const words = formatArguments(input)
    this.#calls.set(id, { name, words, startedAt: this.#now() })
    this.#running.add(id)
    this.#showRunning()
  }

  /** Marks a call as waiting for the user; its duration counts from the answer. */
  pause(id: string): void {
    this.#running.delete(id)
    this.#paused.add(id)
    this.#showRunning()
  }

  /** Called when the turn continues after the answers of the user. */
  proceed(): void {
    for (const id of this.#paused) {
      const call = this.#calls.get(id)
      if (call) call.startedAt = this.#now()
    }
    this.#paused.clear()
  }

  /** Called at the result of a call. The line is printed with the next event, which may report a loaded capability. */
  finish(id: string): void {
    const call = this.#remove(id)
    if (call) this.#finished = { call, result: formatDuration(this.#now() - call.startedAt) }
  }

  /** Marks a call as failed, with the error text of the oracle. */
  fail(id: string, text: string): void {
    const call = this.#remove(id)
    if (call) this.#print(call, this.#styles.error('failed'), 'failed'.length)
    this.#explain(cleanLine(text))
    this.#showRunning()
  }

  /** Marks a call as denied. */
  deny(id: string): void {
    const call = this.#remove(id)
    if (call) this.#print(call, 'not allowed', 'not allowed'.length)
    this.#showRunning()
  }

  /** Records a capability that the finishing call loaded. */
  loaded(tools: number, tokens: number): void {
    this.#loaded = { tools: this.#loaded.tools + tools, tokens: this.#loaded.tokens + tokens }
  }

  flush(): void {
    if (!this.#finished) return
    const { call, result } = this.#finished
    this.#finished = undefined
    const { tools, tokens } = this.#loaded
    this.#loaded = { tools: 0, tokens: 0 }
    const suffix = tools === 0 ? '' : `   +${formatCount(tools, 'tool')}, ${formatCount(tokens, 'token')}`
    this.#print(call, this.#styles.dim(result + suffix), result.length, suffix.length)
    this.#showRunning()
  }

  /** Called at the end of the turn. */
  clear(): void {
    this.#running.clear()
    this.#paused.clear()
    this.#calls.clear()
    this.#loaded = { tools: 0, tokens: 0 }
  }

  #remove(id: string): ToolCall | undefined {
    this.#running.delete(id)
    return this.#calls.get(id)
  }

  #print(call: ToolCall, result: string, resultWidth: number, suffixWidth = 0): void {
    const columns = Math.min(this.#screen.columns, widestLine)
    const left = truncate(this.#left(call), columns - resultWidth - suffixWidth - 2)
    const end = Math.min(durationEnd, columns - suffixWidth)
    const gap = Math.max(2, end - displayWidth(left) - resultWidth)
    const [prefix, rest] = [left.slice(0, this.#indent.length + 2), left.slice(this.#indent.length + 2)]
    this.#screen.line(this.#styles.dim(prefix) + rest + ' '.repeat(gap) + result)
  }

  #explain(reason: string): void {
    const indent = `${this.#indent}  `
    const columns = Math.max(narrowest, this.#screen.columns - indent.length)
    const wrapper = new TextWrapper(text => this.#screen.write(this.#styles.error(text)), indent, columns)
    this.#screen.endLine()
    this.#screen.write(indent)
    wrapper.push(reason)
    wrapper.flush()
    this.#screen.endLine()
  }

  #showRunning(): void {
    const id = [...this.#running].at(-1)
    const call = id === undefined ? undefined : this.#calls.get(id)
    if (call) this.#screen.pass(this.#styles.dim(truncate(`${this.#left(call)} …`, this.#screen.columns - 1)))
  }

  #left({ name, words }: ToolCall): string {
    return `${this.#indent}· ${name}${words === '' ? '' : `   ${words}`}`
  }
}
