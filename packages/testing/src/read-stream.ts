/** One event of a chat stream: its id and its data. */
export interface StreamedEvent {
  /** `<turnId>:<n>`: the id of the frame. */
  readonly eventId: string
  readonly type: string
  readonly [key: string]: unknown
}

/** A chat stream that was read to its end. */
export interface ReadStream {
  readonly events: readonly StreamedEvent[]
  /** The answer's text. */
  readonly text: string
  /** Whether `[DONE]` closed it. */
  readonly done: boolean
  /** The one event that ended it. */
  readonly last: StreamedEvent | undefined
}

/** Reads a chat stream of server-sent events to its end. Fails on an answer that is not one, with its body. */
export const readStream = async (response: Response): Promise<ReadStream> => {
  const body = await response.text()
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new Error(`Not a stream: ${response.status} ${body}`)
  }
  const events: StreamedEvent[] = []
  let done = false
  for (const frame of body.split('\n\n')) {
    const id = /^id: (.*)$/m.exec(frame)?.[1]
    const data = /^data: (.*)$/m.exec(frame)?.[1]
    if (data === '[DONE]') done = true
    else if (data !== undefined) events.push({ ...JSON.parse(data), eventId: id })
  }
  const text = events.flatMap(event => (event.type === 'text-delta' ? [String(event.delta)] : [])).join('')
  return { events, text, done, last: events.at(-1) }
}
