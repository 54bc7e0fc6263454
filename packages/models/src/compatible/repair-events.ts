import { parseJson } from '@sibyl/protocol'
import { propertyOf } from '../failures/error-causes.ts'
import { type ChatMessage, joined, withSplitText, withTextArguments } from './chat-message.ts'
import { createThinkSplitter } from './think-tags.ts'

const newline = 10

/** Lines that may need a repair: most do not, and pass as they came. */
const suspect = /"arguments":\s*\{|"finish_reason":\s*"/

/** The same while a text may still begin with `<think>`, or be in it. */
const suspectWithText = /"content":\s*"|"arguments":\s*\{|"finish_reason":\s*"/

/**
 * Repairs a stream of chat completion chunks: arguments of tools that are objects become text, text in `<think>` becomes
 * reasoning, and what comes after `finish_reason` without being a chunk is left out, also a connection that breaks off then.
 */
export const repairEvents = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  const repair = createLineRepair()
  let rest = Buffer.alloc(0)
  const repaired = (lines: Buffer<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    if (!repair.mayChange(lines.toString('latin1'))) return lines
    const kept = lines
      .toString('utf8')
      .split('\n')
      .flatMap(line => (repair.mayChange(line) ? repair.line(line) : [line]))
    return Buffer.from(kept.join('\n'))
  }
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read().catch(error => {
          if (repair.isFinished) return { done: true, value: undefined } as const
          throw error
        })
        if (done) {
          if (rest.length > 0) controller.enqueue(repaired(rest))
          return controller.close()
        }
        const bytes = rest.length === 0 ? Buffer.from(value) : Buffer.concat([rest, value])
        const end = bytes.lastIndexOf(newline) + 1
        rest = bytes.subarray(end)
        if (end > 0) return controller.enqueue(repaired(bytes.subarray(0, end)))
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

interface Choice {
  readonly delta?: ChatMessage | null
  readonly finish_reason?: unknown
}

const createLineRepair = () => {
  const splitter = createThinkSplitter()
  let isFinished = false

  const repairChoice = (choice: Choice): Choice => {
    const ends = typeof choice.finish_reason === 'string'
    isFinished ||= ends
    const delta = withTextArguments(choice.delta ?? {})
    const { content } = delta
    if (splitter.isOver || (typeof content !== 'string' && !ends)) {
      return delta === choice.delta ? choice : { ...choice, delta }
    }
    const taken = typeof content === 'string' ? splitter.take(content) : {}
    return { ...choice, delta: withSplitText(delta, ends ? joined(taken, splitter.end()) : taken) }
  }

  return {
    get isFinished() {
      return isFinished
    },
    /** Returns whether lines have to be read, each byte of them as a character or decoded. */
    mayChange: (lines: string): boolean => isFinished || (splitter.isOver ? suspect : suspectWithText).test(lines),
    /** Returns the line as it is to be read; nothing where it is left out. */
    line: (line: string): string[] => {
      const data = line.startsWith('data:') ? line.slice('data:'.length).trim() : '[DONE]'
      if (data === '[DONE]') return [line]
      const wasFinished = isFinished
      const chunk = parseJson(data)
      const choices = propertyOf(chunk, 'choices')
      if (!Array.isArray(choices)) return wasFinished && !propertyOf(chunk, 'usage') ? [] : [line]
      const repaired: unknown[] = choices.map(repairChoice)
      if (repaired.every((choice, index) => choice === choices[index])) return [line]
      return [`data: ${JSON.stringify({ ...(chunk as object), choices: repaired })}`]
    },
  }
}
