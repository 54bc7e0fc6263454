/** The largest event, in characters. */
const maxEvent = 16_000_000

/** Reads the data of server-sent events; comments and events without data are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true })
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    if (rest.length > maxEvent) throw new Error('An event is too large.')
    for (const event of events) {
      const data = event.split(/\r?\n/).flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
      if (data.some(line => line !== '')) yield data.join('\n')
    }
  }
}
