/** A server-sent event. */
export interface StreamEvent {
  readonly event: string
  readonly id?: string
  readonly data: string
}

/** Longest event that is read, in characters. */
const maxLength = 2_000_000

/** Reads server-sent events from a response, without reconnecting. */
export async function* readEventStream(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value
      const frames = rest.split('\n\n')
      rest = frames.pop() ?? ''
      if (rest.length > maxLength) throw new Error('An event of the stream is too long.')
      for (const frame of frames) {
        const event = parseFrame(frame)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const parseFrame = (frame: string): StreamEvent | undefined => {
  const lines = frame.split('\n')
  const member = (name: string) => lines.find(line => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const data = member('data')
  const id = member('id')
  if (data === undefined) return undefined
  return { event: member('event') ?? 'message', ...(id === undefined ? {} : { id }), data }
}
