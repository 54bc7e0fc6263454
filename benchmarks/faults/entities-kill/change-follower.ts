import { setTimeout as pause } from 'node:timers/promises'
import { callers } from '../entities/call.ts'

/** Follows the changes of one oracle after the other, from the last event that it has heard. */
export class ChangeFollower {
  /** `<did> <version>` of each change, in the order in which they came. */
  readonly heard: string[] = []
  #url = ''
  #lastEventId = '0-0'
  #over = new AbortController()

  /** Where to follow from now on. */
  follow(url: string): void {
    this.#url = url
  }

  /** Follows until it is stopped. */
  async run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#once().catch(() => {})
      await pause(20)
    }
  }

  stop(): void {
    this.#over.abort()
  }

  async #once(): Promise<void> {
    const answer = await fetch(`${this.#url}/v1/changes`, {
      headers: { authorization: `Bearer ${callers.oracle.key}`, 'last-event-id': this.#lastEventId },
      signal: this.#over.signal,
    })
    if (answer.status !== 200 || !answer.body) throw new Error(`It may not be followed: ${await answer.text()}`)
    let buffer = ''
    for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
      buffer += text
      const frames = buffer.split('\n\n')
      buffer = frames.pop() ?? ''
      for (const frame of frames) this.#hear(frame)
    }
  }

  #hear(frame: string): void {
    const id = /^id: (.*)$/m.exec(frame)?.[1]
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    if (id !== undefined) this.#lastEventId = id
    if (data === undefined) return
    const { did, version } = JSON.parse(data) as { did: string; version: number }
    this.heard.push(`${did} ${version}`)
  }
}
