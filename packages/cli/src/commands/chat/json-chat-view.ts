import { rawEvent, type StreamedEvent } from '@sibyl/client'
import { cleanLine, safeJson } from '../../output/clean-text.ts'
import type { OutputStream } from '../../process/command-io.ts'
import type { ApprovalQuestion, ChatView } from './chat-view.ts'

/** Writes every event as one line of JSON to `stdout`, and what is meant for a person to `stderr`. */
export class JsonChatView implements ChatView {
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream

  constructor(stdout: OutputStream, stderr: OutputStream) {
    this.#stdout = stdout
    this.#stderr = stderr
  }

  said(): void {}

  event(item: StreamedEvent): void {
    this.#stdout.write(`${safeJson(rawEvent(item))}\n`)
  }

  came(): void {}

  reconnecting(): void {
    this.note('connection lost, resuming')
  }

  question({ tool, question, asks }: ApprovalQuestion): void {
    this.note(`${cleanLine(tool)} ${asks ? 'asks' : 'waits for approval'}: ${cleanLine(question)}`)
  }

  stopping(): void {
    this.note('stopping; Ctrl-C again leaves')
  }

  problem(message: string, remedy: string): void {
    this.note(`${message} ${remedy}`.trimEnd())
  }

  note(text: string): void {
    this.#stderr.write(`sibyl: ${text}\n`)
  }

  settle(): void {}
}
